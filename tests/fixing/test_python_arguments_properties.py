"""Calls made up at random, some of whose arguments are taken out, and to which others are added."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from hypothesis import given
from hypothesis import strategies as st

from .calls import appended, comments, inserted, removed

BLANKS = ["", "", " ", "  ", "\t", "\n    ", "\n  ", "\n\n    ", " \\\n  "]
REMARKS = ["  # {}\n    ", " # {}\n", "\n    # {}\n    ", "\n\n  # {}\n\n  # ä {}\n\t"]
VALUES = [
    "1",
    "'ä)'",
    "g(1, k=2)",
    "[\n  1,\n  2\n]",
    "(3)",
    "{'k': 1}",
    "lambda x: (x, 1)",
    "x if y else z",
    "1 +\n 2",
]
AROUND = [
    "{}\n",
    "before = 1\n{}\nafter = 2  # behind\n",
    "x = 1; {}; y = 2",
    "def h():\n\tif x:\n\t\t{}\n\treturn 1\n",
]


@dataclass
class Made:
    """A call in a text, its name `f`; `names` are those of its keyword arguments."""

    text: str
    names: list[str]


@st.composite
def blanks(draw: st.DrawFn) -> str:
    chosen = draw(st.sampled_from([*BLANKS, *BLANKS, *REMARKS]))
    return chosen.replace("{}", f"c{draw(st.integers(0, 99))}")


@st.composite
def made(draw: st.DrawFn) -> Made:
    positions = draw(st.lists(st.sampled_from(["x", "y.z", "'p'", "*rest"]), max_size=2))
    names = [f"a{number}" for number in range(draw(st.integers(1, 5)))]
    keywords = [f"{name}{draw(st.sampled_from(['=', ' = ']))}{draw(st.sampled_from(VALUES))}" for name in names]
    items = [*positions, *keywords, *draw(st.sampled_from([[], ["**more"]]))]
    parts = ["f(", draw(blanks())]
    for number, item in enumerate(items):
        parts += [item, draw(blanks())]
        if number < len(items) - 1 or draw(st.booleans()):
            parts += [",", draw(blanks())]
    text = draw(st.sampled_from(AROUND)).replace("{}", "".join([*parts, ")"]))
    return Made(text.replace("\n", draw(st.sampled_from(["\n", "\r\n"]))), names)


def called(text: str) -> ast.Call:
    """The call of `f` in a text."""
    nodes = ast.walk(ast.parse(text))
    return next(one for one in nodes if isinstance(one, ast.Call) and ast.unparse(one.func) == "f")


def said(text: str) -> list[str]:
    """The arguments of the call of `f`."""
    return [ast.dump(one) for one in (*called(text).args, *called(text).keywords)]


def outside(text: str) -> tuple[str, str]:
    """What stands around the call of `f`, whatever ends its lines."""
    text = text.replace("\r\n", "\n")
    before, _, rest = text.partition("f(")
    call = ast.get_source_segment(text, called(text))
    assert call is not None
    return before, rest[len(call) - 2 :]


@given(made(), st.data())
def test_arguments_that_are_taken_out(one: Made, data: st.DataObject) -> None:
    names = data.draw(st.lists(st.sampled_from(one.names), min_size=1, unique=True))
    after = removed(one.text, *names)
    gone = {ast.dump(keyword) for keyword in called(one.text).keywords if keyword.arg in names}
    assert said(after) == [argument for argument in said(one.text) if argument not in gone]
    assert comments(after) == comments(one.text)
    assert outside(after) == outside(one.text)
    assert after.count("\r\n") == after.count("\n") or "\r" not in one.text
    rest = [name for name in one.names if name not in names]
    assert said(removed(after, *rest)) == said(removed(one.text, *one.names))


@given(made(), st.data())
def test_one_after_the_other_is_the_same_as_all_at_once(one: Made, data: st.DataObject) -> None:
    names = data.draw(st.lists(st.sampled_from(one.names), min_size=1, max_size=2, unique=True))
    step = one.text
    for name in names:
        step = removed(step, name)
    assert said(step) == said(removed(one.text, *names))
    assert comments(step) == comments(one.text)


@given(made(), st.data())
def test_arguments_that_are_added(one: Made, data: st.DataObject) -> None:
    value = data.draw(st.sampled_from(VALUES))
    new = ast.dump(called(f"f(n={value})").keywords[0])
    anchor = data.draw(st.sampled_from(one.names))
    for after in (appended(one.text, "f", ("n", value)), inserted(one.text, anchor, ("n", value))):
        assert sorted(said(after)) == sorted([*said(one.text), new])
        assert [argument for argument in said(after) if argument != new] == said(one.text)
        assert comments(after) == comments(one.text)
        assert outside(after) == outside(one.text)
        assert said(removed(after, "n")) == said(one.text)
