"""Arguments taken out of calls and added to them: how the call is written then, and that nothing else changes."""

from __future__ import annotations

import ast
import re

import pytest

from rlhflint.fixing.doubt import Doubt
from rlhflint.fixing.python import Inserted, Named, Removed
from rlhflint.text import Span

from .calls import appended, argument, call, calls, changed, inserted, removed, span


@pytest.mark.parametrize(
    ("before", "name", "after"),
    [
        ("f(a=1, b=2, c=3)", "a", "f(b=2, c=3)"),
        ("f(a=1, b=2, c=3)", "b", "f(a=1, c=3)"),
        ("f(a=1, b=2, c=3)", "c", "f(a=1, b=2)"),
        ("f(a=1)", "a", "f()"),
        ("f( a=1 )", "a", "f()"),
        ("f( a=1, b=2 )", "b", "f( a=1 )"),
        ("f( a=1, b=2 )", "a", "f( b=2 )"),
        ("f(a=1, b=2,)", "b", "f(a=1,)"),
        ("f(a = 1 , b=2)", "a", "f(b=2)"),
        ("f(x, y, b=2)", "x", "f(y, b=2)"),
        ("f(x, (y), b=2)", "y", "f(x, b=2)"),
        ("f(x, *rest, b=2, **more)", "b", "f(x, *rest, **more)"),
        ("f(b=2, **more)", "b", "f(**more)"),
        ("f(a=(1), b=2)", "a", "f(b=2)"),
        ("f(a=g(b=1, c=2), d=3)", "b", "f(a=g(c=2), d=3)"),
        ("f(a=g(b=1, c=2), d=3)", "a", "f(d=3)"),
        ("f(a=lambda x: (x, 1), b=')')", "a", "f(b=')')"),
        ("größe = f(a='ä', b='ö', c='ü')", "b", "größe = f(a='ä', c='ü')"),
        ("f(**{'a': 1, 'b': 2})", "a", "f(**{'b': 2})"),
        ("f(**{'a': 1, 'b': (2)})", "b", "f(**{'a': 1})"),
        ("f(**{'a': 1})", "a", "f(**{})"),
        ("x = 1; f(a=1, b=2); y = 2", "a", "x = 1; f(b=2); y = 2"),
    ],
)
def test_an_argument_taken_out_of_one_line(before: str, name: str, after: str) -> None:
    assert removed(before, name) == after
    assert removed(f"{before}\n", name) == f"{after}\n"


@pytest.mark.parametrize(
    ("before", "name", "after"),
    [
        ("f(\n    a=1,\n    b=2,\n    c=3,\n)", "a", "f(\n    b=2,\n    c=3,\n)"),
        ("f(\n    a=1,\n    b=2,\n    c=3,\n)", "b", "f(\n    a=1,\n    c=3,\n)"),
        ("f(\n    a=1,\n    b=2,\n    c=3,\n)", "c", "f(\n    a=1,\n    b=2,\n)"),
        ("f(\n    a=1,\n    b=2\n)", "b", "f(\n    a=1\n)"),
        ("f(\n    a=1,\n)", "a", "f()"),
        ("f(a=1,\n  b=2,\n  c=3)", "a", "f(b=2,\n  c=3)"),
        ("f(a=1,\n  b=2,\n  c=3)", "b", "f(a=1,\n  c=3)"),
        ("f(a=1,\n  b=2,\n  c=3)", "c", "f(a=1,\n  b=2)"),
        ("f(\n    a=1, b=2,\n    c=3, d=4,\n)", "b", "f(\n    a=1,\n    c=3, d=4,\n)"),
        ("f(\n    a=1, b=2,\n    c=3, d=4,\n)", "c", "f(\n    a=1, b=2,\n    d=4,\n)"),
        ("f(a=1, \\\n  b=2)", "a", "f(b=2)"),
        ("f(a=1, \\\n  b=2, c=3)", "b", "f(a=1, \\\n  c=3)"),
        ("f(a=1\n  , b=2\n  , c=3)", "a", "f(b=2\n  , c=3)"),
        ("f(a=1\n  , b=2\n  , c=3)", "b", "f(a=1\n  , c=3)"),
        ("f(a=1\n  , b=2\n  , c=3)", "c", "f(a=1\n  , b=2)"),
        ("f(\n    a=[\n        1,\n    ],\n    b=2,\n)", "a", "f(\n    b=2,\n)"),
        ("if x:\n\tf(\n\t\ta=1,\n\t\tb=2,\n\t)", "a", "if x:\n\tf(\n\t\tb=2,\n\t)"),
        ("f(\r\n    a=1,\r\n    b=2,\r\n)", "a", "f(\r\n    b=2,\r\n)"),
        ("f(\n\n    a=1,\n\n    b=2,\n\n    c=3,\n)", "b", "f(\n\n    a=1,\n\n    c=3,\n)"),
        ("f(\n    a=1,\n\n    b=2,\n)", "b", "f(\n    a=1,\n)"),
        ("f(\n    a=1,\n\n    b=2,\n)", "a", "f(\n    b=2,\n)"),
        ("f(**{\n    'a': 1,\n    'b': 2,\n})", "b", "f(**{\n    'a': 1,\n})"),
    ],
)
def test_an_argument_taken_out_of_several_lines(before: str, name: str, after: str) -> None:
    assert removed(before, name) == after
    assert removed(f"# ä\n{before}\n", name) == f"# ä\n{after}\n"


