"""A Python text, parsed, with the place of each node in the file."""

from __future__ import annotations

import ast
import sys
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from rlhflint.command import Problem
from rlhflint.expressions import expression
from rlhflint.python_syntax import TooDeep, syntax_tree
from rlhflint.text import HOLE, Piece, Span, Traced

STAND_IN = "ꙮ"
"""Stands for a part of the text that is not known: a letter, so that it may be a name or part of one."""

MOST_CHARACTERS = 400_000
"""Longer texts are not read: a module that a person wrote is ten times shorter."""

_LINE_END = expression(r"\r\n|\r|\n")
_BLANKS = expression(r"\s+")
_LONGEST_WORDS = 60


class Source:
    """One text made of `parts` (the cells of a notebook; one part for a file), each of which is parsed on its own.

    `holes`: parts of it are not known (a variable of the shell script that the text stands in).
    """

    def __init__(self, path: str, parts: Sequence[Traced]) -> None:
        pieces: list[Piece] = []
        starts: list[int] = []
        length = 0
        for part in parts:
            if pieces:
                pieces.append(Piece("\n", part.span_of(0, 0)))
                length += 1
            starts.append(length)
            pieces += part.pieces
            length += len(part)
        self.traced = Traced(pieces)
        self.holes = not self.traced.known
        self.text = self.traced.text.replace(HOLE, STAND_IN) if self.holes else self.traced.text
        self._path = path
        self._bounds = [
            *zip(starts, (start + len(part) for start, part in zip(starts, parts, strict=True)), strict=True)
        ]
        self._lines = [0, *(match.end() for match in _LINE_END.finditer(self.text))]
        self._ascii = self.text.isascii()
        self._within: Span | None = None

    def parse(self) -> Iterator[ast.Module | Problem]:
        """The statements of each part, or why it could not be parsed."""
        for start, end in self._bounds:
            # A byte order mark is no part of the language; a blank would indent the first line.
            first = start + self.text.startswith("\ufeff", start)
            line = bisect_right(self._lines, start) - 1
            try:
                tree = syntax_tree(self.text[first:end])
            except SyntaxError as error:
                if self.holes:
                    # What is not known may make it right.
                    continue
                place = self._offset_of_error(error, line, first, end)
                yield self._problem("syntax", place, error.msg or "invalid syntax")
            except TooDeep:
                yield self._problem("too-deep", first, "expressions or blocks are nested too deeply")
            except ValueError as error:
                yield self._problem("syntax", first, str(error))
            else:
                if line:
                    ast.increment_lineno(tree, line)
                yield tree

    def start(self, node: ast.expr | ast.stmt | ast.keyword | ast.alias | ast.pattern) -> int:
        """Where a node starts, in characters of the text."""
        return self._offset(node.lineno, node.col_offset)

    def end(self, node: ast.expr | ast.stmt | ast.keyword | ast.alias | ast.pattern) -> int:
        """Where a node ends, in characters of the text."""
        return self._offset(node.end_lineno or node.lineno, node.end_col_offset or node.col_offset)

    def span(self, node: ast.expr | ast.stmt | ast.keyword | ast.alias | ast.pattern) -> Span:
        """The characters of the file that a node was read from."""
        return self._within or self.span_of(self.start(node), self.end(node))

    def span_of(self, start: int, end: int) -> Span:
        """The characters of the file that a stretch of the text was made from."""
        return self.traced.span_of(start, end) or Span(self._path, 0, 0)

    def written(self, node: ast.expr | ast.stmt | ast.keyword) -> str:
        """The text of a node as it is written."""
        if self._within:
            return ast.unparse(node)
        return self.text[self.start(node) : self.end(node)]

    def words(self, node: ast.expr) -> str:
        """The text of a node on one line, cut off where it is long."""
        text = _BLANKS.sub(" ", self.written(node)).strip()
        return text if len(text) <= _LONGEST_WORDS else text[: _LONGEST_WORDS - 1] + "…"

    @contextmanager
    def inside(self, node: ast.JoinedStr) -> Iterator[None]:
        """While it lasts, every node has the place of `node`: Python 3.11 does not place what is inside an f-string."""
        before, self._within = self._within, self.span(node)
        try:
            yield
        finally:
            self._within = before

    def _offset(self, line: int, column: int) -> int:
        """Line (from 1) and column (bytes of UTF-8) as ast counts them, in characters of the text."""
        index = min(max(line, 1), len(self._lines)) - 1
        start = self._lines[index]
        if self._ascii:
            return min(start + column, len(self.text))
        end = self._lines[index + 1] if index + 1 < len(self._lines) else len(self.text)
        text = self.text[start:end]
        if text.startswith("\ufeff"):
            start, text = start + 1, text[1:]
        if text.isascii():
            return min(start + column, len(self.text))
        return start + len(text.encode("utf-8", "replace")[:column].decode("utf-8", "ignore"))

    def _offset_of_error(self, error: SyntaxError, line: int, start: int, end: int) -> int:
        index = min(max((error.lineno or 1) + line, 1), len(self._lines)) - 1
        first = max(self._lines[index], start)
        last = self._lines[index + 1] if index + 1 < len(self._lines) else end
        return min(first + max((error.offset or 1) - 1, 0), max(last - 1, first), end)

    def _problem(self, kind: str, place: int, message: str) -> Problem:
        version = f"{sys.version_info.major}.{sys.version_info.minor}"
        place = min(place, max(len(self.text) - 1, 0))
        return Problem(kind, self.span_of(place, place + 1), f"could not be parsed by Python {version}: {message}")
