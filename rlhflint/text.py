"""Text that remembers where it was written.

A shell script builds a command from pieces: literals, variables, arrays, here-documents, quoted strings that hold
another script. `Traced` is such a text together with the characters of the file that made each part, so that a
finding points at them and a fix can change them.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator

from rlhflint.records import dataclass

HOLE = "\U0010fffd"
"""Stands for a part that is not known, one character long; `Traced.holes` says why it is not."""


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """Characters `start` to `end` (half open, counted from 0) of the file at `path`, its line ends kept as they are."""

    path: str
    start: int
    end: int

    def __len__(self) -> int:
        return self.end - self.start

    def __bool__(self) -> bool:
        """A place counts as one also where no character stands: `span or fallback` asks whether there is a place."""
        return True

    def to(self, other: Span) -> Span:
        """From the start of this span to the end of `other`; this span alone if `other` lies in another file."""
        if other.path != self.path:
            return self
        return Span(self.path, min(self.start, other.start), max(self.end, other.end))

    def holds(self, other: Span) -> bool:
        """Whether all characters of `other` lie in it."""
        return other.path == self.path and self.start <= other.start and other.end <= self.end


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of text and its origin.

    `verbatim`: `text` is what stands at `span`, character for character. Otherwise the whole piece was made by the
    whole span (an escape, an arithmetic expression) and cannot be cut. `because` is set for an unknown part, whose
    text is one `HOLE`: a few words such as "$1 is an argument of the script". `many`: an unknown part that may be
    any number of words (an unquoted variable, `"$@"`). `default` is the text an unknown part has unless something
    outside the file gives it another one, as "8" of `${N:-8}`.
    """

    text: str
    span: Span | None = None
    verbatim: bool = False
    because: str | None = None
    many: bool = False
    default: str | None = None


class Traced:
    """An immutable text whose characters know their origin."""

    __slots__ = ("_starts", "pieces", "text")

    def __init__(self, pieces: Iterable[Piece] = ()) -> None:
        self.pieces: tuple[Piece, ...]
        self.text: str
        given = tuple(pieces)
        if len(given) == 1 and given[0].text:  # most are; nothing is to be joined
            self.pieces, self.text, self._starts = given, given[0].text, [0]
            return
        self.pieces = tuple(_joined(given))
        self.text = "".join(piece.text for piece in self.pieces)
        starts, offset = [], 0
        for piece in self.pieces:
            starts.append(offset)
            offset += len(piece.text)
        self._starts = starts

    @classmethod
    def of_file(cls, path: str, text: str, start: int = 0) -> Traced:
        """The text of a file, or the stretch of it that begins at character `start`."""
        return cls([Piece(text, Span(path, start, start + len(text)), verbatim=True)])

    @classmethod
    def made(cls, text: str, span: Span | None) -> Traced:
        """A text that the whole of `span` made."""
        return cls([Piece(text, span)])

    @classmethod
    def hole(cls, because: str, span: Span | None = None, *, many: bool = False, default: str | None = None) -> Traced:
        """A part that is not known, or is `default` unless something outside says otherwise."""
        return cls([Piece(HOLE, span, because=because, many=many, default=default)])

    def __len__(self) -> int:
        return len(self.text)

    def __add__(self, other: Traced) -> Traced:
        return Traced((*self.pieces, *other.pieces))

    def __getitem__(self, part: slice) -> Traced:
        start, stop, step = part.indices(len(self.text))
        if step != 1:
            raise ValueError("a traced text is cut into runs of neighbouring characters only")
        return Traced(self._cut(start, stop))

    def __repr__(self) -> str:
        return f"Traced({self.text!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Traced) and self.pieces == other.pieces

    def __hash__(self) -> int:
        return hash(self.pieces)

    @property
    def known(self) -> bool:
        """No part of it is unknown."""
        return all(piece.because is None for piece in self.pieces)

    @property
    def holes(self) -> tuple[Piece, ...]:
        """The parts that are not known."""
        return tuple(piece for piece in self.pieces if piece.because is not None)

    @property
    def because(self) -> str:
        """Why it is not known: the reasons of its holes, each once."""
        return "; ".join(dict.fromkeys(piece.because for piece in self.holes if piece.because))

    @property
    def default(self) -> str | None:
        """The text it has if every unknown part takes its default; None if a part has none."""
        parts = [piece.text if piece.because is None else piece.default for piece in self.pieces]
        return None if None in parts else "".join(part for part in parts if part is not None)

    @property
    def many(self) -> bool:
        """An unknown part of it may be any number of words."""
        return any(piece.many for piece in self.pieces)

    @property
    def span(self) -> Span | None:
        """The characters that made it: from its first to its last origin that lies in the first one's file."""
        return self.span_of(0, len(self.text))

    @property
    def verbatim_span(self) -> Span | None:
        """Its span if the text stands there character for character, so that replacing the span replaces the text."""
        if len(self.pieces) == 1 and self.pieces[0].verbatim:
            return self.pieces[0].span
        return None

    def span_of(self, start: int, stop: int) -> Span | None:
        """The characters of the file that made `text[start:stop]`."""
        if len(self.pieces) == 1 and 0 <= start < stop <= len(self.text):
            only = self.pieces[0]
            if only.verbatim and only.span is not None:
                return Span(only.span.path, only.span.start + start, only.span.start + stop)
        spans = [piece.span for piece in self._cut(start, stop) if piece.span is not None]
        if not spans:
            spans = [piece.span for piece in self.pieces if piece.span is not None][:1]
        whole = spans[0] if spans else None
        for span in spans[1:]:
            whole = whole.to(span) if whole else span
        return whole

    def _cut(self, start: int, stop: int) -> list[Piece]:
        if len(self.pieces) == 1:
            return [_part(self.pieces[0], start, stop)] if start < stop else []
        found: list[Piece] = []
        for index in range(max(bisect_right(self._starts, start) - 1, 0), len(self.pieces)):
            piece, offset = self.pieces[index], self._starts[index]
            if offset >= stop:
                break
            left, right = max(start - offset, 0), min(stop - offset, len(piece.text))
            if left < right:
                found.append(_part(piece, left, right))
        return found


def _part(piece: Piece, left: int, right: int) -> Piece:
    """Some of the characters of a piece."""
    if left == 0 and right == len(piece.text):
        return piece
    text = piece.text[left:right]
    if piece.verbatim and piece.span is not None:
        return Piece(text, Span(piece.span.path, piece.span.start + left, piece.span.start + right), verbatim=True)
    return Piece(text, piece.span, because=piece.because, many=piece.many, default=piece.default)


def _joined(pieces: Iterable[Piece]) -> Iterator[Piece]:
    """The pieces without empty ones, verbatim neighbours that touch in the file made one.

    Of a text that is empty altogether the first piece is kept, so that `""` still has a place.
    """
    last: Piece | None = None
    empty: Piece | None = None
    for piece in pieces:
        if not piece.text:
            empty = empty or (piece if piece.span is not None else None)
            continue
        if (
            last is not None
            and last.verbatim
            and piece.verbatim
            and last.span is not None
            and piece.span is not None
            and last.span.path == piece.span.path
            and last.span.end == piece.span.start
        ):
            last = Piece(last.text + piece.text, last.span.to(piece.span), verbatim=True)
            continue
        if last is not None:
            yield last
        last = piece
    if last is not None:
        yield last
    elif empty is not None:
        yield empty