@pytest.mark.parametrize(
    ("before", "name", "after"),
    [
        ("f(\n    a=1,  # one\n    b=2,  # two\n)", "a", "f(\n    # one\n    b=2,  # two\n)"),
        ("f(\n    a=1,  # one\n    b=2,  # two\n)", "b", "f(\n    a=1,  # one\n    # two\n)"),
        ("f(\n    a=1  # one\n)", "a", "f(\n    # one\n)"),
        ("f(\n    # above\n    a=1,\n    b=2,\n)", "a", "f(\n    # above\n    b=2,\n)"),
        ("f(\n    a=1,\n    # above\n    b=2,\n)", "b", "f(\n    a=1,\n    # above\n)"),
        ("f(a=1, b=2,  # two\n  c=3)", "b", "f(a=1,  # two\n  c=3)"),
        ("f(a=1,  # one\n  b=2)", "a", "f(  # one\n  b=2)"),
        ("f(a=1,  # one\n  b=2)", "b", "f(a=1  # one\n  )"),
        ("f(a=1  # one\n  , b=2)", "b", "f(a=1  # one\n  )"),
        ("f(a=1  # one\n  , b=2)", "a", "f(  # one\n    b=2)"),
        (
            "f(\n    a=1,\n    b=[\n        1,  # in\n    ],  # behind\n    c=3,\n)",
            "b",
            "f(\n    a=1,\n    # in\n    # behind\n    c=3,\n)",
        ),
        ("f(a=1, b=[1,  # in\n  2], c=3)", "b", "f(a=1,  # in\n    c=3)"),
        (
            "f(\n    a=1,  # one\n\n    # group\n    b=2,\n\n    c=3,\n)",
            "b",
            "f(\n    a=1,  # one\n\n    # group\n\n    c=3,\n)",
        ),
        (
            "def g():\n    f(\n        a=1,  # one\n        b=2,\n    )",
            "a",
            "def g():\n    f(\n        # one\n        b=2,\n    )",
        ),
    ],
)
def test_comments_stay(before: str, name: str, after: str) -> None:
    assert removed(before, name) == after


@pytest.mark.parametrize(
    ("before", "name", "after"),
    [
        ("f(\n    a=1,\n    b=2,\n\n    # x\n)", "b", "f(\n    a=1,\n\n    # x\n)"),
        ("f(\n\n    a=1,\n    # x\n    b=2,\n)", "a", "f(\n\n    # x\n    b=2,\n)"),
        ("f(\n    a=1,\n    b=2,\n    # x\n\n)", "b", "f(\n    a=1,\n    # x\n\n)"),
        ("f(\n    a=1,\n    # x\n    b=2,\n\n)", "b", "f(\n    a=1,\n    # x\n\n)"),
        ("f(a=1,  # one\n\n  b=2)", "a", "f(  # one\n  b=2)"),
    ],
)
def test_empty_lines_that_set_others_apart_stay(before: str, name: str, after: str) -> None:
    assert removed(before, name) == after


def test_several_arguments_at_once() -> None:
    assert removed("f(a=1, b=2, c=3)", "a", "b", "c") == "f()"
    assert removed("f(a=1, b=2, c=3)", "c", "a") == "f(b=2)"
    text = "f(\n    a=1,  # one\n    b=2,  # two\n    c=3,  # three\n)\n"
    assert removed(text, "a", "b") == "f(\n    # one\n    # two\n    c=3,  # three\n)\n"
    assert removed(text, "b", "c") == "f(\n    a=1,  # one\n    # two\n    # three\n)\n"
    assert removed(text, "a", "b", "c") == "f(\n    # one\n    # two\n    # three\n)\n"
    assert removed("f(a=g(b=1), c=2)", "b", "c") == "f(a=g())"


