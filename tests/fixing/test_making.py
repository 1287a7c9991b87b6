"""Fixes made: the new texts, and where what was written stands in them."""

from __future__ import annotations

from rlhflint.finding import Edit
from rlhflint.fixing.making import places_written, texts_after
from rlhflint.fixing.plan import Planned
from rlhflint.source import Source
from rlhflint.text import Span


def planned(*edits: tuple[str, int, int, str]) -> Planned:
    """A fix of edits: path, first and last character, new text."""
    return Planned("Do it", tuple(Edit(Span(path, start, end), text) for path, start, end, text in edits), ())


def test_what_was_written_is_found_in_the_new_texts() -> None:
    sources = {path: Source(path, text) for path, text in (("a", "0123456789"), ("b", "abcdef"))}
    chosen = [
        planned(("a", 6, 8, "SIX"), ("b", 0, 1, "")),
        planned(("a", 2, 3, "two-"), ("a", 9, 9, "!")),
        planned(("a", 2, 3, "two-"), ("b", 4, 6, "E")),
    ]
    texts = texts_after(chosen, sources)
    assert texts == {"a": "01two-345SIX8!9", "b": "bcdE"}
    written = places_written(chosen)
    assert [texts[span.path][span.start : span.end] for span in written] == ["two-", "SIX", "!", "", "E"]
