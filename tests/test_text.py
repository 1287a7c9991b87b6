"""Texts that know where they come from, and the lines of a file."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rlhflint.catalog.option import options_by_spelling
from rlhflint.conversion import NotAChoice, WrongType, converter
from rlhflint.source import Position, Source
from rlhflint.text import Span, Traced


def test_spans_are_joined_within_one_file() -> None:
    one = Span("a", 3, 5)
    assert one.to(Span("a", 8, 9)) == Span("a", 3, 9)
    assert one.to(Span("a", 0, 4)) == Span("a", 0, 5)
    assert one.to(Span("b", 8, 9)) == one
    assert (len(one), len(Span("a", 4, 4)), bool(Span("a", 4, 4))) == (2, 0, True)


@pytest.mark.parametrize(
    ("other", "held"),
    [(("a", 3, 5), True), (("a", 4, 4), True), (("a", 2, 4), False), (("a", 4, 6), False), (("b", 3, 5), False)],
)
def test_a_span_holds_what_lies_in_it(other: tuple[str, int, int], held: bool) -> None:
    assert Span("a", 3, 5).holds(Span(*other)) is held


@given(st.text(min_size=1, max_size=12), st.integers(0, 12), st.integers(0, 12))
def test_a_part_of_a_file_points_at_its_own_characters(text: str, start: int, stop: int) -> None:
    part = Traced.of_file("a", f"--{text}", 10)[start:stop]
    assert part.text == f"--{text}"[start:stop]
    if part.text:
        assert part.span == Span("a", 10 + start, 10 + start + len(part.text))


def test_a_text_is_cut_into_runs_only() -> None:
    with pytest.raises(ValueError, match="neighbouring"):
        Traced.of_file("a", "text")[::2]


def test_texts_are_equal_where_their_origins_are() -> None:
    one, other = Traced.of_file("a", "x"), Traced.of_file("a", "x", 5)
    assert one == Traced.of_file("a", "x")
    assert one != other
    assert len({one, other, Traced.of_file("a", "x")}) == 2
    assert one != "x"
    assert repr(one) == "Traced('x')"


@given(st.text(alphabet="ab\n\r", max_size=20), st.integers(-3, 25))
def test_lines_are_counted_as_they_are_split(text: str, offset: int) -> None:
    source = Source("a", text)
    before = text[: min(max(offset, 0), len(text))]
    assert source.position(offset) == Position(before.count("\n") + 1, len(before) - (before.rfind("\n") + 1) + 1)
    assert source.line_at(offset) == text.split("\n")[before.count("\n")].rstrip("\r")


@pytest.mark.parametrize(("line", "start"), [(1, 0), (2, 2), (3, 3), (4, 0), (0, 0), (-1, 0)])
def test_the_start_of_a_line(line: int, start: int) -> None:
    assert Source("a", "a\n\nb").start_of_line(line) == start


ROWS = {
    "--on": {"action": "store_true"},
    "--off": {"action": "store_false", "default": True},
    "--const": {"action": "store_const", "const": 7},
    "--maybe": {"nargs": "?", "const": "bare"},
    "--flag": {"type": "bool"},
    "--two": {"type": "int", "nargs": 2},
    "--level": {"type": "int", "choices": [1, 2]},
}


@pytest.mark.parametrize(
    ("flag", "words", "value"),
    [
        ("--on", [], True),
        ("--off", [], False),
        ("--const", [], 7),
        ("--maybe", [], "bare"),
        ("--maybe", ["x"], "x"),
        ("--flag", ["False"], True),
        ("--flag", [""], False),
        ("--two", ["1", " 2_0 "], [1, 20]),
        ("--level", ["2"], 2),
    ],
)
def test_words_become_what_argparse_makes_of_them(flag: str, words: list[str], value: object) -> None:
    from tests.test_arguments import parser_of

    found = converter(options_by_spelling(ROWS)[flag])(words)
    assert (found, type(found)) == (value, type(value))
    rows = {name: {**row, "type": bool} if row.get("type") == "bool" else row for name, row in ROWS.items()}
    assert getattr(parser_of(rows).parse_args([flag, *words]), flag.strip("-")) == value


@pytest.mark.parametrize(
    ("flag", "words", "message"),
    [
        ("--two", ["1", "x"], "takes a whole number, not 'x'"),
        ("--level", ["3"], "takes 1 or 2, not '3'"),
        ("--level", ["one"], "takes a whole number, not 'one'"),
    ],
)
def test_words_that_argparse_refuses(flag: str, words: list[str], message: str) -> None:
    with pytest.raises((WrongType, NotAChoice)) as refused:
        converter(options_by_spelling(ROWS)[flag])(words)
    assert str(refused.value) == message
