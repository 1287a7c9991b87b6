"""Conditions: which ways lead to a command, and which of them make a difference."""

from __future__ import annotations

import pytest

from tests.readers.shell.reading import launch, launches, read, shown, ways


@pytest.mark.parametrize(
    ("test", "holds"),
    [
        ('[ "$A" = x ]', True),
        ('[ "$A" == x ]', True),
        ("[[ $A != x ]]", False),
        ("[[ $A == ?* ]]", True),
        ("[[ $A == [a-w] ]]", False),
        ('[[ $A == "*" ]]', False),
        ("[[ $A =~ ^x$ ]]", True),
        ("[[ abc < abd ]]", True),
        ('[ -z "$A" ]', False),
        ("[ -n $E ]", True),
        ('[ -n "$E" ]', False),
        ("[[ -v A && ! -v U0 ]] || [ 1 ]", True),
        ("[ $N -eq 3 -a $N -lt 4 ]", True),
        ("[ $N -gt 3 -o $A = y ]", False),
        ("[ ! $N -ge 4 ]", True),
        ("[ \\( $N -le 3 \\) ]", True),
        ("test $N -ne 3", False),
        ("[[ ($N -eq 3 || $A == y) && -n $A ]]", True),
        ("((N > 2 && N % 2))", True),
        ("! ((N))", False),
        ("true && ! false", True),
        ("{ [ $A = x ]; }", True),
        ("[ a b c d ]", False),
        ("[ ]", False),
        ("[[ $A = x && $N -eq 4 ]]", False),
    ],
)
def test_a_condition_that_is_known_leaves_one_way(test: str, holds: bool) -> None:
    script = f"A=x E= N=3\nif {test}; then launch yes; else launch no; fi\n{test} && launch and\n{test} || launch or\n"
    wanted = ["yes", "and"] if holds else ["no", "or"]
    assert [shown(command.words[1]) for command in launches(script)] == wanted
    assert all(command.choices == () for command in launches(script))


@pytest.mark.parametrize(
    ("test", "yes", "no"),
    [
        ("[[ $MODE == lora ]]", "MODE is lora", "MODE is not lora"),
        ('[ "$MODE" != lora ]', "MODE is not lora", "MODE is lora"),
        ('[ lora = "$MODE" ]', "MODE is lora", "MODE is not lora"),
        ('[[ ${1} == "slurm" ]]', "$1 is slurm", "$1 is not slurm"),
        ('[ "${PACK:-1}" = 1 ]', "PACK is 1", "PACK is not 1"),
        ('[ -n "$X" ]', "X is set", "X is not set"),
        ('[ -z "${X:-}" ]', "X is not set", "X is set"),
        ('[ "$X" ]', "X is set", "X is not set"),
        ('[ "$X" = "" ]', "X is not set", "X is set"),
        ("[[ -v X ]]", "X is set", "X is not set"),
        ("[[ $X == a* ]]", "X matches a*", "not (X matches a*)"),
        ("[[ $X =~ ^a ]]", "X matches ^a", "not (X matches ^a)"),
        ("[ $N -gt 1 ]", "N is greater than 1", "not (N is greater than 1)"),
        ("[ $N -eq 1 ]", "N is 1", "N is not 1"),
        ("[ $# -ne 2 ]", "$# is not 2", "$# is 2"),
        ("[ -f data.jsonl ]", "data.jsonl exists", "data.jsonl does not exist"),
        ('[ -d "$OUT/x" ]', '"$OUT/x" is a folder', 'not ("$OUT/x" is a folder)'),
        ("((N > 1))", "N > 1", "not (N > 1)"),
        ("grep -q x f", "`grep -q x f` succeeds", "`grep -q x f` fails"),
        ("! command -v uv", "`command -v uv` fails", "`command -v uv` succeeds"),
        ("[[ $X == $Y ]]", "X is Y", "not (X is Y)"),
        ("[[ $X == a || $Y == b ]]", "`[[ $X == a || $Y == b ]]` holds", "X is not a and Y is not b"),
    ],
)
def test_a_condition_that_is_not_known_leaves_both_ways(test: str, yes: str, no: str) -> None:
    found = ways(f"if {test}; then A=1; else A=2; fi\nlaunch $A\n")
    assert found == {yes: "1", no: "2"}


def test_both_sides_of_a_condition_with_two_parts() -> None:
    script = "if [[ $X == a && $Y == b ]]; then launch 1; else launch 2; fi\n"
    assert ways(script) == {"X is a and Y is b": "1", "not (`[[ $X == a && $Y == b ]]` holds)": "2"}


def test_choices_that_change_nothing_are_not_told() -> None:
    script = """
if [ -z "$LOG" ]; then LOG=x; else LOG=y; fi
[ -f setup ] && ./setup
if [[ $MODE == lora ]]; then ARGS=(--lora); else ARGS=(); fi
launch "${ARGS[@]}"
"""
    assert ways(script) == {"MODE is lora": "--lora", "MODE is not lora": ""}