def test_the_comments_of_a_value_that_is_moved_are_not_left_behind() -> None:
    text = "f(\n    a=[\n        1,  # in\n    ],  # behind\n    b=2,\n)"
    assert removed(text, "a", moved=True) == "f(\n    # behind\n    b=2,\n)"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("f(a=1, b=2)", "f(a=1, n=9, b=2)"),
        ("f(a=1)", "f(a=1, n=9)"),
        ("f(a=1,)", "f(a=1, n=9,)"),
        ("f(\n    a=1,\n    b=2,\n)", "f(\n    a=1,\n    n=9,\n    b=2,\n)"),
        ("f(\n    a=1  # one\n)", "f(\n    a=1,  # one\n    n=9\n)"),
        ("f(\n    a=1,  # one\n    # two\n    b=2,\n)", "f(\n    a=1,  # one\n    n=9,\n    # two\n    b=2,\n)"),
        ("f(a=1,  # one\n  b=2)", "f(a=1, n=9,  # one\n  b=2)"),
        ("f(x=0,\n  a=1)", "f(x=0,\n  a=1,\n  n=9)"),
        ("f(a=1, *rest)", "f(a=1, n=9, *rest)"),
        ("f(\n    a=1)", "f(\n    a=1, n=9)"),
        ("f(**{'a': 1, 'b': 2})", "f(**{'a': 1, 'n': 9, 'b': 2})"),
        ('f(**{\n    "a": 1,\n})', 'f(**{\n    "a": 1,\n    "n": 9,\n})'),
        ("f(\r\n    a=1,\r\n    b=2\r\n)", "f(\r\n    a=1,\r\n    n=9,\r\n    b=2\r\n)"),
    ],
)
def test_an_argument_written_behind_another_one(before: str, after: str) -> None:
    assert inserted(before, "a", ("n", "9")) == after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("f()", "f(m=8, n=9)"),
        ("f(x)", "f(x, m=8, n=9)"),
        ("f(**more)", "f(**more, m=8, n=9)"),
        ("f(\n    a=1,\n    # the end\n)", "f(\n    a=1,\n    # the end\n    m=8,\n    n=9,\n)"),
        ("f(\n    a=1, b=2\n)", "f(\n    a=1, b=2, m=8, n=9\n)"),
        ("f(a=1,\n  b=2)", "f(a=1,\n  b=2,\n  m=8,\n  n=9)"),
    ],
)
def test_arguments_at_the_end_of_a_call(before: str, after: str) -> None:
    assert appended(before, "f", ("m", "8"), ("n", "9")) == after


def test_a_value_of_several_lines_keeps_them_however_deep_the_call_is() -> None:
    value = "[\n    1,  # one\n  2\n]"
    text = "class A:\n    def f(self):\n        return g(\n            a=1,\n        )\n"
    assert appended(text, "g", ("n", value)) == text.replace("a=1,\n", f"a=1,\n            n={value},\n")


def test_empty_lines_in_a_value_stay_empty() -> None:
    value = "[\n    1,\n\n    # two\n    2,\n]"
    text = "def f():\n    return g(a=1)\n"
    assert appended(text, "g", ("n", value)) == text.replace("a=1", f"a=1, n={value}")


@pytest.mark.parametrize("value", ["1, 2", "1, b=2", "x := 1)", "", "*a", "for"])
def test_what_is_no_value_is_not_written(value: str) -> None:
    with pytest.raises(Doubt):
        appended("f(a=1)", "f", ("n", value))


def test_nothing_follows_a_generator_without_brackets() -> None:
    with pytest.raises(Doubt):
        appended("f(x for x in y)", "f", ("n", "9"))
    assert appended("f((x for x in y))", "f", ("n", "9")) == "f((x for x in y), n=9)"


def test_blanks_around_the_sign_are_those_of_the_other_arguments() -> None:
    assert appended("f(a = 1, b =2)", "f", ("n", "9")) == "f(a = 1, b =2, n =9)"
    assert appended("f(\n    a = 1,\n)", "f", ("n", "9")) == "f(\n    a = 1,\n    n = 9,\n)"
    assert appended("f(x)", "f", ("n", "9")) == "f(x, n=9)"
    assert appended("f(a = 1, b\n  =2)", "f", ("n", "9")) == "f(a = 1, b\n  =2, n = 9)"
    assert appended("f(a = 1, b=\n  2)", "f", ("n", "9")) == "f(a = 1, b=\n  2, n = 9)"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("f(x, y, (z))", "f(x, a=y, b=(z))"),
        ("f(x, (y, 1), g(y, 1)[0], c=3)", "f(x, a=(y, 1), b=g(y, 1)[0], c=3)"),
        ("f(\n    x,\n    y,  # two\n    *z,\n    g(y),\n)", "f(\n    x,\n    a=y,  # two\n    *z,\n    b=g(y),\n)"),
    ],
)
def test_arguments_without_names_get_them(before: str, after: str) -> None:
    values = [one for one in next(calls(before)).args if not isinstance(one, ast.Starred)]
    named = [Named(span(before, one), name) for one, name in zip(values[1:], "ab", strict=True)]
    assert changed(before, *named) == after


