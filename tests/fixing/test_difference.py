"""The changes that make one text another: as few characters as differ."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from rlhflint.finding import Edit
from rlhflint.fixing.edits import applied
from rlhflint.fixing.python_text import Changed
from rlhflint.fixing.structure.difference import difference
from rlhflint.text import Span

WORDS = st.lists(st.sampled_from(["a", "bc", " ", "\n", "(", ",", "é"]), max_size=12).map("".join)


def made(before: str, changes: list[Changed]) -> str:
    return applied(before, [Edit(Span("", one.start, one.end), one.text) for one in changes])


@given(WORDS, WORDS)
def test_the_changes_make_the_other_text(before: str, after: str) -> None:
    assert made(before, difference(before, after, 0)) == after


def test_what_is_the_same_in_between_is_not_changed() -> None:
    assert difference("f(a, b, c)", "f(x, b, y)", 10) == [Changed(12, 13, "x"), Changed(18, 19, "y")]
    assert difference("f(a, b)", "f(a, b)", 3) == []
    assert difference("f(a)", "f(a, b)", 0) == [Changed(3, 3, ", b")]
    assert difference("f(a, b)", "f(a)", 0) == [Changed(3, 6, "")]
    assert difference("a a a", "a a", 0) == [Changed(3, 5, "")]


def test_of_texts_that_are_too_long_one_stretch_changes() -> None:
    long = "x " * 3000
    assert difference(f"f(a {long} b)", f"f(c {long} d)", 0) == [Changed(2, len(long) + 6, f"c {long} d")]
