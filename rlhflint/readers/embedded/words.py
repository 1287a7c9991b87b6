"""Lists of words, as containers start them, written the way a shell reads them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from rlhflint.expressions import expression
from rlhflint.text import HOLE, Piece, Traced

_PLAIN = expression(r"[\w@%+=:,./-]+", re.ASCII)


def command_of(words: Iterable[Traced]) -> Traced:
    """One command whose words are `words`, whatever characters they hold."""
    pieces: list[Piece] = []
    for index, word in enumerate(words):
        if index:
            pieces.append(Piece(" "))
        pieces.extend(word.pieces if _PLAIN.fullmatch(word.text) else _quoted(word))
    return Traced(pieces)


def joined(parts: Iterable[Traced], between: str) -> Traced:
    """Texts one after the other with something between them that no file holds."""
    pieces: list[Piece] = []
    for index, part in enumerate(parts):
        if index:
            pieces.append(Piece(between))
        pieces.extend(part.pieces)
    return Traced(pieces)


def with_holes(text: Traced, pattern: re.Pattern[str], because: str, *, many: bool) -> Traced:
    """A text whose parts that match are filled in by something else before a shell sees them."""
    pieces: list[Piece] = []
    last = 0
    for found in pattern.finditer(text.text):
        pieces.extend(text[last : found.start()].pieces)
        pieces.append(Piece(HOLE, text.span_of(*found.span()), because=because, many=many))
        last = found.end()
    return Traced((*pieces, *text[last:].pieces)) if last else text


def _quoted(word: Traced) -> Iterator[Piece]:
    """A word between single quotes, where only the quote itself has a meaning."""
    yield Piece("'")
    last = 0
    for found in re.finditer("'", word.text):
        yield from word[last : found.start()].pieces
        yield Piece("'\\''", word.span_of(*found.span()))
        last = found.end()
    yield from word[last:].pieces
    yield Piece("'")
