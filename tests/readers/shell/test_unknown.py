"""What comes from outside: unknown, with a reason, and a default where there is one."""

from __future__ import annotations

import pytest

from tests.readers.shell.reading import arguments, launch, launches, read, shown, ways


@pytest.mark.parametrize(
    ("word", "because"),
    [
        ("$1", "$1 is an argument of the script"),
        ("${10}", "$10 is an argument of the script"),
        ('"$@"', "$@ holds the arguments of the script"),
        ("$#", "$# is the number of the script's arguments"),
        ("$WANDB_API_KEY", "$WANDB_API_KEY comes from the environment"),
        ("${MODEL:?set MODEL}", "$MODEL comes from the environment"),
        ("$(date +%s)", "$(date +%s) is the output of a command"),
        ("`hostname`", "`hostname` is the output of a command"),
        ("$RANDOM", "$RANDOM is a random number"),
        ("$$", "$$ is the number of a process"),
        ("$?", "$? is the status of a command"),
        ("$0", "$0 is the path of the script"),
        ("$(dirname $0)", "the folder of the script"),
        ('$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)', "the folder of the script"),
        ("${0%/*}", "the folder of the script"),
        ("$PWD", "the folder the script is started in"),
        ("$(pwd)", "the folder the script is started in"),
        ("<MODEL_PATH>", "<MODEL_PATH> is a placeholder"),
        ("<(sort x)", "<(sort x) is the output of a command"),
        ("${HOSTS[0]}", "$HOSTS comes from the environment"),
        ('"${HOSTS[@]}"', "$HOSTS comes from the environment"),
    ],
)
def test_what_is_not_known_says_why(word: str, because: str) -> None:
    [found] = launch(f"launch {word}").words[1:]
    assert not found.known
    assert found.because == because


def test_only_a_word_that_is_all_unknown_and_unquoted_may_be_any_number_of_words() -> None:
    found = {
        word: arguments(f"launch {word}")[0] for word in ("$1", '"$1"', "ckpt/$1", "--lr=$1", "$1$2", '"$@"', '"$*"')
    }
    assert found == {
        "$1": "<?>*",
        '"$1"': "<?>",
        "ckpt/$1": "ckpt/<?>",
        "--lr=$1": "--lr=<?>",
        "$1$2": "<?>*<?>*",
        '"$@"': "<?>*",
        '"$*"': "<?>",
    }


def test_a_default_is_known() -> None:
    script = """
N=${N:-8}; M=${2:-$N}; W=w$N; D=$((N * 2)); P="${OUT:-out}/run"; E=${EXTRA:-}
launch "$N" "$M" "$W" "$D" "$P" "$E" "${MODEL:-$HOME/m}" "${MODEL##*/}"
"""
    assert arguments(script) == ["<8>", "<8>", "w<8>", "<16>", "<out>/run", "<>", "<?>", "<?>"]
    assert arguments("F=${F:-a.sh}; launch ${F%.sh} ${#F} ${F^^}") == ["<a>*", "<4>*", "<A.SH>*"]


def test_flags_in_a_default_are_words_with_a_place() -> None:
    script = "launch ${EXTRA:---bf16 --lr 1e-5}\n"
    assert ways(script) == {"EXTRA is not set": "--bf16 --lr 1e-5", "EXTRA is set": "<?>*"}
    assert ways('X="${EXTRA:---bf16 --lr 1e-5}"\nlaunch $X\n') == ways(script)


def test_an_argument_shifted_away() -> None:
    script = "A=$1; shift; B=$1; shift 2\nlaunch $A $B $1\n"
    because = [word.because for word in launch(script).words[1:]]
    assert because == [f"${n} is an argument of the script" for n in (1, 2, 4)]


def test_files_that_match_a_pattern() -> None:
    assert arguments("launch data/*.jsonl 'a*' http://host/x?y=1 [1,2]") == [
        "<data/*.jsonl>*",
        "a*",
        "http://host/x?y=1",
        "[1,2]",
    ]


def test_placeholders_are_no_redirections() -> None:
    script = "launch --a <PATH> --b <your model> \\\n  --c <tok-en>\nlaunch < in.txt > out.txt\nlaunch <in> out.txt"
    assert [[shown(word) for word in one.words[1:]] for one in launches(script)] == [
        ["--a", "<?>", "--b", "<?>", "--c", "<?>"],
        [],
        [],
    ]
    assert read(script).problems == ()


def test_a_command_whose_name_is_not_known_is_told() -> None:
    script = read('$PYTHON -m trl\n"$@"\neval "$CMD"\nbash -c "$1"\n${PY:-python} x.py\n')
    assert [(one.kind, one.message) for one in script.problems] == [
        ("not-static", "what runs here is not known: $PYTHON comes from the environment"),
        ("not-static", "what runs here is not known: $@ holds the arguments of the script"),
        ("not-static", "what runs here is not known: $CMD comes from the environment"),
        ("not-static", "what runs here is not known: $1 is an argument of the script"),
    ]
    assert [shown(word) for word in script.commands[0].words] == ["<?>*", "-m", "trl"]


def test_a_loop_over_options_leaves_a_default() -> None:
    script = """
LR=1e-6; NAME=run
while [[ $# -gt 0 ]]; do
  case "$1" in
    --lr) LR="$2"; shift 2 ;;
    --extra) EXTRA+=("$2"); shift 2 ;;
    *) echo "unknown $1"; exit 1 ;;
  esac
done
while getopts "m:n" opt; do
  case $opt in m) MODEL=$OPTARG ;; n) NAME=other ;; esac
done
launch --lr $LR --model "$MODEL" --name $NAME "${EXTRA[@]}" $1
"""
    [command] = launches(script)
    assert [shown(word) for word in command.words[1:]] == [
        "--lr",
        "<1e-6>*",
        "--model",
        "<?>",
        "--name",
        "<run>*",
        "<?>*",
        "<?>*",
    ]
    assert command.words[2].because == "$LR may change in a loop"
    assert command.choices == ()


def test_variables_read_while_the_script_runs() -> None:
    assert arguments('read -r A\nwhile read -r B; do :; done < list\nlaunch "$A" "$B"\n') == ["<?>", "<?>"]
