"""Files that a script sources."""

from __future__ import annotations

import shlex

import pytest

from tests.readers.shell.reading import launch, launches, problems, read, shown, texts, ways
from tests.readers.shell.test_against_bash import BASH, foreseen, run_in_bash

ENV = {"scripts/cluster.env": "GPUS=4\nexport NODES=2\n"}


@pytest.mark.parametrize(
    "line",
    [
        "source ./cluster.env",
        ". cluster.env",
        "source cluster.env",
        'cd "$(dirname "$0")"\nsource ./cluster.env',
        'source "$(dirname "$0")/cluster.env"',
        'source "$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/cluster.env"',
        'DIR=$(dirname "$(realpath "$0")"); source "$DIR/cluster.env"',
        'source "${BASH_SOURCE%/*}/cluster.env"',
        'cd "$(dirname "$0")/.." && source scripts/cluster.env',
        "source scripts/cluster.env",
        'source "$PWD/scripts/cluster.env"',
        "set -a; source cluster.env; set +a",
        "[ -f cluster.env ] && source cluster.env || exit 1",
    ],
)
def test_a_sourced_file_sets_variables(line: str) -> None:
    script = line + "\nlaunch $GPUS $NODES\n"
    command = launch(script, ENV)
    assert texts(command.words[1:]) == ["4", "2"]
    assert command.words[1].span.path == "scripts/cluster.env"
    assert ENV["scripts/cluster.env"][command.words[1].span.start] == "4"
    assert read(script, ENV).sourced == ("scripts/cluster.env",)


def test_a_sourced_file_may_hold_functions_and_launches() -> None:
    files = {"scripts/lib.sh": 'run() { launch "$@"; }\nlaunch in-lib $1\nreturn\nlaunch never\n'}
    found = launches("source lib.sh first\nrun second\n", files)
    assert [texts(command.words[1:]) for command in found] == [["in-lib", "first"], ["second"]]
    assert {command.span.path for command in found} == {"scripts/lib.sh"}


def test_files_that_source_one_another_end() -> None:
    files = {"scripts/a.sh": "source b.sh\nA=1\n", "scripts/b.sh": "source a.sh\nsource train.sh\nB=2\n"}
    assert texts(launch("source a.sh\nlaunch $A $B\n", files).words[1:]) == ["1", "2"]
    many = {f"scripts/{n}.sh": f"source {n + 1}.sh\n" for n in range(100)}
    assert len(read("source 0.sh\n", many).sourced) < 40


def test_a_missing_file_is_told() -> None:
    assert problems("source ./missing.env\nlaunch\n", {}) == [("sourced-file-missing", 1, "./missing.env")]
    assert problems('cd "$(dirname "$0")"\nsource missing.env\n', {}) == [("sourced-file-missing", 2, "missing.env")]


@pytest.mark.parametrize(
    "line",
    [
        "source ~/.bashrc",
        "source /etc/profile",
        "source .venv/bin/activate",
        "source activate env",
        ". venv/bin/activate",
        'source "$CONFIG"',
        "source activate",
    ],
)
def test_what_prepares_a_shell_is_not_missed(line: str) -> None:
    script = f"N=8\n{line}\nlaunch $N\n"
    assert problems(script, {}) == []


def test_a_file_that_is_not_read_may_change_variables() -> None:
    word = launch("N=8\nsource ./missing.sh\nlaunch $N\n", {}).words[1]
    assert shown(word) == "<8>*"
    assert word.because == "$N may be changed by ./missing.sh, which is not read"
    assert shown(launch("N=8\nsource .venv/bin/activate\nlaunch $N\n", {}).words[1]) == "8"


def test_nothing_is_sourced_without_a_way_to_read_files() -> None:
    from rlhflint.readers.shell import read_script
    from rlhflint.text import Traced

    found = read_script(Traced.of_file("x.sh", "source ./cluster.env\nlaunch\n"), "x.sh")
    assert found.problems == ()
    assert found.sourced == ()


def test_a_file_that_is_not_read_may_change_all_that_it_shares() -> None:
    script = """
LIST=(a "b c") GONE=x EMPTY=() FAR=([3]=q)
declare -A TABLE=([k]=v)
unset GONE
set -- p
source ./missing.sh
launch "${LIST[@]}" ${LIST[0]} ${#LIST[@]} "${EMPTY[@]}" ${FAR[3]} ${TABLE[k]} ${TABLE[z]} "$GONE" "$1"
"""
    command = launch(script, {})
    assert texts(command.words[1:]) == [
        *("<a>*", "<b c>*", "<?>*", "<?>*", "<?>*", "<?>*", "<v>*", "<?>*", "<?>", "<?>"),
    ]
    assert {word.because for word in command.words[1:]} == {
        f"${name} may be changed by ./missing.sh, which is not read"
        for name in ("LIST", "EMPTY", "FAR", "TABLE", "GONE", "@")
    }


def test_arguments_that_a_file_gets_are_its_own() -> None:
    assert texts(launch('set -- p\nsource ./missing.sh x\nlaunch "$1"\n', {}).words[1:]) == ["p"]
    assert launch('source ./missing.sh\nlaunch "$1"\n', {}).words[1].because == "$1 is an argument of the script"


def test_a_file_that_is_not_read_may_replace_functions() -> None:
    script = "run() { launch $1; }\nsource ./missing.sh\nrun a\nrun b\n"
    assert ways(script, {}) == {"./missing.sh leaves the functions of the script alone": "b"}
    assert [shown(one.words[1]) for one in launches(script, {})] == ["a", "b"]
    named = [
        (shown(one.words[1]), one.choices[0].taken) for one in read(script, {}).commands if one.words[0].text == "run"
    ]
    assert named == [(word, "./missing.sh replaces the functions of the script") for word in ("a", "b")]
    later = "source ./missing.sh\nrun() { launch $1; }\nrun a\n"
    assert ways(later, {}) == {"": "a"}


_CHANGES = {
    "nothing": ":",
    "variables": "A=(x); B=y; unset C; T[new]=z; T[k]=w",
    "arguments": "set -- other words",
    "functions": "run() { launch replaced; }",
}


@pytest.mark.skipif(BASH is None, reason="bash is not installed")
@pytest.mark.parametrize("change", _CHANGES)
def test_whatever_a_file_changes_some_way_has_foreseen_the_launch(change: str) -> None:
    script = """
A=(a b) B=b C=c; declare -A T=([k]=v); set -- p q; run() { launch run "$@"; }
source ./missing.sh
launch "${A[@]}" "$B" "$C"; launch "${T[k]}" "${T[new]}" ${#T[@]}; launch "$@" $#; run "$2"
"""
    run = run_in_bash(f"printf %s {shlex.quote(_CHANGES[change])} > missing.sh\n{script}", {})
    assert len(run) == 4
    # What a function of the file launches is not read.
    assert [words for words in run if not foreseen(words, launches(script, {}))] in ([], [["replaced"]])
