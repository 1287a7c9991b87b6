"""A stretch of source as people read it in a report: line numbers in front, the place underlined."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from rlhflint.reports.lines import Line, lines_of
from rlhflint.reports.printable import columns, shown
from rlhflint.reports.secrets import MASK, Secrets
from rlhflint.source import Source
from rlhflint.text import Span

Paint = Callable[[str, str], str]
"""Text and the numbers of a terminal's colours → text in these colours, or as it was."""

_WIDEST = 160
"""Characters of a source line that are shown."""
_BEFORE = 60
"""Characters of a longer line that are shown in front of the place."""
_TAB = 4


def frame(source: Source, span: Span, secrets: Secrets, paint: Paint, colour: str) -> Iterator[str]:
    """The lines that a span touches, each with its characters underlined."""
    lines = list(lines_of(source, span))
    gutter = max(5, *(len(str(line.number)) for line in lines if line))
    bar = paint("|", "34")
    for index, line in enumerate(lines):
        if line is None:
            yield f"{'...':>{gutter}}"
            continue
        text, marks = _underlined(line, span, secrets, first=index == 0)
        yield f"{line.number:>{gutter}} {bar} {text}".rstrip()
        if marks:
            pad = len(marks) - len(marks.lstrip())
            yield f"{'':>{gutter}} {bar} {marks[:pad]}{paint(marks[pad:], colour)}"


def _underlined(line: Line, span: Span, secrets: Secrets, *, first: bool) -> tuple[str, str]:
    """A line as it is shown, and what stands below it."""
    places = line.offsets[: len(line.text)]
    inside = [index for index, place in enumerate(places) if span.start <= place < span.end]
    if not first:
        blanks = len(line.text) - len(line.text.lstrip())
        inside = [index for index in inside if index >= blanks]
    if not inside and first:
        inside = [next((index for index, place in enumerate(places) if place >= span.start), len(line.text))]
    marked = set(inside)
    start = max(min(inside, default=0) - _BEFORE, 0) if len(line.text) > _WIDEST else 0
    end = min(start + _WIDEST, len(line.text))
    hidden = secrets.hides(span.path, places[start:end])
    text, marks, column = ["…"] if start else [], [" "] if start else [], 1 if start else 0
    for index, hide in zip(range(start, end), hidden, strict=True):
        character = MASK if hide else line.text[index]
        width = _TAB - column % _TAB if character == "\t" else columns(character)
        text.append(" " * width if character == "\t" else shown(character))
        marks.append(("^" if index in marked else " ") * width)
        column += width
    if end < len(line.text):
        text.append("…")
    if len(line.text) in marked:
        marks.append("^")
    return "".join(text), "".join(marks).rstrip()
