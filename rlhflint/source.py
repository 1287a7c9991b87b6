"""The text of a file, and places in it as people count."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from functools import cached_property

from rlhflint.records import dataclass


@dataclass(frozen=True, slots=True)
class Position:
    """A place in a file: line and column from 1, columns in characters; `cell` from 1 in a notebook."""

    line: int
    column: int
    cell: int | None = None


@dataclass(frozen=True)
class Source:
    """The text of one file, its line ends kept. `locate` is given where places are not counted in the file's lines."""

    path: str
    """Relative to the working directory, with `/`; as findings name it."""
    text: str
    locate: Callable[[int], Position] | None = None

    @cached_property
    def _starts(self) -> list[int]:
        starts, at = [0], self.text.find("\n")
        while at >= 0:
            starts.append(at + 1)
            at = self.text.find("\n", at + 1)
        return starts

    def position(self, offset: int) -> Position:
        """The line and column of a character, or of the end of the text."""
        return self.locate(offset) if self.locate is not None else self.position_in_file(offset)

    def position_in_file(self, offset: int) -> Position:
        """The line and column in the file itself, also where `position` counts within a cell."""
        offset = min(max(offset, 0), len(self.text))
        line = bisect_right(self._starts, offset)
        return Position(line, offset - self._starts[line - 1] + 1)

    def start_of_line(self, line: int) -> int:
        """The first character of a line, counted from 1; of the text if there is no such line."""
        return self._starts[line - 1] if 0 < line <= len(self._starts) else 0

    def line_at(self, offset: int) -> str:
        """The text of the file's line that holds a character, without its line end."""
        index = bisect_right(self._starts, min(max(offset, 0), len(self.text)))
        start = self._starts[index - 1]
        end = self._starts[index] if index < len(self._starts) else len(self.text)
        return self.text[start:end].rstrip("\r\n")
