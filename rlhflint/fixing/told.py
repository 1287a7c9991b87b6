"""What fixing has to say beside the findings of rules: put among them, and kept at its place when the text changes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from rlhflint.text import Span

if TYPE_CHECKING:
    from rlhflint.finding import Edit, Finding
    from rlhflint.result import FileResult


def with_more(results: Sequence[FileResult], withheld: Iterable[Finding], notes: Iterable[Finding]) -> list[FileResult]:
    """The results with further findings, each in the first file that knows its place."""
    more: dict[int, list[Finding]] = {}
    for finding in dict.fromkeys([*withheld, *notes]):
        owner = next((index for index, one in enumerate(results) if finding.span.path in one.sources), 0)
        more.setdefault(owner, []).append(finding)
    return [
        replace(
            result,
            findings=tuple(
                sorted(
                    (*result.findings, *more.get(index, ())), key=lambda one: (one.span.path, one.span.start, one.code)
                )
            ),
        )
        for index, result in enumerate(results)
    ]


def moved(span: Span, edits: Iterable[Edit]) -> Span:
    """Where a place is after edits."""
    start, end = span.start, span.end
    for edit in edits:
        if edit.span.path != span.path:
            continue
        longer = len(edit.text) - len(edit.span)
        if edit.span.end <= span.start and edit.span.start < span.start:
            start, end = start + longer, end + longer
        elif edit.span.start < span.end:
            end = max(end + longer, start)
    return Span(span.path, start, max(start, end))
