"""Numbers of the lines that places in a long text lie on."""

from __future__ import annotations


class Lines:
    """Counts lines from 1; cheap for places that are asked for in their order."""

    __slots__ = ("_line", "_offset", "_text")

    def __init__(self, text: str) -> None:
        self._text = text
        self._offset = 0
        self._line = 1

    def at(self, offset: int) -> int:
        """The line that the character at `offset` is on."""
        if offset < self._offset:
            self._offset, self._line = 0, 1
        self._line += self._text.count("\n", self._offset, offset)
        self._offset = offset
        return self._line
