"""Loops: every round over known words, and what is left after one whose rounds are not known."""

from __future__ import annotations

import pytest

from tests.readers.shell.reading import launch, launches, origin, problems, read, shown, texts, ways
from tests.readers.shell.test_against_bash import BASH, run_in_bash


def test_every_round_over_words_runs() -> None:
    script = "for n in 4 6; do\n  launch --n $n\ndone\n"
    found = launches(script)
    assert ways(script) == {"n is 4": "--n 4", "n is 6": "--n 6"}
    assert all(choice.certain for command in found for choice in command.choices)
    assert [script[choice.span.start : choice.span.end] for command in found for choice in command.choices] == [
        "4",
        "6",
    ]
    assert [origin(command.words[2], script) for command in found] == ["4", "6"]


def test_rounds_that_make_no_difference_are_one_command() -> None:
    assert launch("for i in 1 2 3; do launch same; done\n").choices == ()
    assert ways("for a in 1 2; do for b in x y; do launch $a; done; done\n") == {"a is 1": "1", "a is 2": "2"}


def test_a_single_round_is_no_choice() -> None:
    assert ways("for n in 8; do launch $n; done\n") == {"": "8"}


def test_loops_over_lists_sequences_and_arguments() -> None:
    assert list(ways('A=(x \'y z\')\nfor a in "${A[@]}"; do launch "$a"; done\n').values()) == ["x", "y z"]
    assert list(ways("for i in {1..3}; do launch $i; done\n").values()) == ["1", "2", "3"]
    assert list(ways("for i in $(seq 2); do launch $i; done\n").values()) == ["1", "2"]
    assert list(ways("set -- p q\nfor a; do launch $a; done\n").values()) == ["p", "q"]
    assert ways("for i in ; do launch; done\n") == {}


def test_counting_loops() -> None:
    assert ways("for ((i = 0; i < 2; i++)); do launch $i; done\n") == {"i is 0": "0", "i is 1": "1"}
    assert list(ways("i=0\nwhile [ $i -lt 2 ]; do launch $i; i=$((i + 1)); done\n").values()) == ["0", "1"]
    assert list(ways("i=2\nuntil ((i == 0)); do launch $((i--)); done\n").values()) == ["2", "1"]
    script = "i=0\nwhile true; do ((++i)); launch $i; [ $i = 2 ] && break; done\nlaunch end\n"
    assert [shown(command.words[1]) for command in launches(script)] == ["1", "2", "end"]


def test_break_and_continue() -> None:
    script = "for i in 1 2 3 4; do\n[ $i = 2 ] && continue\n[ $i = 4 ] && break\nlaunch $i\ndone\nlaunch $i\n"
    assert list(ways(script).values()) == ["1", "3", "4"]
    nested = "for i in 1 2; do for j in 1 2; do launch $i$j; continue 2; done; done\n"
    assert list(ways(nested).values()) == ["11", "21"]


def test_variables_keep_what_the_last_round_left() -> None:
    assert ways('A=()\nfor i in 1 2; do A+=(--x $i); done\nlaunch "${A[@]}" $i\n') == {"": "--x 1 --x 2 2"}


def test_a_loop_whose_rounds_are_not_known_is_read_once() -> None:
    script = """
N=0; A=(--a); B=same
for f in data/*.jsonl; do
  launch --data "$f" --n $N
  N=$((N + 1)); A+=("$f"); B=same; C=new
done
launch $N "${A[@]}" $B "$C"
"""
    found = [shown(word) for word in launches(script)[-1].words[1:]]
    assert found == ["<0>*", "--a", "<?>*", "same", "<?>"]
    assert [shown(word) for word in launches(script)[0].words[1:]] == ["--data", "<data/*.jsonl>", "--n", "0"]


def test_a_loop_that_waits_changes_nothing() -> None:
    script = "OK=no\nwhile ! curl -s host; do sleep 5; done\nuntil ray status; do sleep 1; done\nlaunch $OK\n"
    assert ways(script) == {"": "no"}


def test_a_launch_that_is_tried_again() -> None:
    script = "while true; do\n  launch && break\n  sleep 10\ndone\n"
    assert launch(script).choices == ()


def test_a_loop_of_very_many_rounds_is_cut() -> None:
    script = "for i in {1..1000}; do launch $i; done\n"
    assert len(launches(script)) == 65
    assert [problem.kind for problem in read(script).problems] == ["too-many-ways"]


def test_a_word_that_is_chosen_by_hand() -> None:
    assert ways("select m in a b; do launch $m; break; done\n") == {"": "<?>*"}


def test_a_loop_without_end_is_read_once_where_nothing_changes() -> None:
    assert problems("while true; do launch; sleep 5; done\n") == []
    counted = "while true; do launch $i; i=$((i + 1)); done\n"
    assert problems("i=0\n" + counted) == [("too-many-ways", 2, counted.rstrip())]
    script = "i=0\n" + counted.replace("true", "[ $i -lt 64 ]") + "i=0\n" + counted.replace("true", "[ $i -lt 63 ]")
    assert [kind for kind, *_ in problems(script)] == ["too-many-ways"]
    many = "".join(f"for x in {{1..60}}; do launch {n} $x; done\n" for n in range(10))
    assert [kind for kind, *_ in problems(many)] == ["too-many-ways"]
    assert problems(many.partition("launch 8")[0].rpartition("\n")[0] + "\n") == []


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ("for x in a b; { launch $x; }", ["a", "b"]),
        ("for x in a b\n{\n  launch $x\n} | cat && launch after", ["a", "b", "after"]),
        ("set -- a b; for x; { launch $x; } > log", ["a", "b"]),
        ("for ((i = 0; i < 2; i++)) { launch $i; }", ["0", "1"]),
        ("for ((i = 0; i < 2; i++)){ launch $i; break; }; launch end $i", ["0", "end 0"]),
        ("for((i=0;i<2;i++))do launch $i;done", ["0", "1"]),
        ("for x in a b; { for y in c d; { launch $x $y; }; }", ["a c", "a d", "b c", "b d"]),
        ("for x in a; { for y in c; do launch $x $y; done; { launch group; }; }", ["a c", "group"]),
        ("! for x in a; { launch $x; false; } && launch fails", ["a", "fails"]),
        ('f() for x in a "$@"; { launch $x; }\nf b', ["a", "b"]),
        ("if for x in a; { launch $x; }; then launch well; fi", ["a", "well"]),
        ("while { launch in; }; do launch body; break; done", ["in", "body"]),
        ("case x in x) for x in a; { launch $x; } ;; esac", ["a"]),
        ("X=$(for x in a; { echo $x; })\nfor x in b; { launch $x; }", ["b"]),
        ("for x # why\nin a # what\n{ launch $x; }", ["a"]),
    ],
)
def test_a_loop_in_braces_is_one_with_do_and_done(script: str, expected: list[str]) -> None:
    assert [" ".join(texts(one.words[1:])) for one in launches(script)] == expected
    assert read(script).problems == ()
    if BASH is not None:
        assert [" ".join(words) for words in run_in_bash(script, {})] == expected


def test_what_is_picked_in_braces_is_chosen_by_hand() -> None:
    [command] = launches("select x in a b; { launch $x; }")
    assert command.words[1].because == "$x is chosen by hand"
