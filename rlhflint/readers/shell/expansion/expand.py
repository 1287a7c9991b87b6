"""Words expanded: the texts a command gets for the words it is written with, with the origin of every character."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TypeAlias

from rlhflint.readers.shell import unknown
from rlhflint.readers.shell.expansion.braces import TooMany, alternatives
from rlhflint.readers.shell.expansion.fields import BLANKS, BREAK, Fields, Segment, Segments
from rlhflint.readers.shell.reading import LONGEST_TEXT, Reading
from rlhflint.readers.shell.state import State
from rlhflint.readers.shell.syntax.part import (
    Arithmetic,
    Literal,
    Made,
    Parameter,
    Part,
    Placeholder,
    Process,
    Quotation,
    Quoted,
    Substitution,
)
from rlhflint.readers.shell.syntax.source import Source
from rlhflint.readers.shell.syntax.word import Word, read_parts
from rlhflint.text import Piece, Traced

Substitute: TypeAlias = "Callable[[Expansion, Source, Substitution | Process], Traced]"
"""Gives what a command substitution puts in."""


class Expansion:
    """Expands words in one state. Raises `Undecided` where the result differs between ways."""

    def __init__(self, reading: Reading, state: State, substitute: Substitute) -> None:
        self.reading = reading
        self.state = state
        self.substitute = substitute

    def words(self, words: Iterable[Word]) -> list[Traced]:
        """The arguments that several words become."""
        return [field for word in words for field in self.fields(word)]

    def fields(self, word: Word) -> list[Traced]:
        """The arguments that a word becomes: none, one or several.

        An unknown part outside quotes may be any number of words. It is marked as `many` only where it is the whole
        word: glued to other text, as in `ckpt/$1` or `--lr=$LR`, one word is what is meant.
        """
        try:
            words = alternatives(word.source, word.parts)
        except TooMany:
            because = f"{unknown.shortened(word.text)} stands for too many words"
            return [Traced.hole(because, word.source.span(word.start, word.end), many=True)]
        return [field for parts in words for field in self._fields(word.source, parts)]

    def _fields(self, source: Source, parts: Sequence[Part]) -> Iterator[Traced]:
        builder = Fields(self.separators(), extended=self.reading.extended)
        for segment in self.segments(source, parts, quoted=False):
            builder.add(segment)
        for field in builder.finish():
            self.spend(field)
            yield field

    def text(self, word: Word) -> Traced:
        """The text of a word that is not split: a value that is assigned, a file to redirect to."""
        return self.joined(self.segments(word.source, word.parts, quoted=False))

    def document(self, source: Source, start: int, end: int, *, literal: bool) -> Traced:
        """The text of a here-document."""
        if literal:
            return source.cut(start, end)
        parts = read_parts(source, start, end, document=True)
        return self.joined(self.segments(source, parts, quoted=True))

    def joined(self, segments: Segments) -> Traced:
        """Segments as one text, elements of a list joined by blanks; nothing in it is `many`."""
        pieces: list[Piece] = []
        for segment in segments:
            if segment is BREAK:
                pieces.append(Piece(" "))
            else:
                pieces.extend(replace(piece, many=False) if piece.many else piece for piece in segment.text.pieces)
        return self.limited(Traced(pieces))

    def limited(self, text: Traced) -> Traced:
        """A text, or something unknown in its place if it has become too long."""
        self.spend(text)
        if len(text) > LONGEST_TEXT or len(text.pieces) > LONGEST_TEXT // 8:
            return Traced.hole(unknown.TOO_LONG, text.span)
        return text

    def spend(self, text: Traced) -> None:
        """Count the work a text took."""
        self.reading.work += len(text) + 8 * len(text.pieces)

    def separators(self) -> str:
        """The characters that split words: `$IFS`."""
        variable = self.state.variable("IFS")
        if variable is None or variable.scalar is None or not variable.scalar.known:
            return BLANKS
        return variable.scalar.text

    def segments(self, source: Source, parts: Iterable[Part], *, quoted: bool) -> Segments:
        """What parts expand to, before it is split into words."""
        found: Segments = []
        for part in parts:
            match part:
                case Literal():
                    found.append(Segment(source.cut(part.start, part.end), quoted, written=True))
                case Quoted():
                    found.append(Segment(source.cut(part.start, part.end), quoted=True))
                case Made():
                    made = Traced.made(part.text, source.span(part.start, part.end))
                    found.append(Segment(made, quoted=True))
                case Placeholder():
                    span = source.span(part.start, part.end)
                    because = f"{source.text[part.start : part.end]} is a placeholder"
                    found.append(Segment(Traced.hole(because, span), quoted=True))
                case Quotation():
                    self._quotation(source, part, found)
                case Parameter():
                    found.extend(self._parameter(source, part, quoted=quoted))
                case Arithmetic():
                    from rlhflint.readers.shell.expansion.arithmetic import result

                    number = result(self, self.arithmetic_text(source, *part.inner), source.span(part.start, part.end))
                    found.append(Segment(number, quoted))
                case Substitution():
                    found.append(Segment(self.substitute(self, source, part), quoted))
                case Process():
                    found.append(Segment(self.substitute(self, source, part), quoted=True))
        return found

    def _quotation(self, source: Source, part: Quotation, found: Segments) -> None:
        inner = self.segments(source, part.parts, quoted=True)
        lists_only = bool(part.parts) and not inner
        if not any(segment is not BREAK and segment.text.text for segment in inner) and not lists_only:
            empty = Piece("", source.span(part.start, part.end))
            found.append(Segment(Traced([empty]), quoted=True))
        found.extend(inner)

    def _parameter(self, source: Source, part: Parameter, *, quoted: bool) -> Segments:
        from rlhflint.readers.shell.expansion.parameter import expand_parameter

        return expand_parameter(self, source, part, quoted=quoted)

    def arithmetic_text(self, source: Source, start: int, end: int) -> Traced:
        """The text of an arithmetic expression, its `$` and quotes gone."""
        parts = read_parts(source, start, end, double=True, argument=True)
        return self.joined(self.segments(source, parts, quoted=True))
