"""Which tokens and places of a text the nodes of its skeleton's parse tree stand for."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING

from rlhflint.expressions import expression
from rlhflint.readers.shell.syntax.source import Source
from rlhflint.readers.shell.syntax.token import Scan, Token

if TYPE_CHECKING:
    from tree_sitter import Node

_NOT_BLANK = expression(rb"[^ ]")


class Places:
    """The places of one text that was scanned."""

    def __init__(self, source: Source, scanned: Scan) -> None:
        self.source = source
        self.scanned = scanned
        self._starts = [token.start for token in scanned.tokens]
        self._negated = _negated(scanned)

    def tokens(self, start: int, end: int) -> tuple[Token, ...]:
        """The tokens between two places of the text."""
        first, last = bisect_left(self._starts, start), bisect_left(self._starts, end)
        return tuple(self.scanned.tokens[first:last])

    def at(self, byte: int) -> int:
        """The place in the text of a byte of the skeleton."""
        return min(byte + self.scanned.start, len(self.source.text))

    def bounds(self, node: Node) -> tuple[int, int]:
        """The place where a node begins, and the one behind it."""
        return self.at(node.start_byte), self.at(node.end_byte)

    def negation(self, node: Node) -> int | None:
        """Where the `!` in front of a statement stands; None without one, and where two cancel out."""
        return self._negated.get(self.at(node.start_byte)) if node.type != "list" else None


def _negated(scanned: Scan) -> dict[int, int]:
    """Where statements begin that a `!` stands in front of, with the place of the `!`; two of them cancel out."""
    found: dict[int, int] = {}
    behind, target = len(scanned.skeleton), -1
    for place in reversed(scanned.negations):
        match = _NOT_BLANK.search(scanned.skeleton, place - scanned.start, behind)
        behind = place - scanned.start
        target = match.start() + scanned.start if match is not None else target
        if found.pop(target, None) is None:
            found[target] = place
    return found
