"""Comments of a Python text, with the statement, argument or element that they speak of."""

from __future__ import annotations

import io
import re
import tokenize
from collections.abc import Iterator
from dataclasses import field

from rlhflint.records import dataclass
from rlhflint.suppress.comment import Comment, line_start, may_suppress, stands_alone
from rlhflint.suppress.extents import Extents

_BRACKETS = {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}
_SILENT = frozenset({tokenize.NL, tokenize.ENDMARKER, tokenize.ENCODING})
_CLAUSES = frozenset({"else", "elif", "except", "finally"})


@dataclass(slots=True)
class _Python:
    """One pass over the tokens of a text; `lines` are the offsets of its lines."""

    text: str
    lines: list[int]
    extents: Extents = field(default_factory=Extents)
    blocks: int = 0
    brackets: int = 0
    begins: bool = True
    """The next token begins a statement."""
    decorated: bool = False
    last_end: int = 0
    """Where the last statement ended."""
    many_lines: tuple[int, int] = (0, -1)
    """Start of the last token that takes several lines, and the line it ends on."""

    @property
    def depth(self) -> int:
        return self.blocks + self.brackets

    def read(self, token: tokenize.TokenInfo) -> None:
        start = self.lines[token.start[0] - 1] + token.start[1]
        end = self.lines[token.end[0] - 1] + token.end[1]
        if token.type == tokenize.COMMENT:
            self._comment(start, end, token.start[0])
        elif token.type == tokenize.INDENT:
            self.blocks += 1
        elif token.type == tokenize.DEDENT:
            self.blocks -= 1
            self.extents.end(self.depth + 1, self.last_end)
        elif token.type == tokenize.NEWLINE:
            self.begins, self.brackets, self.last_end = True, 0, start
        elif token.type not in _SILENT:
            self._code(token, start, end)

    def _code(self, token: tokenize.TokenInfo, start: int, end: int) -> None:
        if self.begins:
            goes_on = self.decorated or token.string in _CLAUSES
            self.extents.end(self.depth + goes_on, self.last_end)
            self.begins, self.decorated = False, token.string == "@"
        step = _BRACKETS.get(token.string, 0) if token.type == tokenize.OP else 0
        if step < 0 and self.brackets:
            self.brackets -= 1
            self.extents.leave(self.depth, start)
        self.extents.begin(start, self.depth)
        if self.brackets and token.type == tokenize.OP and token.string == ",":
            self.extents.end(self.depth, end)
        if step > 0:
            self.brackets += 1
        if token.start[0] < token.end[0]:
            self.many_lines = start, token.end[0]

    def _comment(self, start: int, end: int, line: int) -> None:
        if not may_suppress(self.text[start:end]):
            return
        if stands_alone(self.text, start):
            self.extents.alone(start, end, self.depth)
            return
        begin, last_line = self.many_lines
        covers = begin if last_line == line else line_start(self.text, start)
        self.extents.comments.append(Comment(start, end, covers, start, alone=False))


def comments(text: str) -> Iterator[Comment]:
    """The comments of a Python text that may hold suppressions, as far as it can be read; a text without a BOM."""
    reader = _Python(text, [0, *(found.end() for found in re.finditer("\n", text)), len(text)])
    try:
        for token in tokenize.generate_tokens(io.StringIO(text, newline="\n").readline):
            reader.read(token)
    except (tokenize.TokenError, SyntaxError):
        pass  # what stands in front of the mistake was read
    yield from reader.extents.finish(max(reader.last_end, 0))
