"""Places as tools see them that open the file itself: for a notebook, lines and columns of its JSON text."""

from __future__ import annotations

from rlhflint.records import dataclass
from rlhflint.result import FileResult
from rlhflint.text import Span


@dataclass(frozen=True, slots=True)
class Region:
    """Lines and columns from 1, columns in characters, the end column behind the last character.

    `cell` says where it is in a notebook, in words: "cell 3, line 2"; it is empty elsewhere.
    """

    line: int = 1
    column: int = 1
    end_line: int = 1
    end_column: int = 1
    cell: str = ""


def region(span: Span, file: FileResult) -> Region:
    """The place of a span; the start of the file if its text is not at hand."""
    source = file.sources.get(span.path)
    if source is None:
        return Region()
    start, end = source.position_in_file(span.start), source.position_in_file(span.end)
    inside = source.position(span.start)
    cell = f"cell {inside.cell}, line {inside.line}" if inside.cell else ""
    return Region(start.line, start.column, end.line, end.column, cell)


def line_of(span: Span, file: FileResult) -> int:
    """The line that a span begins on, in a notebook that of its cell; 1 if the file's text is not at hand."""
    source = file.sources.get(span.path)
    return source.position(span.start).line if source is not None else 1
