"""Branches, loops and what they leave known."""

from __future__ import annotations

import pytest

from readers.python.reading import call, calls, given, read, shown, values, ways
from rlhflint.value import Unknown

HEAD = "import os, sys\nfrom trl import SFTConfig, SFTTrainer\n"


def test_a_branch_makes_two_ways() -> None:
    text = f"{HEAD}if args.lora:\n    lr = 1e-4\nelse:\n    lr = 1e-5\nSFTConfig(lr=lr)\n"
    assert ways(text) == {"args.lora is true": {"lr": 1e-4}, "args.lora is not true": {"lr": 1e-5}}


def test_a_ternary_makes_two_ways() -> None:
    assert ways(f"{HEAD}SFTConfig(lr=1 if fast else 2)\n") == {"fast is true": {"lr": 1}, "fast is not true": {"lr": 2}}


def test_an_elif_chain_makes_a_way_for_each_case() -> None:
    text = f"{HEAD}if mode == 'a': n = 1\nelif mode in ('b', 'c'): n = 2\nelse: n = 3\nSFTConfig(n=n)\n"
    assert ways(text) == {
        "mode is 'a'": {"n": 1},
        "mode is one of 'b', 'c'": {"n": 2},
        "mode is not 'a', mode is none of 'b', 'c'": {"n": 3},
    }


def test_match_makes_a_way_for_each_case() -> None:
    text = f"{HEAD}match mode:\n    case 'a': n = 1\n    case 'b' | 'c': n = 2\n    case other: n = 3\nSFTConfig(n=n)\n"
    assert [way["n"] for way in ways(text).values()] == [1, 2, 3]


def test_the_same_test_twice_agrees_with_itself() -> None:
    text = f"{HEAD}a = b = 0\nif args.lora: a = 1\nif not args.lora: b = 1\nSFTConfig(a=a, b=b)\n"
    assert list(ways(text).values()) == [{"a": 1, "b": 0}, {"a": 0, "b": 1}]


def test_two_values_of_one_thing_exclude_each_other() -> None:
    text = f"{HEAD}a = b = 0\nif mode == 'x': a = 1\nif mode == 'y': b = 1\nSFTConfig(a=a, b=b)\n"
    assert sorted((way["a"], way["b"]) for way in ways(text).values()) == [(0, 0), (0, 1), (1, 0)]


def test_both_names_for_a_test_agree() -> None:
    text = f"{HEAD}lora = args.lora\na = 1 if lora else 0\nb = 1 if args.lora else 0\nSFTConfig(a=a, b=b)\n"
    assert [(way["a"], way["b"]) for way in ways(text).values()] == [(1, 1), (0, 0)]


@pytest.mark.parametrize(
    "test", ["DEBUG", "DEBUG and load()", "not not DEBUG", "None", "'x' in {'y': 1}", "2 < 1", "[]"]
)
def test_a_branch_that_is_never_taken_is_not_read(test: str) -> None:
    assert values(f"{HEAD}DEBUG = False\nn = 1\nif {test}:\n    n = 2\n    SFTConfig(n=3)\nSFTConfig(n=n)\n") == {
        "n": 1
    }


@pytest.mark.parametrize("test", ["__name__ == '__main__'", "True", "SFTConfig is not None", "[1]", "len(os.sep) or 1"])
def test_a_branch_that_is_always_taken_is_no_choice(test: str) -> None:
    found = calls(f"{HEAD}if {test}:\n    SFTConfig(n=1)\n")
    assert [given(one) for one in found] == [{"n": 1}]


def test_a_call_in_a_branch_is_made_on_that_way() -> None:
    text = f"{HEAD}if fast:\n    SFTConfig(n=1)\nelse:\n    SFTConfig(n=2)\n"
    assert ways(text) == {"fast is true": {"n": 1}, "fast is not true": {"n": 2}}


def test_values_that_do_not_differ_make_no_ways() -> None:
    assert values(f"{HEAD}if fast: n = 1\nelse: n = 1\nSFTConfig(n=n)\n") == {"n": 1}


def test_branches_that_do_not_matter_make_no_ways() -> None:
    text = HEAD + "".join(f"if flag{n}: print({n})\nelse: other{n} = 1\n" for n in range(40)) + "SFTConfig(n=1)\n"
    assert values(text) == {"n": 1}


