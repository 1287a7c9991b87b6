"""Segments of expanded text made into the arguments of a command."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from typing import TypeAlias

from rlhflint.expressions import expression
from rlhflint.readers.shell import unknown
from rlhflint.readers.shell.expansion.pattern import Pattern
from rlhflint.records import dataclass
from rlhflint.text import Piece, Traced

BLANKS = " \t\n"
"""The characters that separate words unless `$IFS` says otherwise."""
_GLOB = expression(r"[*?]")
_EXTENDED_GLOB = expression(r"[*?]|[@+!]\(")


@dataclass(frozen=True, slots=True)
class Segment:
    """A stretch of a word: `quoted` text is never split, `written` text stands in the script itself."""

    text: Traced
    quoted: bool
    written: bool = False


BREAK = None
"""Between two segments: a new word begins, as between two elements of `"${A[@]}"`."""
Segments: TypeAlias = "list[Segment | None]"


def pattern_of(segments: Segments) -> Pattern:
    """The pattern that segments make: only what is outside quotes can be a wildcard."""
    return Pattern((char, segment.quoted) for segment in segments if segment is not BREAK for char in segment.text.text)


@cache
def _separator(characters: str) -> re.Pattern[str] | None:
    """What stands between two words; group 1 is set where it is more than blanks, so that words may be empty."""
    blank = "".join(re.escape(char) for char in characters if char in BLANKS)
    other = "".join(re.escape(char) for char in characters if char not in BLANKS)
    blanks = f"[{blank}]*" if blank else ""
    choices = [f"{blanks}([{other}]){blanks}"] if other else ["(?!)()"]
    choices += [f"[{blank}]+"] if blank else []
    return re.compile("|".join(choices)) if characters else None


class Fields:
    """Arguments in the making."""

    def __init__(self, separators: str, *, extended: bool = False) -> None:
        """`extended`: patterns such as `!(a|b)` may be allowed."""
        self.separators = _separator(separators)
        self.wildcard = _EXTENDED_GLOB if extended else _GLOB
        self.done: list[Traced] = []
        self.pieces: list[tuple[Piece, bool]] = []
        """Pieces of the current word, each with whether it is outside quotes."""
        self.begun = False
        self.glob = False

    def add(self, segment: Segment | None) -> None:
        """One more segment of the word, or `BREAK`, where a word ends."""
        if segment is BREAK:
            self._end()
        elif segment.quoted or segment.written:
            self.begun = True
            self.glob = self.glob or (not segment.quoted and self.wildcard.search(segment.text.text) is not None)
            self.pieces.extend((piece, not segment.quoted) for piece in segment.text.pieces)
        else:
            self._split(segment.text)

    def _split(self, text: Traced) -> None:
        """Add unquoted text that was put in for something: it falls into words where separators stand."""
        place = 0
        for found in self.separators.finditer(text.text) if self.separators is not None else ():
            self._add_unquoted(text, place, found.start())
            self.begun = self.begun or found[1] is not None
            self._end()
            place = found.end()
        self._add_unquoted(text, place, len(text))

    def _add_unquoted(self, text: Traced, start: int, end: int) -> None:
        if start == end:
            return
        part = text[start:end]
        self.begun = True
        self.glob = self.glob or self.wildcard.search(part.text) is not None
        self.pieces.extend((piece, True) for piece in part.pieces)

    def _end(self) -> None:
        if self.begun:
            self.done.append(self._field())
        self.pieces = []
        self.begun = self.glob = False

    def _field(self) -> Traced:
        alone = all(piece.because is not None or not piece.text for piece, _ in self.pieces)
        pieces = []
        for piece, unquoted in self.pieces:
            if piece.because is not None and unquoted and piece.many is not alone:
                piece = replace(piece, many=alone)
            pieces.append(piece)
        field = Traced(pieces)
        if self.glob and field.known and "://" not in field.text:
            because = f"{unknown.shortened(field.text)} stands for the files that match it"
            return Traced.hole(because, field.span, many=True, default=field.text)
        return field

    def finish(self) -> list[Traced]:
        """The words."""
        self._end()
        return self.done


def split(text: Traced, separators: str) -> list[Traced]:
    """The words that a text falls into."""
    fields = Fields(separators)
    fields.add(Segment(text, quoted=False))
    return fields.finish()
