"""Edits of texts: which of several are made together, and making them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from rlhflint.finding import Edit
from rlhflint.text import Span

T = TypeVar("T")


def applied(text: str, edits: Iterable[Edit]) -> str:
    """A text with edits made that do not overlap; their spans are counted in `text`."""
    parts, at = [], 0
    for edit in sorted(edits):
        parts += [text[at : edit.span.start], edit.text]
        at = edit.span.end
    return "".join([*parts, text[at:]])


def compatible(groups: Sequence[tuple[T, Sequence[Edit]]], now: Callable[[T], bool] = lambda _: False) -> list[T]:
    """Those whose edits can be made together; where some overlap, the first in its file is taken.

    Those of which `now` is true cannot wait, and come before the others.
    An edit that several groups have in common is made once. What is left out has to wait until the text is read anew.
    """
    taken: dict[str, list[Edit]] = {}
    chosen: list[T] = []

    def order(group: tuple[T, Sequence[Edit]]) -> tuple[bool, list[tuple[Span, str]]]:
        return not now(group[0]), [(edit.span, edit.text) for edit in sorted(group[1])]

    for owner, edits in sorted(groups, key=order):
        if all(_fits(edit, taken.get(edit.span.path, ())) for edit in edits):
            chosen.append(owner)
            for edit in edits:
                taken.setdefault(edit.span.path, []).append(edit)
    return chosen


def _fits(edit: Edit, taken: Iterable[Edit]) -> bool:
    return all(edit == other or not touching(edit, other) for other in taken)


def touching(one: Edit, other: Edit) -> bool:
    """Whether the order in which two edits of a file are made would matter."""
    first, second = sorted((one.span, other.span))
    if first.path != second.path:
        return False
    return second.start < first.end or first == second or second.start == first.start
