"""A shell text under reading, and the characters of the file that made it."""

from __future__ import annotations

import re
from functools import cached_property

from rlhflint.expressions import expression
from rlhflint.readers.shell.syntax.quotes import Quotes
from rlhflint.text import Piece, Span, Traced

_TRIPS = expression(r"(?:\\|(?:^|[ \t;])(?:then|do|else|fi|done|esac|in|\{|\}|;;|\)))$")


_MAY_EXTEND = expression(r"extglob|^#!.*\b(?:k|z)sh\b|(?:^|[\s;&|(){}`])(?:source|\.|eval)[ \t]", re.MULTILINE)
"""What may let patterns such as `!(a|b)` through: `shopt -s extglob`, code that is not at hand, another shell."""


class Source:
    """A text that is read as shell code; places in it are counted in characters of `text`."""

    def __init__(self, traced: Traced, home: Span, *, extended: bool = False) -> None:
        """`home` is the place to name where a part of the text has none of its own.

        `extended`: `shopt -s extglob` may be in force where it begins.
        """
        self.traced = traced
        self.text = traced.text
        self.home = home
        self._extended = extended

    @cached_property
    def quotes(self) -> Quotes:
        """Where quotes, substitutions and brackets of this text end."""
        return Quotes(self.text)

    @cached_property
    def _extended_behind(self) -> int:
        """From where on `shopt -s extglob` may be in force: behind the end where it never is."""
        if self._extended or not self.text.startswith("#!"):
            return 0  # a file that is sourced begins with what its reader had set
        found = _MAY_EXTEND.search(self.text)
        return found.end() if found is not None else len(self.text) + 1

    def extended(self, at: int) -> bool:
        """Whether patterns such as `!(a|b)` may be allowed at a place, which takes `shopt -s extglob`."""
        return at >= self._extended_behind

    def cut(self, start: int, end: int) -> Traced:
        """The text from `start` to `end` with its origin."""
        return self.traced[start:end]

    def span(self, start: int, end: int) -> Span:
        """The characters of the file that made `text[start:end]`; an empty span where that is empty."""
        if start < end:
            return self.traced.span_of(start, end) or self.home
        if start > 0:
            before = self.traced.span_of(start - 1, start) or self.home
            return Span(before.path, before.end, before.end)
        after = self.traced.span_of(0, 1) or self.home
        return Span(after.path, after.start, after.start)


def without_last_backslash(text: Traced) -> Traced:
    """The text of a file without the backslash that it ends in, which a shell passes over."""
    backslashes = len(text.text) - len(text.text.rstrip("\\"))
    return text[: len(text) - 1] if backslashes % 2 else text


def without_carriage_returns(text: Traced) -> tuple[Traced, Span | None]:
    """The text with plain line ends, and the first carriage return that a shell would trip over.

    A shell takes a carriage return before a line end for a character of the last word. In a comment and on an empty
    line that does no harm; behind a backslash the command ends there, and a keyword is none any more.
    """
    if "\r\n" not in text.text:
        return text, None
    pieces: list[Piece] = []
    trips: Span | None = None
    behind_backslash: Span | None = None
    start = 0
    at = text.text.find("\r\n")
    while at >= 0:
        line = text[start:at]
        pieces.extend(line.pieces)
        ending = text.span_of(at, at + 2)
        pieces.append(Piece("\n", ending))
        if behind_backslash is None and _TRIPS.search(line.text) and not line.text.lstrip().startswith("#"):
            trips = trips or text.span_of(at, at + 1)
            behind_backslash = text.span_of(at, at + 1) if line.text.endswith("\\") else None
        start = at + 2
        at = text.text.find("\r\n", start)
    pieces.extend(text[start : len(text)].pieces)
    return Traced(pieces), behind_backslash or trips
