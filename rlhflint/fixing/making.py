"""Fixes made: the texts that come of them, and where what was written stands."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from rlhflint.fixing.edits import applied
from rlhflint.text import Span

if TYPE_CHECKING:
    from rlhflint.finding import Edit
    from rlhflint.fixing.plan import Planned
    from rlhflint.source import Source


def texts_after(chosen: Sequence[Planned], sources: Mapping[str, Source]) -> dict[str, str]:
    """The new texts of the files that the fixes change, by path; an edit that several of them want is made once."""
    edits: dict[str, set[Edit]] = {}
    for one in chosen:
        for edit in one.edits:
            edits.setdefault(edit.span.path, set()).add(edit)
    return {path: applied(sources[path].text, some) for path, some in edits.items()}


def places_written(chosen: Sequence[Planned]) -> list[Span]:
    """Where what was written stands in the new texts."""
    found: list[Span] = []
    longer: Counter[str] = Counter()
    for edit in sorted({edit for one in chosen for edit in one.edits}):
        start = edit.span.start + longer[edit.span.path]
        found.append(Span(edit.span.path, start, start + len(edit.text)))
        longer[edit.span.path] += len(edit.text) - len(edit.span)
    return found
