"""The operators of `${…}` that change a text: `%`, `#`, `/`, `^`, `,`, `@`. What is left keeps its origin."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from rlhflint.readers.shell import unknown
from rlhflint.readers.shell.expansion.expand import Expansion
from rlhflint.readers.shell.expansion.fields import pattern_of
from rlhflint.readers.shell.expansion.pattern import NotMatched, Pattern
from rlhflint.readers.shell.syntax.part import Literal, Parameter, Part, Quoted
from rlhflint.readers.shell.syntax.source import Source
from rlhflint.readers.shell.syntax.word import read_parts
from rlhflint.text import Piece, Span, Traced

_MOST_REPLACEMENTS = 1000


def edited(expansion: Expansion, source: Source, part: Parameter, value: Traced, span: Span) -> Traced:
    """A value changed by the operator of `part`. Of an unknown value with a default the default is changed."""
    if value.because == unknown.SCRIPT and part.operator == "%" and source.text[slice(*part.argument)] == "/*":
        return Traced.hole(unknown.SCRIPT_FOLDER, span)
    editor = _Editor(expansion, source, part)
    try:
        if value.known:
            return editor.run(value)
        if value.default is not None:
            changed = editor.run(Traced.made(value.default, span))
            return Traced.hole(value.because, span, default=changed.default)
    except NotMatched:
        pass
    written = source.text[part.start : part.end]
    return Traced.hole(value.because or f"{written} is not followed", span, many=value.many)


class _Editor:
    def __init__(self, expansion: Expansion, source: Source, part: Parameter) -> None:
        self.expansion = expansion
        self.source = source
        self.operator = part.operator
        self.parts = read_parts(source, *part.argument)

    def run(self, value: Traced) -> Traced:
        """The value changed. Raises `NotMatched` where it cannot be told."""
        match self.operator:
            case "#" | "##":
                length = self.pattern(self.parts).prefix(value.text, longest=self.operator == "##")
                return value[length or 0 : len(value)]
            case "%" | "%%":
                length = self.pattern(self.parts).suffix(value.text, longest=self.operator == "%%")
                return value[0 : len(value) - (length or 0)]
            case "/" | "//":
                return self.replaced(value)
            case "^" | "^^" | "," | ",,":
                return self.cased(value)
        raise NotMatched

    def pattern(self, parts: tuple[Part, ...]) -> Pattern:
        segments = self.expansion.segments(self.source, parts, quoted=False)
        if not self.expansion.joined(segments).known:
            raise NotMatched
        return pattern_of(segments)

    def cased(self, value: Traced) -> Traced:
        change: Callable[[str], str] = str.upper if self.operator[0] == "^" else str.lower
        if self.parts:
            raise NotMatched
        pieces: list[Piece] = []
        first_only = len(self.operator) == 1
        for index, piece in enumerate(value.pieces):
            end = len(piece.text) if not first_only else int(index == 0)
            text = change(piece.text[:end]) + piece.text[end:]
            pieces.append(piece if text == piece.text else replace(piece, text=text, verbatim=False))
        return Traced(pieces)

    def replaced(self, value: Traced) -> Traced:
        parts, replacement_parts = self.halves()
        first = self.source.text[parts[0].start] if parts and isinstance(parts[0], Literal) else ""
        anchored = self.operator == "/" and first in ("#", "%")
        if anchored:
            parts = (Literal(parts[0].start + 1, parts[0].end), *parts[1:])
        pattern = self.pattern(parts)
        replacement = self.expansion.joined(self.expansion.segments(self.source, replacement_parts, quoted=True))
        if anchored:
            measure = pattern.prefix if first == "#" else pattern.suffix
            length = measure(value.text, longest=True)
            if length is None:
                return value
            if first == "#":
                return replacement + value[length : len(value)]
            return value[0 : len(value) - length] + replacement
        return self.replaced_everywhere(value, pattern, replacement)

    def replaced_everywhere(self, value: Traced, pattern: Pattern, replacement: Traced) -> Traced:
        result, place = Traced(), 0
        for _ in range(_MOST_REPLACEMENTS):
            found = pattern.find(value.text, place)
            if found is None or found[1] == found[0]:
                return result + value[place : len(value)]
            result = result + value[place : found[0]] + replacement
            place = found[1]
            if self.operator == "/":
                return result + value[place : len(value)]
        raise NotMatched

    def halves(self) -> tuple[tuple[Part, ...], tuple[Part, ...]]:
        """The parts of the pattern and of the replacement, which a slash outside quotes separates."""
        for index, part in enumerate(self.parts):
            if not isinstance(part, Literal | Quoted):
                continue
            slash = self.source.text.find("/", part.start, part.end) if isinstance(part, Literal) else -1
            if slash == part.start and index == 0:
                # A slash at the head is part of the pattern.
                slash = self.source.text.find("/", part.start + 1, part.end)
            if slash >= 0:
                before = (*self.parts[:index], Literal(part.start, slash))
                return before, (Literal(slash + 1, part.end), *self.parts[index + 1 :])
        return self.parts, ()