def test_more_ways_than_the_bound_are_reported_and_unknown() -> None:
    text = HEAD + "".join(f"x{n} = 1 if f{n} else 2\n" for n in range(9))
    text += f"SFTConfig({', '.join(f'x{n}=x{n}' for n in range(9))})\n"
    found = calls(text)
    assert len(found) == 64
    assert all(isinstance(one.arguments[-1].value, Unknown) for one in found)
    assert [problem.kind for problem in read(text).problems] == ["too-many-ways"]


def test_a_loop_over_literals_is_followed_round_by_round() -> None:
    text = f"{HEAD}for lr in (1e-5, 2e-5):\n    SFTConfig(lr=lr, out=f'out/{{lr}}')\n"
    assert ways(text) == {
        "lr is 1e-05": {"lr": 1e-5, "out": "out/1e-05"},
        "lr is 2e-05": {"lr": 2e-5, "out": "out/2e-05"},
    }
    assert all(choice.certain for one in calls(text) for choice in one.choices)


@pytest.mark.parametrize(
    ("loop", "expected"),
    [
        ("for a, b in [(1, 2), (3, 4)]:", [(1, 2), (3, 4)]),
        ("for a, b in zip((1, 3), (2, 4)):", [(1, 2), (3, 4)]),
        ("for a, b in enumerate([5, 6]):", [(0, 5), (1, 6)]),
        ("for a, b in {'x': 1}.items():", [("x", 1)]),
        ("b = 0\nfor a in range(2):", [(0, 0), (1, 0)]),
        ("b = 0\nfor a in {'x': 1, 'y': 2}:", [("x", 0), ("y", 0)]),
    ],
)
def test_loops_over_known_values(loop: str, expected: list[tuple[object, object]]) -> None:
    found = calls(f"{HEAD}{loop}\n    SFTConfig(a=a, b=b)\n")
    assert [tuple(given(one).values()) for one in found] == expected


@pytest.mark.parametrize(
    "loop", ["for n in load():", "for n in range(1000):", "while (n := load()):", "for n in [load()]:"]
)
def test_a_loop_over_other_values_is_read_once(loop: str) -> None:
    found = call(f"{HEAD}{loop}\n    SFTConfig(n=n, m=2)\n")
    assert isinstance(found.arguments[0].value, Unknown)
    assert shown(found.arguments[1]) == 2


def test_what_changes_in_a_loop_is_unknown_in_it_and_after_it() -> None:
    text = (
        f"{HEAD}n = 1\nm = 5\nd = {{'k': 1}}\nfor x in load():\n    SFTConfig(n=n, m=m, **d)\n"
        "    n += 1\n    d['k'] = n\n"
    )
    inside = call(text)
    assert isinstance(inside.arguments[0].value, Unknown)
    assert shown(inside.arguments[1]) == 5
    assert isinstance(inside.arguments[2].value, Unknown)
    after = call(text.replace("SFTConfig(n=n, m=m, **d)", "pass") + "SFTConfig(n=n, m=m, **d)\n")
    assert isinstance(after.arguments[0].value, Unknown)


def test_break_and_continue() -> None:
    text = f"{HEAD}for n in (1, 2, 3):\n    if n == 1: continue\n    SFTConfig(n=n)\n    break\nSFTTrainer(n=n)\n"
    assert values(text) == {"n": 2}
    assert values(text, "trl.SFTTrainer") == {"n": 2}


def test_an_early_return_leaves_the_rest_to_the_other_way() -> None:
    text = (
        f"{HEAD}def main():\n    n = 1\n    if args.quick:\n        n = 2\n        return\n    SFTConfig(n=n)\nmain()\n"
    )
    assert values(text) == {"n": 1}


def test_nothing_is_read_after_the_program_ends() -> None:
    assert calls(f"{HEAD}sys.exit(0)\nSFTConfig(n=1)\n") == []
    assert values(f"{HEAD}if len(sys.argv) < 2: sys.exit(1)\nSFTConfig(n=1)\n") == {"n": 1}


def test_a_try_that_fails_leaves_what_the_handler_says() -> None:
    text = f"{HEAD}try:\n    n = int(os.environ['N'])\nexcept KeyError:\n    n = 4\nSFTConfig(n=n)\n"
    found = calls(text)
    assert [isinstance(one.arguments[0].value, Unknown) for one in found] == [True, False]
    assert all(not one.guards for one in found)
