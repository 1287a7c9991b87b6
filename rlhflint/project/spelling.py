"""Suggestions for names that are not known."""

from __future__ import annotations

from collections.abc import Iterable


def did_you_mean(text: str, known: Iterable[str]) -> str:
    """`; did you mean 'x'?` for the nearest of the known names, nothing if none is near."""
    from difflib import get_close_matches

    near = get_close_matches(text, list(known), n=1, cutoff=0.6)
    return f"; did you mean {near[0]!r}?" if near else ""
