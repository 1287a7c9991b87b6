"""Files that cannot be read are a problem with a place; nothing makes the reader fall over or hang."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from readers.python.reading import call, read
from rlhflint.text import Span
from rlhflint.value import Unknown

HEAD = "from trl import SFTConfig\n"


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("x = (1,\n", "("),
        ("print 'x'\n", "print"),
        ("é = 1; x = ) \n", ")"),
        ("if True:\nx = 1\n", "x"),
        ("x = 'abc\n", "'abc"),
        ("\tx = 1\n", "x"),
        ("x = 1 +\r\n", "\r"),
    ],
)
def test_a_syntax_error_has_its_place(text: str, at: str) -> None:
    text = HEAD + "# 长 😀\r\n" + text
    (problem,) = read(text).problems
    assert problem.kind == "syntax"
    assert "Python 3." in problem.message
    line = text.count("\n", 0, text.index(at, len(HEAD) + 6))
    assert text.count("\n", 0, problem.span.start) in (line, line + 1)
    assert len(problem.span) == 1


@pytest.mark.parametrize("text", ["x = 1\0", "x = '\ud800'", "\0" * 10, "x = \x1b", "\ufeff\ufeff"])
def test_characters_that_python_does_not_take(text: str) -> None:
    (problem,) = read(HEAD + text).problems
    assert problem.kind == "syntax"


@pytest.mark.parametrize(
    "text",
    [
        "x = " + "(" * 100_000,
        "x = " + "[" * 100_000 + "]" * 100_000,
        "x = " + "-" * 100_000 + "1",
        "x = " + "1 + " * 50_000 + "1",
        "x = a" + ".b" * 100_000,
        "x = f" + "()" * 100_000,
        "x = " + "not " * 50_000 + "1",
        "x = " + "lambda: " * 50_000 + "1",
        "if a: pass\n" + "elif a: pass\n" * 20_000,
        "x = " + "{1: " * 100_000,
        'x = "' + "\\" * 99_999,
        "x = f'" + "{" * 100_000,
        "(" * 100 + ")" * 100,
        "".join(" " * n + "if a:\n" for n in range(120)),
    ],
    ids=range(14),
)
def test_a_text_nested_without_end_is_refused_or_read(text: str) -> None:
    module = read(HEAD + "SFTConfig(n=1)\n" + text + "\n")
    assert len(module.problems) <= 1


def test_depth_that_python_accepts_and_the_reader_does_not() -> None:
    text = HEAD + "SFTConfig(n=1)\nx = " + " + ".join(["a"] * 600) + "\nSFTConfig(n=2)\n"
    module = read(text)
    assert [problem.kind for problem in module.problems] in ([], ["not-followed"], ["too-deep"])


def test_a_file_beyond_the_bound_is_not_read() -> None:
    text = HEAD + "x = '" + "a" * 400_000 + "'\n"
    (problem,) = read(text).problems
    assert problem.kind == "too-large"
    assert problem.span == Span("train.py", 0, 1)


def test_a_line_of_ten_million_characters_of_a_file_of_no_interest() -> None:
    assert read("import torch; x = '" + "import " * 1_500_000 + "'\n").problems == ()


def test_a_module_that_is_too_long_to_follow_keeps_what_was_read() -> None:
    text = HEAD + "SFTConfig(n=1)\n" + "x = [x, x]\n" * 30_000
    module = read(text)
    assert [problem.kind for problem in module.problems] == ["not-followed"]
    assert len(module.calls) == 1


@pytest.mark.parametrize(
    "text",
    [
        "x = 'a'\n" + "x = x + x\n" * 100,
        "x = [1]\n" + "x = x + x\n" * 100,
        "x = {'a': 1}\n" + "".join(f"x = {{'k{n}': x, 'l{n}': x}}\n" for n in range(100)),
        "x = 2\n" + "x = x * x\n" * 100,
        "x = 'a'\n" + "x = f'{x}{x}'\n" * 100,
        "x = (1, 2)\n" + "x = x, x\n" * 100,
        "x = 1\n" + "".join(f"if f{n}: x = {n}\n" for n in range(300)),
        "d = {}\n" + "".join(f"if f{n}: d['k{n}'] = {n}\n" for n in range(100)) + "SFTConfig(**d)\n",
        "".join(f"for a{n} in (1, 2):\n" + " " * (n + 1) for n in range(18)) + "SFTConfig(n=1)\n",
        "".join(f"for a{n} in load():\n" + " " * (n + 1) for n in range(18)) + "SFTConfig(n=1)\n",
        "".join(f"if a{n} or b{n} and c{n}:\n" + " " * (n + 1) for n in range(18)) + "SFTConfig(n=1)\n",
        "def f(x):\n    if x.a: return 1\n"
        + "".join(f"    if x.b{n} and x.c{n}: return {n}\n" for n in range(60))
        + "SFTConfig(n=f(y), m=f(z))\n",
        "x = 1\n" + "".join(f"def f{n}(g): return g(g)\n" for n in range(50)) + "f0(f0)\n" * 50,
    ],
    ids=range(13),
)
def test_values_that_double_stay_small(text: str) -> None:
    module = read(HEAD + text + "SFTConfig(n=x if 'x' in dir() else 0)\n")
    assert len(module.calls) <= 4_200


@pytest.mark.parametrize("data", ["[" + "1," * 60_000 + "]", "{" + "1: 2," * 30_000 + "}"])
def test_data_of_many_elements_is_passed_over(data: str) -> None:
    found = call(HEAD + f"x = {data}\nSFTConfig(n=2, x=x)\n")
    assert "too many" in getattr(found.arguments[1].value, "because", "")


PIECES = st.sampled_from(
    [
        "from trl import SFTConfig\n", "SFTConfig(", ")", "a=", "1", "'x'", "**d", ", ", "\n", "    ", "if x:",
        "else:", "for i in ",
        "def f():", "return ", "class A(SFTConfig):", "try:", "except:", "{", "}", "[", "]", "d['k'] = ", "x = ",
        "é", "\ufeff", "\r",
        "\x0c", "lambda: ", "match x:", "case ", "_", "*a", "f'{x}'", "yield ", "await ", "import trl as t\n",
        "global x\n", "del x\n",
        "with x as y:", ":", ".", "not ", " and ", " in ", "@d\n", "#", "\\\n", "'''", "0", "\0", "while x:",
        "break", "x += 1\n", ";",
    ]
)  # fmt: skip


@settings(max_examples=400, deadline=None)
@given(st.lists(PIECES, max_size=30).map("".join))
def test_no_text_makes_it_fall_over(text: str) -> None:
    module = read(HEAD + text)
    for problem in module.problems:
        assert 0 <= problem.span.start < problem.span.end <= len(HEAD + text)


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=60))
def test_no_characters_make_it_fall_over(text: str) -> None:
    read("import trl\n" + text)


def test_loops_and_functions_that_have_to_do_with_nothing_watched_cost_little() -> None:
    text = HEAD + "def solve(board):\n"
    text += "    for i in range(9):\n        for j in range(9):\n            for k in (1, 2, 3, 4, 5, 6, 7, 8, 9):\n"
    text += "                if board[i][j] == k and board[j][i] != k or k in board[i]:\n"
    text += "                    x = [board, k]\n"
    text += "".join(f"    y{n} = x if board[{n}] else [x, {n}]\n" for n in range(40)) + "    return y0\n"
    text += "solve(b)\n" * 200 + "for i in range(60):\n    solve(i)\nSFTConfig(n=1)\n"
    assert read(text).problems == ()
    assert [argument.name for argument in call(text).arguments] == ["n"]


def test_a_loop_of_many_literals_is_read_once_and_said_to_be() -> None:
    text = HEAD + f"for n in [{', '.join(map(str, range(65)))}]:\n    SFTConfig(n=n)\n"
    assert isinstance(call(text).arguments[0].value, Unknown)
    assert [problem.kind for problem in read(text).problems] == ["too-many-ways"]
