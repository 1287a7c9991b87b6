"""The Python of a cell in the JSON of a notebook: places found there, and changes as edits of the JSON."""

from __future__ import annotations

import json

import pytest

from rlhflint.fixing.doubt import Doubt
from rlhflint.fixing.edits import applied
from rlhflint.fixing.python_text import Changed, PythonText, python_of, pythons_of
from rlhflint.source import Source
from rlhflint.text import Span

PATH = "train.ipynb"


def notebook(*cells: str | list[str], compact: bool = False) -> str:
    """A notebook with cells, each as one text or as a list of lines."""
    made = [{"cell_type": "code", "metadata": {}, "source": cell} for cell in cells]
    whole = {"cells": made, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    form = {"separators": (",", ":")} if compact else {"indent": 1}
    return json.dumps(whole, ensure_ascii=False, **form)  # type: ignore[arg-type]


def cell(text: str) -> PythonText:
    """The first cell of a notebook."""
    return pythons_of(Source(PATH, text))[0]


def sources(text: str) -> list[str | list[str]]:
    """What a notebook's cells hold."""
    return [one["source"] for one in json.loads(text)["cells"]]


LINES = ["a = 1\n", 'b = "é"\n', "c = 3"]


@pytest.mark.parametrize("source", [LINES, "".join(LINES)], ids=["lines", "text"])
def test_a_place_in_the_file_is_found_in_the_cell(source: str | list[str]) -> None:
    text = notebook(source, "d = 4")
    one = cell(text)
    for word in ("a", "b", "c", "= 3"):
        start = text.index(word, text.index("a = 1"))
        found = one.text.index(word)
        assert one.place(Span(PATH, start, start + len(word))) == (found, found + len(word))
        assert one.place(Span(PATH, start, start)) == (found, found)
        assert one.place(Span(PATH, start + len(word), start + len(word)))[0] == found + len(word)


def test_what_is_not_whole_in_the_cell_is_not_found() -> None:
    text = notebook(LINES)
    one = cell(text)
    at = text.index("a = 1")
    for start, end in ((at, at + 6), (at + 6, text.index("b =")), (at - 1, at + 1), (0, 0)):
        with pytest.raises(Doubt, match="not written in one piece"):
            one.place(Span(PATH, start, end))


def test_a_cell_holds_what_lies_between_its_ends() -> None:
    text = notebook(LINES, "d = 4")
    first, second = pythons_of(Source(PATH, text))
    for place, found in ((text.index("a ="), first), (text.index("3") + 1, first), (text.index("d ="), second)):
        assert python_of(Source(PATH, text), Span(PATH, place, place)) is found
    for place in (text.index("a =") - 1, text.index("d = 4") + 6, 0):
        with pytest.raises(Doubt, match="in no cell"):
            python_of(Source(PATH, text), Span(PATH, place, place))


@pytest.mark.parametrize(
    ("change", "lines"),
    [
        (Changed(0, 0, "x = 0\n"), ["x = 0\n", *LINES]),
        (Changed(6, 6, "x = 0\n"), ["a = 1\n", "x = 0\n", *LINES[1:]]),
        (Changed(19, 19, "\nx = 0"), ["a = 1\n", 'b = "é"\n', "c = 3\n", "x = 0"]),
        (Changed(0, 6, ""), LINES[1:]),
        (Changed(6, 14, ""), ["a = 1\n", "c = 3"]),
        (Changed(0, 19, "x"), ["x"]),
        (Changed(4, 5, "2"), ["a = 2\n", *LINES[1:]]),
        (Changed(10, 13, "'ü'"), ["a = 1\n", "b = 'ü'\n", "c = 3"]),
    ],
)
@pytest.mark.parametrize("compact", [False, True])
def test_changes_of_a_cell_line_by_line(change: Changed, lines: list[str], compact: bool) -> None:
    text = notebook(LINES, "d", compact=compact)
    after = applied(text, cell(text).edits([change]))
    assert after == notebook(lines, "d", compact=compact)


def test_a_line_in_front_of_what_goes_is_ended() -> None:
    text = notebook(["\n", "abc"])
    assert sources(applied(text, cell(text).edits([Changed(1, 4, "")]))) == [["\n"]]


def test_what_is_written_behind_the_last_line_gets_one_of_its_own() -> None:
    text = notebook(["a = 1\n"], "d")
    assert applied(text, cell(text).edits([Changed(6, 6, "b = 2")])) == notebook(["a = 1\n", "b = 2"], "d")


def test_a_second_line_stands_below_the_only_one() -> None:
    text = notebook(["a"])
    assert applied(text, cell(text).edits([Changed(1, 1, "\nb")])) == notebook(["a\n", "b"])
    text = notebook(["a"], compact=True)
    assert applied(text, cell(text).edits([Changed(1, 1, "\nb")])) == text.replace('"a"', r'"a\n", "b"')


def test_a_line_for_ipython_is_not_changed() -> None:
    text = notebook(["!ls -l\n", "a = 1"])
    one = cell(text)
    with pytest.raises(Doubt, match="no Python"):
        one.edits([Changed(0, 1, "x")])
    assert sources(applied(text, one.edits([Changed(len(one.text) - 1, len(one.text), "2")]))) == [
        ["!ls -l\n", "a = 2"]
    ]