def test_the_same_test_has_one_answer() -> None:
    script = """
if [[ $MODE == lora ]]; then A=1; else A=2; fi
if [ "$MODE" != "lora" ]; then B=2; else B=1; fi
case $MODE in lora) C=1 ;; *) C=2 ;; esac
[ "$MODE" = lora ] && D=1 || D=2
launch $A $B $C $D
"""
    assert ways(script) == {"MODE is lora": "1 1 1 1", "MODE is not lora": "2 2 2 2"}


def test_a_word_that_is_one_thing_is_no_other() -> None:
    script = """
case "$1" in
  sft) A=1 ;;
  rm|reward) A=2 ;;
  *) A=3 ;;
esac
[[ $1 == sft ]] && B=sft
[[ $1 == dpo ]] && C=dpo
[[ -z $1 ]] && D=none
launch $A "$B" "$C" "$D"
"""
    assert sorted(ways(script).values()) == [
        "1 sft <?> <?>",
        "2 <?> <?> <?>",
        "3 <?> <?> <?>",
        "3 <?> <?> none",
        "3 <?> dpo <?>",
    ]
    assert set(ways(script)) >= {"$1 is sft", "$1 is dpo"}


def test_a_test_of_what_has_changed_is_another_test() -> None:
    script = '[[ $X == a ]] && A=1\nX=$2\n[[ $X == a ]] && B=1\nlaunch "$A" "$B"\n'
    assert len(launches(script)) == 4


def test_a_choice_inside_a_word() -> None:
    script = 'launch ${RESUME:+--load} ${KEY:+--key "$KEY"} end\n'
    assert ways(script) == {
        "RESUME is set and KEY is set": "--load --key <?> end",
        "RESUME is set and KEY is not set": "--load end",
        "RESUME is not set and KEY is set": "--key <?> end",
        "RESUME is not set and KEY is not set": "end",
    }


def test_the_way_that_ends_the_script_leaves_no_choice_behind() -> None:
    script = """
usage() { echo "usage: $0 DATA"; exit 2; }
[ $# -eq 1 ] || usage
if [ -z "$MODEL" ]; then echo missing; exit 1; fi
cd data || exit 1
launch "$1"
"""
    assert launch(script).choices == ()


def test_an_alternative_that_launches_and_ends_is_a_choice() -> None:
    script = "if [[ $1 == slurm ]]; then\n  launch a\n  exit\nfi\nlaunch b\n"
    assert ways(script) == {"$1 is slurm": "a", "$1 is not slurm": "b"}


def test_what_runs_if_another_command_fails() -> None:
    script = "launch a || launch b\nlaunch c && launch d\nmake; launch e\n"
    assert ways(script)["`launch a` fails"] == "b"
    assert [command.choices for command in launches(script) if command.words[1].text in "acde"] == [(), (), (), ()]


def test_the_environment_of_a_command_can_be_a_choice() -> None:
    script = 'if [ -n "$FAST" ]; then export GPUS=8; else export GPUS=1; fi\nlaunch\n'
    found = {command.choices[0].taken: command.exported["GPUS"].text for command in launches(script)}
    assert found == {"FAST is set": "8", "FAST is not set": "1"}


def test_what_a_subshell_changes_stays_there() -> None:
    script = "A=1\n(A=2; launch $A)\n{ A=3; }\necho | A=4\nA=5 &\nlaunch $A\n"
    assert [shown(command.words[1]) for command in launches(script)] == ["2", "3"]


def test_at_most_64_ways_are_followed() -> None:
    script = "".join(f'[ -n "$X{n}" ] && A+=(--x{n})\n' for n in range(8)) + 'launch "${A[@]}"\n'
    found = read(script)
    commands = [command for command in found.commands if command.words[0].text == "launch"]
    assert 32 <= len(commands) <= 64
    assert [problem.kind for problem in found.problems] == ["too-many-ways"]
    seen = {word.text for command in commands for word in command.words}
    assert {f"--x{n}" for n in range(8)} <= seen


def test_conditions_that_do_not_meet_do_not_multiply() -> None:
    script = "".join(f'if [ -n "$X{n}" ]; then A{n}=1; else A{n}=2; fi\nlaunch $A{n}\n' for n in range(40))
    assert len(launches(script)) == 80
    assert read(script).problems == ()


def test_the_place_of_a_choice_is_its_test() -> None:
    script = "if [[ $MODE == lora ]]; then launch; fi\n"
    [choice] = launch(script).choices
    assert script[choice.span.start : choice.span.end] == "[[ $MODE == lora ]]"
    assert not choice.certain


def test_no_condition_is_told_where_not_all_ways_were_followed() -> None:
    appends = "".join(f'[ -n "$V{n}" ] && A+=(--x{n})\n' for n in range(9))
    found = launches(f'A=()\n{appends}launch "${{A[@]}}"\nlaunch\n')
    assert {command.partial for command in found} == {True}
    assert {command.choices for command in found} == {()}
    few = launches(f'A=()\n{appends[: len(appends) // 9 * 2]}launch "${{A[@]}}"\n')
    assert [command.partial for command in few] == [False] * 4
    assert all(command.choices for command in few)


def test_many_independent_conditions_hide_no_command_behind_them() -> None:
    appends = "".join(f'if [ -n "$V{n}" ]; then A+=(--x{n}); fi\n' for n in range(36))
    assert len(launches(f"A=()\n{appends}launch\n")) == 1
