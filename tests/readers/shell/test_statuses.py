"""How loops, branches, groups, functions and shells end, and what is launched because of it."""

from __future__ import annotations

import pytest

from tests.readers.shell.test_against_bash import launches


def launched(script: str) -> list[str]:
    """The first argument of every launch, with ` ?` behind one that hangs on something."""
    read, _ = launches(script)
    return [one.words[1].text + (" ?" if any(not choice.certain for choice in one.choices) else "") for one in read]


ENDS = {
    "for i in; do false; done": True,
    "for i in a b; do [ $i = a ]; done": False,
    "for i in a b; do [ $i = b ]; done": True,
    "for i in a b; do false; continue; done": True,
    "for i in a b; do false; break; done": True,
    "for i in a b; do for j in c; do false; continue 2; done; done": True,
    "for ((i = 0; i < 2; i++)); do [ $i = 0 ]; done": False,
    "for ((i = 0; i < 0; i++)); do false; done": True,
    "while false; do false; done": True,
    "i=0; while [ $i -lt 2 ]; do i=$((i + 1)); [ $i = 1 ]; done": False,
    "i=0; until { i=$((i + 1)); [ $i -gt 2 ]; }; do [ $i = 2 ]; done": True,
    "if false; then false; fi": True,
    "if true; then false; fi": False,
    "if false; then :; elif false; then :; else false; fi": False,
    "case a in b) false;; esac": True,
    "case a in a) ;; esac": True,
    "case a in a) false;; esac": False,
    "! { false; true; }": False,
    "! for i in a; do false; done": True,
    "! true | false": True,
    "! ! true": True,
    "time true": True,
    "dirname a": True,
    "time false": False,
    "time ! false": True,
    "(false)": False,
    "(exit 3)": False,
    "(exit)": True,
    "(true; exit 0; false)": True,
    "true | false": False,
    "false | true": None,
    "a=b": True,
    "a=$(false)": False,
    "a=$(true) b=$(false)": False,
    "a=$(echo b)": True,
    "declare a=$(false)": True,
    "eval false": False,
    'false; eval ""': True,
    "f() { return 1; }; f": False,
    "f() { return 0; }; f": True,
    "f() { false; return; }; f": False,
    "f() { for i in a; do return 2; done; }; f": False,
    "f() { [ $1 = a ]; }; f a": True,
    "false; f() { :; }": True,
    "set -- a b; shift 3": False,
    "set -- a b; shift 2": True,
    "for i in a; do (break); false; done": False,
    "f() { break; }; for i in a b; do f; [ $i = a ]; done": False,
    "break": True,
    "some program": None,
}


@pytest.mark.parametrize("command", ENDS)
def test_how_a_command_ends(command: str) -> None:
    expected = {True: ["well"], False: ["badly"], None: ["well", "badly ?"]}[ENDS[command]]
    assert launched(f"if {{ {command}; }}; then launch well; else launch badly; fi\n") == expected
    either = ["well", "badly ?"] if ENDS[command] is not False else ["badly"]  # the launch may fail as well
    assert launched(f"{{ {command}; }} && launch well || launch badly\n") == either


def test_the_end_of_a_loop_hangs_on_what_its_last_round_hangs_on() -> None:
    then = "then launch well; else launch badly; fi"
    assert launched(f'if for i in a b; do [ "$E" = $i ]; done; {then}\n') == ["well ?", "badly ?"]
    branches = 'if [ -n "$E" ]; then for i in; do :; done; else (exit 1); fi'
    assert launched(f"if {branches}; {then}\n") == ["well ?", "badly ?"]


def test_a_condition_in_braces_is_not_taken_for_the_loop() -> None:
    assert launched("while { launch test; false; }; do launch inside; done\n") == ["test"]
    assert launched("i=0; until { [ $i = 1 ]; }; do launch inside; i=1; done\n") == ["inside"]


@pytest.mark.parametrize(
    "inner", ["{ launch a; }", "(launch a)", "if launch a; then :; fi", "for i in x; do launch a; done"]
)
def test_what_stands_behind_an_exclamation_mark_is_read(inner: str) -> None:
    assert launched(f"! {inner}\nlaunch b\n") == ["a", "b"]


def test_a_loop_that_is_left_by_way_of_a_function_goes_on() -> None:
    assert launched("f() { break; }\nfor i in a b; do f; launch $i; done\n") == ["a", "b"]


def test_what_follows_the_expected_end_of_a_script_is_not_certain() -> None:
    assert launched("program && exit\nlaunch a\n") == ["a ?"]
    assert launched("program || exit 1\nlaunch a\n") == ["a"]


def test_a_default_behind_a_substitution_that_may_fail() -> None:
    assert launched("N=$(nvidia-smi -L | wc -l) || N=8\nlaunch $N\n") == ["\U0010fffd ?", "8 ?"]


ENDED = {
    "{ launch a && { launch b; exit; }; } || launch c; launch d": ["a", "b", "c ?", "d ?"],
    "f() { launch a && exit; }; f; launch b": ["a", "b ?"],
    "f() { launch a && exit; }; for i in 1; do f; launch b; done; launch c": ["a", "b ?", "c ?"],
    "f() { if launch a; then launch b; exit; fi; }; f || launch c; launch d": ["a", "b", "d ?"],
    "launch a && exit; if launch b; then exit; fi; launch c": ["a", "b ?", "c ?"],
    "launch a; if for i in 1; do exit; done; then launch b; fi; launch c": ["a"],
    # what ends is a function, a loop or another shell, or does no more than complain
    "f() { launch a && return; launch b; }; f; launch c": ["a", "b ?", "c"],
    "for i in 1 2; do launch a && break; done; launch b": ["a", "b"],
    "(launch a && exit); launch b": ["a", "b"],
    "bash -c 'launch a && exit'; launch b": ["a", "b"],
    '{ [ -n "$1" ] || { echo usage; exit; }; } && launch a': ["a"],
}


@pytest.mark.parametrize("script", ENDED)
def test_what_is_reached_because_the_script_did_not_end_hangs_on_that(script: str) -> None:
    assert list(dict.fromkeys(launched(script))) == ENDED[script]
