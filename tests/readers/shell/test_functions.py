"""Functions: run when they are called, with the arguments of the call."""

from __future__ import annotations

import pytest

from tests.readers.shell.reading import launch, launches, origin, read, shown, texts, ways
from tests.readers.shell.test_against_bash import BASH, run_in_bash

RUN = """
run() {
  local lr=$1 name=${2:-none}; shift 2
  launch --lr $lr --name "$name" "$@"
}
"""


def test_a_command_of_a_function_is_read_for_every_call() -> None:
    script = RUN + "run 5e-7 a --beta 0.1\nrun 1e-6 b\n"
    assert [texts(command.words[1:]) for command in launches(script)] == [
        ["--lr", "5e-7", "--name", "a", "--beta", "0.1"],
        ["--lr", "1e-6", "--name", "b"],
    ]
    first = launches(script)[0]
    assert [origin(word, script) for word in first.words] == ["launch", "--lr", "5e-7", "--name", "a", "--beta", "0.1"]
    assert script[first.span.start : first.span.end].startswith("launch --lr")


def test_a_function_that_is_not_called_runs_nothing() -> None:
    assert launches(RUN) == []


def test_a_function_forwards_the_arguments_of_the_script() -> None:
    assert texts(launch(RUN + 'run 1 x "$@"\n').words[5:]) == ["<?>*"]
    assert launch('main() { launch "$1" $#; }\nmain "$@"\n').words[1].because == "$1 is an argument of the script"


def test_calls_in_a_loop_and_on_ways() -> None:
    script = RUN + 'for lr in 1 2; do run $lr x; done\n[ -n "$BIG" ] && run 3 y\n'
    assert list(ways(script).values()) == ["--lr 1 --name x", "--lr 2 --name x", "--lr 3 --name y"]
    assert list(ways(script)) == ["lr is 1", "lr is 2", "BIG is set"]


def test_locals_end_with_the_function_and_other_variables_do_not() -> None:
    script = "f() { local A=in; B=in; }\nA=out; B=out\nf\nlaunch $A $B\n"
    assert texts(launch(script).words[1:]) == ["out", "in"]


def test_every_way_to_define_a_function() -> None:
    for head in ("f() {", "f () {", "function f {", "function f() {", "f()\n{"):
        assert texts(launch(f"{head}\n  launch $1\n}}\nf x\n").words[1:]) == ["x"]
    assert texts(launch("f() ( launch $1 )\nf x > log\n").words[1:]) == ["x"]


def test_return_goes_on_behind_the_call() -> None:
    script = 'f() { A=1; [ -n "$X" ] && return; A=2; }\nf\nlaunch $A\n'
    assert ways(script) == {"X is set": "1", "X is not set": "2"}


def test_a_function_may_be_defined_on_one_way_only() -> None:
    script = 'f() { launch a; }\nif [ -n "$X" ]; then f() { launch b; }; fi\nf\n'
    assert ways(script) == {"X is set": "b", "X is not set": "a"}


def test_a_function_named_like_a_program() -> None:
    script = 'python() { launch "$@"; }\npython -m x\ncommand python y\n'
    assert texts(launch(script).words[1:]) == ["-m", "x"]


def test_recursion_ends() -> None:
    assert len(launches("f() { launch $1; f $1x; }\nf a\n")) <= 20
    assert launches(":(){ :|:& }; :\n") == []


def test_the_environment_of_a_call() -> None:
    script = "f() { launch $A; }\nA=1\nA=2 f\nlaunch $A\n"
    assert [shown(command.words[1]) for command in launches(script)] == ["2", "1"]


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ("f() for x in a b; do launch $x $1; done\nlaunch first; f q", ["first", "a q", "b q"]),
        ("f() for x in a b; { launch $x; }\nlaunch first; f", ["first", "a", "b"]),
        ("function f if [ $1 = y ]; then launch yes; fi\nlaunch first; f y; f n", ["first", "yes"]),
        ("function f ()\n\nwhile launch $1; do shift; break; done; f w", ["w"]),
        ("f() case $1 in a) launch 1;; *) launch 2; esac; f a; f b", ["1", "2"]),
        ("f() [[ $1 = y ]]; f y && launch yes; f n || launch no", ["yes", "no"]),
        ("function f ((x = $1)); f 3; launch $x", ["3"]),
        ("f() until launch in; do :; done && launch defined; f", ["defined", "in"]),
        ("! f() for x in a; do launch $x; done || launch defined; f", ["defined", "a"]),
        ("true && f() ( launch sub ); f; g() { launch g; }; g", ["sub", "g"]),
    ],
)
def test_the_body_of_a_function_may_be_any_compound_command(script: str, expected: list[str]) -> None:
    assert [" ".join(texts(one.words[1:])) for one in launches(script)] == expected
    assert read(script).problems == ()
    if BASH is not None:
        assert [" ".join(words) for words in run_in_bash(script, {})] == expected


def test_a_function_that_calls_itself_twice_is_followed_so_far_only() -> None:
    script = "f() { launch; f; f; }\nf\n"
    assert 64 < len(launches(script)) < 100
    [problem] = read(script).problems
    assert (problem.kind, script[problem.span.start : problem.span.end]) == ("too-large", "f")


def test_a_function_that_counts_down_is_followed_to_its_end() -> None:
    script = "f() { [ $1 = 0 ] && return; launch $1; f $(($1 - 1)); }\nf 9\n"
    assert [texts(command.words[1:]) for command in launches(script)] == [[str(n)] for n in range(9, 0, -1)]
