"""Lines of a source together with the place of each of their characters in the file, also in a notebook."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence

from rlhflint.expressions import expression
from rlhflint.records import dataclass
from rlhflint.source import Source
from rlhflint.text import Span

_STRING = expression(r'"(?:[^"\\]|\\.)*"?')
_ESCAPED = expression(
    r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\.|[^\\]", re.DOTALL
)
_MOST_BETWEEN = 2
"""Lines between the first and the last one of a span that are shown; more are left out."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line without its end. `offsets` are the places of its characters in the file, and of what follows them."""

    number: int
    text: str
    offsets: Sequence[int]


def lines_of(source: Source, span: Span) -> Iterator[Line | None]:
    """The lines that a span touches; None for those left out between the first and the last ones."""
    first = _line(source, span.start)
    last = _line(source, max(span.end - 1, span.start))
    yield first
    if source.position(span.start).cell == source.position(max(span.end - 1, span.start)).cell:
        if last.number - first.number > _MOST_BETWEEN + 1:
            yield None
        else:
            for _ in range(first.number + 1, last.number):
                first = _line(source, first.offsets[-1] + _end_length(source, first))
                yield first
    if last.number > first.number or last.offsets[-1] != first.offsets[-1]:
        yield last


def _end_length(source: Source, line: Line) -> int:
    """How long the line end is that follows a line; in a notebook, the way to the string that holds the next one."""
    end = line.offsets[-1]
    if source.position(end).cell is None:
        found = source.text.find("\n", end)
        return found + 1 - end if found >= 0 else 0
    if source.text.startswith("\\n", end) and not source.text.startswith('"', end + 2):
        return 2
    found = source.text.find('"', source.text.find('"', end) + 1)
    return found + 1 - end if found >= 0 else 0


def _line(source: Source, offset: int) -> Line:
    position = source.position(offset)
    if position.cell is not None:
        return _cell_line(source, offset, position.line)
    start = min(max(offset, 0), len(source.text)) - (position.column - 1)
    text = source.line_at(offset)
    return Line(position.line, text, range(start, start + len(text) + 1))


def _cell_line(source: Source, offset: int, number: int) -> Line:
    """The line of a notebook's cell, out of the JSON string that holds it."""
    opening = _opening_quote(source.text, offset)
    whole = _STRING.match(source.text, opening)
    end = whole.end() - 1 if whole else offset
    characters: list[str] = []
    offsets: list[int] = []
    for found in _ESCAPED.finditer(source.text, opening + 1, end):
        character = _decoded(found[0])
        if character == "\n":
            if found.end() > offset:
                offsets.append(found.start())
                break
            characters, offsets = [], []
            continue
        characters.append(character)
        offsets.append(found.start())
    else:
        offsets.append(end)
    return Line(number, "".join(characters).rstrip("\r"), offsets)


def _opening_quote(text: str, offset: int) -> int:
    """The quote that opens the JSON string in which a character lies: the nearest one before it without a backslash."""
    at = text.rfind('"', 0, max(offset, 1))
    while at > 0:
        before = at
        while before > 0 and text[before - 1] == "\\":
            before -= 1
        if (at - before) % 2 == 0:
            break
        at = text.rfind('"', 0, at)
    return max(at, 0)


def _decoded(written: str) -> str:
    if written[0] != "\\":
        return written
    try:
        return str(json.loads(f'"{written}"'))
    except ValueError:
        return written
