"""Names and numbers as messages say them."""

from __future__ import annotations

from collections.abc import Iterable


def listed(names: Iterable[object], word: str = "or") -> str:
    """Names as part of a sentence, the last two joined by `word`: "a, b or c". There has to be one at least."""
    *most, last = map(str, names)
    return f"{', '.join(most)} {word} {last}" if most else last