def test_an_argument_gets_its_name_where_the_one_before_it_goes() -> None:
    text = "f(x, None, None, y)"
    two, three, four = next(calls(text)).args[1:]
    made = changed(text, Removed(span(text, two)), Named(span(text, three), "a"), Named(span(text, four), "b"))
    assert made == "f(x, a=None, b=y)"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            "f(\n    a=1,\n)\ng(\n    b=2,  # two\n    c=3,\n)",
            "f(\n    a=1,\n    b=2,  # two\n)\ng(\n    c=3,\n)",
        ),
        ("f(\n    a=1\n)\ng(\n    b=2  # two\n)", "f(\n    a=1,\n    b=2  # two\n)\ng()"),
        (
            "f(\n    a=1,  # one\n)\ng(\n    # above\n    b=2,  # two\n    c=3,\n)",
            "f(\n    a=1,  # one\n    b=2,  # two\n)\ng(\n    # above\n    c=3,\n)",
        ),
        ("f(a=1)\ng(\n    b=2,  # two\n    c=3,\n)", "f(a=1, b=2)\ng(\n    # two\n    c=3,\n)"),
        ("f(\n    a=1,\n)\ng(b=2,  # two\n  c=3)", "f(\n    a=1,\n    b=2,\n)\ng(  # two\n  c=3)"),
        ("f(\n    a=1,\n)\ng(\n    c=3, b=2,  # both\n)", "f(\n    a=1,\n    b=2,\n)\ng(\n    c=3,  # both\n)"),
        (
            "g(\n    f(\n        a=1,\n    ),\n    b=2,  # two\n)",
            "g(\n    f(\n        a=1,\n        b=2,  # two\n    ),\n)",
        ),
    ],
)
def test_the_comment_of_an_argument_that_is_moved_comes_along(before: str, after: str) -> None:
    own = argument(before, "b")
    changes = (Removed(own, moved=True), Inserted(call(before, "f"), "b", "2", last=True, moved=own))
    assert changed(before, *changes) == after


@pytest.mark.parametrize("deep", ["x and " * 20_000 + "x", "x" + ".z" * 900, "not " * 900 + "x"])
def test_a_text_that_is_too_deep_is_left_alone(deep: str) -> None:
    text = f"f(a=1, b={deep})\n"
    with pytest.raises(Doubt):
        changed(text, Removed(Span("train.py", 2, 5)))


def test_the_comment_of_a_key_that_becomes_an_argument_comes_along() -> None:
    text = "f(\n    a=1,\n)\ng(**{\n    'b': 2,  # two\n    'c': 3,\n})"
    own = argument(text, "b")
    made = changed(text, Removed(own, moved=True), Inserted(call(text, "f"), "b", "2", last=True, moved=own))
    assert made == "f(\n    a=1,\n    b=2,  # two\n)\ng(**{\n    'c': 3,\n})"


@pytest.mark.parametrize("other", ["x = " + "x and " * 3_000 + "x\n", "x = g(" + "not " * 60 + "x)\n", "# é\r\n" * 3])
def test_what_stands_around_a_call_is_not_taken_apart(other: str) -> None:
    text = f"{other}y = f(a=1, b=2)\n{other}"
    assert changed(text, Removed(argument(text, "a"))) == f"{other}y = f(b=2)\n{other}"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("y = g(h(a=1, b=2), {'c': f(a=1)})\n", "y = g(h(b=2), {'c': f()})\n"),
        ("(x\n  .f(a=1)\n  .g(a=1))\n", "(x\n  .f()\n  .g())\n"),
        ("é = 'ü', f(a=1, ß='ü')\n", "é = 'ü', f(ß='ü')\n"),
        ("\ufefff(a=1)\nf(\n    a=1,\n    b=2,\n)\n", "\ufefff()\nf(\n    b=2,\n)\n"),
        ("@f(a=1)\ndef h(x=f(a=1), y=1): ...\n", "@f()\ndef h(x=f(), y=1): ...\n"),
        ("if x:\r\n\tf(\r\n\t\ta=1,\r\n\t\tb=2,\r\n\t)\r\n", "if x:\r\n\tf(\r\n\t\tb=2,\r\n\t)\r\n"),
    ],
)
def test_calls_are_changed_wherever_they_stand(before: str, after: str) -> None:
    places = [match.start() for match in re.finditer("a=1", before)]
    assert changed(before, *(Removed(Span("train.py", place, place + 3)) for place in places)) == after
