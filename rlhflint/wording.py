"""Names and numbers as messages say them."""

from __future__ import annotations

from collections.abc import Iterable


def listed(names: Iterable[object], word: str = "or") -> str:
    """Names as part of a sentence, the last two joined by `word`: "a, b or c". There has to be one at least."""
    *most, last = map(str, names)
    return f"{', '.join(most)} {word} {last}" if most else last


def counted(number: int, one: str, many: str = "") -> str:
    """A number and what it counts: "1 file", "2 files"; `many` where that is not `one` with an s."""
    return f"{number} {one if number == 1 else many or one + 's'}"


def did_you_mean(text: str, known: Iterable[str]) -> str:
    """`; did you mean 'x'?` for the nearest of the known names, nothing if none is near."""
    from difflib import get_close_matches

    near = get_close_matches(text, list(known), n=1, cutoff=0.6)
    return f"; did you mean {near[0]!r}?" if near else ""
