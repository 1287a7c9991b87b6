"""A comment that may hold a suppression, and the characters it then speaks of."""

from __future__ import annotations

import re

from rlhflint.expressions import expression
from rlhflint.records import dataclass

_WORTH_A_LOOK = expression(r"lint|noqa", re.IGNORECASE)

CONTINUED = "a comment ends the continued line here"
"""Why a suppression between lines that are joined by backslashes has no effect."""


@dataclass(frozen=True, slots=True)
class Comment:
    """Characters `start` to `end` of a text, from the `#` to the end of the line.

    A comment at the end of a line covers what stands on that line; one on a line of its own (`alone`) what follows it:
    a statement, an element, an entry. `start == covers_end` where nothing follows. `broken`: why it has no effect.
    """

    start: int
    end: int
    covers_start: int
    covers_end: int
    alone: bool
    broken: str = ""

    def moved(self, by: int) -> Comment:
        """The same comment in a text in front of which there are `by` characters more."""
        start, end = self.start + by, self.end + by
        return Comment(start, end, self.covers_start + by, self.covers_end + by, self.alone, self.broken)


def may_suppress(text: str) -> bool:
    """Whether a text is worth being searched for suppressions, written well or badly."""
    return _WORTH_A_LOOK.search(text) is not None


def line_start(text: str, offset: int) -> int:
    """Where the line of a character begins."""
    return text.rfind("\n", 0, offset) + 1


def line_end(text: str, offset: int) -> int:
    """Where the line of a character ends, before its line end."""
    end = text.find("\n", offset)
    end = len(text) if end < 0 else end
    return end - 1 if end > offset and text[end - 1] == "\r" else end


def stands_alone(text: str, start: int) -> bool:
    """Whether only blanks stand before a comment on its line."""
    return not text[line_start(text, start) : start].strip(" \t\f\ufeff")
