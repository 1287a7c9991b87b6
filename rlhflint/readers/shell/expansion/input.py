"""`read` and `mapfile`: variables filled from a text that stands in the script."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rlhflint.expressions import expression
from rlhflint.readers.shell.expansion.expand import Expansion
from rlhflint.readers.shell.expansion.fields import split
from rlhflint.readers.shell.syntax.word import NAME
from rlhflint.text import Piece, Span, Traced

_VALUED = {"read": "adnNptui", "mapfile": "dnOsuCc", "readarray": "dnOsuCc"}
_BACKSLASH = expression(r"\\(.?)", re.DOTALL)


def read_variables(expansion: Expansion, words: Sequence[Traced], text: Traced | None, span: Span) -> None:
    """`read`: `text` is what it reads, None where that is not known."""
    options, names = _arguments(words)
    array = options.get("a")
    if array is not None:
        names = [array]
    names = names or ["REPLY"]
    if text is None:
        for name in names:
            hole = Traced.hole(f"${name} is read while the script runs", span, many=array is not None)
            expansion.state.assign(name, (hole,) if array is not None else hole)
        return
    delimiter = options.get("d", "\n")[:1]
    end = text.text.find(delimiter) if delimiter else -1
    line = text[0 : end if end >= 0 else len(text)]
    if "r" not in options:
        line = _unescaped(line)
    separators = expansion.separators()
    if array is not None:
        expansion.state.assign(array, tuple(split(line, separators)))
        return
    for name in names[:-1]:
        first, line = _first_word(line, separators)
        expansion.state.assign(name, first)
    blanks = "".join(char for char in separators if char in " \t\n")
    last = _stripped(line, blanks)
    expansion.state.assign(names[-1], last)
    expansion.reading.assigned(names[-1], last)


def read_array(expansion: Expansion, words: Sequence[Traced], text: Traced | None, span: Span) -> None:
    """`mapfile`."""
    options, names = _arguments(words)
    name = names[0] if names else "MAPFILE"
    if text is None:
        expansion.state.assign(name, (Traced.hole(f"${name} is read while the script runs", span, many=True),))
        return
    lines, place = [], 0
    for found in re.finditer(r"\n|$", text.text):
        if found.end() > place or found.group():
            lines.append(text[place : found.start() if "t" in options else found.end()])
        place = found.end()
    expansion.state.assign(name, tuple(lines))


def _arguments(words: Sequence[Traced]) -> tuple[dict[str, str], list[str]]:
    """The options by letter, with their values, and the names behind them."""
    options: dict[str, str] = {}
    at = 1
    while at < len(words) and words[at].text.startswith("-") and len(words[at].text) > 1:
        text = words[at].text
        at += 1
        if text == "--":
            break
        for place, letter in enumerate(text[1:], 1):
            if letter in _VALUED[words[0].text]:
                if place + 1 < len(text):
                    options[letter] = text[place + 1 :]
                else:
                    options[letter] = words[at].text if at < len(words) else ""
                    at += 1
                break
            options[letter] = ""
    return options, [word.text for word in words[at:] if NAME.fullmatch(word.text)]


def _unescaped(text: Traced) -> Traced:
    """What `read` without `-r` makes of backslashes: they go, together with a line end behind them."""
    pieces: list[Piece] = []
    place = 0
    for found in _BACKSLASH.finditer(text.text):
        pieces.extend(text[place : found.start()].pieces)
        if found[1] != "\n":
            pieces.extend(text[found.start(1) : found.end(1)].pieces)
        place = found.end()
    return Traced([*pieces, *text[place : len(text)].pieces])


def _first_word(text: Traced, separators: str) -> tuple[Traced, Traced]:
    blanks = "".join(char for char in separators if char in " \t\n")
    start = len(text.text) - len(text.text.lstrip(blanks)) if blanks else 0
    end = start
    while end < len(text) and text.text[end] not in separators:
        end += 1
    return text[start:end], text[min(end + 1, len(text)) : len(text)]


def _stripped(text: Traced, blanks: str) -> Traced:
    if not blanks:
        return text
    end = len(text.text.rstrip(blanks))
    start = len(text.text) - len(text.text.lstrip(blanks))
    return text[start:end] if start < end else Traced([Piece("", text.span)])
