"""Which lines of a cell are Python, and which are for IPython.

A line that starts with `!`, `%` or `?` is none of Python unless it stands in a text or in brackets, or goes on from the
line before it. It takes the lines along that its own backslashes continue.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from rlhflint.expressions import expression
from rlhflint.records import dataclass

_SPECIAL = expression(r"[ \t]*(?=[!%?])")
_ASSIGNED = expression(r"[ \t]*[A-Za-z_][\w.]*(?:[ \t]*,[ \t]*[A-Za-z_][\w.]*)*[ \t]*=[ \t]*(?=![^=]|%[A-Za-z])")
_HELP = expression(r"[ \t]*(?=%{0,2}[\w.*]+\?{1,2}[ \t]*(?:\r?\n|\Z))")
_CONTINUED = expression(r"[^\r\n]*\\\r?\n")
_LINE = expression(r"[^\r\n]*(?:\r\n|\r|\n|\Z)")
_TOKEN = expression(
    r"#[^\r\n]*"
    r"|(?P<quotes>'''|\"\"\")"
    r"|'(?:\\.|[^'\\\r\n])*'?"
    r"|\"(?:\\.|[^\"\\\r\n])*\"?"
    r"|(?P<open>[(\[{])"
    r"|(?P<close>[)\]}])"
    r"|\\(?:\r\n|\r|\n)"
    r"|(?P<end>\r\n|\r|\n)"
    r"|[^#'\"()\[\]{}\\\r\n]+"
    r"|\\",
    re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Line:
    """A stretch of a cell. `kind` is `python`, `shell`, `magic` or `help`; what is for IPython starts at `sign`."""

    kind: str
    start: int
    sign: int
    end: int


def statements(text: str) -> Iterator[Line]:
    """The stretches of a cell in order, without gaps."""
    place = start = 0
    while place < len(text):
        special = _special(text, place)
        if special is None:
            place = _after_statement(text, place)
            continue
        if start < place:
            yield Line("python", start, start, place)
        yield special
        start = place = special.end
    if start < place:
        yield Line("python", start, start, place)


def _special(text: str, place: int) -> Line | None:
    """The line for IPython that starts here."""
    found = _HELP.match(text, place)
    if found is not None:
        return Line("help", place, found.end(), _end_of_line(text, place))
    found = _SPECIAL.match(text, place) or _ASSIGNED.match(text, place)
    if found is None:
        return None
    sign = text[found.end()]
    kind = {"!": "shell", "%": "magic"}.get(sign, "help")
    end = place
    while going_on := _CONTINUED.match(text, end):
        end = going_on.end()
    return Line(kind, place, found.end(), _end_of_line(text, end))


def _end_of_line(text: str, place: int) -> int:
    found = _LINE.match(text, place)
    return found.end() if found else len(text)


def _after_statement(text: str, place: int) -> int:
    """Where the line ends that a statement of Python, with its brackets and texts, ends in."""
    depth = 0
    while place < len(text):
        token = _TOKEN.match(text, place)
        if token is None:
            return len(text)
        place = token.end()
        if token["quotes"]:
            place = _after_quotes(text, place, token["quotes"])
        elif token["open"]:
            depth += 1
        elif token["close"]:
            depth = max(depth - 1, 0)
        elif token["end"] and depth == 0:
            return place
    return place


def _after_quotes(text: str, place: int, quotes: str) -> int:
    """Where a text in three quotes ends."""
    while (end := text.find(quotes, place)) >= 0:
        before = text[place:end]
        if (len(before) - len(before.rstrip("\\"))) % 2 == 0:
            return end + len(quotes)
        place = end + 1
    return len(text)
