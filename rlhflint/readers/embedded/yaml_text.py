"""The text of a YAML scalar with the place of each character, line by line for blocks."""

from __future__ import annotations

from typing import Any

from rlhflint.expressions import expression
from rlhflint.text import Piece, Traced

_LINE = expression(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
_ENDS = "\r\n"


def text_of_scalar(node: Any, traced: Traced) -> Traced:
    """The text that a loader makes of a scalar node; the whole is one made piece where its lines are not clear.

    Args:
        node: a composed scalar of ruamel.yaml.
        traced: the text of the file that the node's marks count in.
    """
    start, end = node.start_mark.index, node.end_mark.index
    if node.style in ("|", ">"):
        found = _block(traced, start, end, folded=node.style == ">")
    elif node.style in ("'", '"'):
        found = _flowing(traced, start + 1, end - 1)
    else:
        found = _flowing(traced, start, end)
    wanted = node.value
    if found.text == wanted:
        return found
    if found.text.startswith(wanted) and not found.text[len(wanted) :].strip():
        return found[: len(wanted)]
    return Traced.made(wanted, traced.span_of(start, end))


def _lines(traced: Traced, start: int, end: int) -> list[tuple[int, str]]:
    """The lines of a stretch without their ends, each with the place where it starts."""
    return [(line.start(), line[0].rstrip(_ENDS)) for line in _LINE.finditer(traced.text, start, end)]


def _block(traced: Traced, start: int, end: int, *, folded: bool) -> Traced:
    """A `|` or `>` block: its lines without their indentation, folded ones joined by blanks."""
    lines = _lines(traced, start, end)[1:]
    full = [line for _, line in lines if line.strip(" ")]
    if not full:
        return Traced()
    indent = len(full[0]) - len(full[0].lstrip(" "))
    pieces: list[Piece] = []
    before = ""
    blanks = 0
    for place, line in lines:
        content = line[indent:]
        if not content and folded:
            blanks += 1
            continue
        if folded and pieces:
            pieces.append(_fold(traced, place, before, content, blanks))
        blanks = 0
        pieces.extend(traced[place + indent : place + len(line)].pieces)
        if not folded:
            pieces.append(_newline(traced, place + len(line)))
        before = content
    if folded:
        pieces.append(Piece("\n"))
    return Traced(pieces)


def _fold(traced: Traced, place: int, before: str, after: str, blanks: int) -> Piece:
    """What stands for the line end between two lines of a folded block."""
    wide = before[:1] in (" ", "\t") or after[:1] in (" ", "\t")
    made = "\n" * (blanks + 1 if wide else blanks)
    return Piece(made or " ", traced.span_of(place - 1, place))


def _newline(traced: Traced, place: int) -> Piece:
    if traced.text[place : place + 1] == "\n":
        return traced[place : place + 1].pieces[0]
    return Piece("\n", traced.span_of(place, place + 1))


def _flowing(traced: Traced, start: int, end: int) -> Traced:
    """A plain or quoted scalar: lines joined by blanks, what stands around them left out."""
    lines = _lines(traced, start, end)
    if len(lines) < 2:
        return traced[start:end]
    pieces: list[Piece] = []
    blanks = 0
    for number, (place, line) in enumerate(lines):
        left = 0 if number == 0 else len(line) - len(line.lstrip(" \t"))
        right = len(line) if number == len(lines) - 1 else len(line.rstrip(" \t"))
        if number and left >= len(line):
            blanks += 1
            continue
        if number:
            pieces.append(Piece("\n" * blanks or " ", traced.span_of(place - 1, place)))
        blanks = 0
        pieces.extend(traced[place + left : place + right].pieces)
    return Traced(pieces)
