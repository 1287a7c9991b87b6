"""The skeleton of a shell text: what is left of it when every word is a row of `x`.

It is as long as the text and made of ASCII, so that its byte offsets are the text's characters. Keywords and operators
stand at their places; comments, here-documents, continued line ends, heads of functions and `!`, which the parser
understands in front of a simple command alone, are blank. A parser that reads it cannot trip over a word.
"""

from __future__ import annotations

from rlhflint.command import Problem
from rlhflint.readers.shell.syntax.source import Source
from rlhflint.readers.shell.syntax.token import Scan


class Skeleton:
    """The skeleton in the making. Places are counted in the source's text."""

    def __init__(self, source: Source, end: int, result: Scan) -> None:
        """The skeleton of `source` from `result.start` to `end`; what is noted goes into `result`."""
        self.source = source
        self.start = result.start
        self.end = end
        self.result = result
        self.text = bytearray(b" ") * (end - self.start)

    def problem(
        self, kind: str, start: int, end: int, message: str, remedy: str | None = None, *, hint: str = ""
    ) -> None:
        """Note a problem at `start` to `end` of the text."""
        self.result.problems.append(Problem(kind, self.source.span(start, end), message, remedy, hint))

    def put(self, start: int, end: int, text: bytes) -> None:
        """Write `text`; a single character fills the whole stretch."""
        start, end = start - self.start, min(end, self.end) - self.start
        row = text * (end - start) if len(text) == 1 else text.ljust(end - start)
        self.text[start:end] = row[: end - start]

    def is_blank(self, at: int) -> bool:
        """Whether nothing was written at a place."""
        return self.text[at - self.start :][:1] == b" "

    def loop_in_braces(self, start: int, at: int) -> None:
        """Write the head of a loop that begins at `start` and has a `{` at `at` in the place of `do`.

        The parser knows no such loop; it is written as a function, which nothing else is.
        """
        self.put(start, at + 1, b"x()".ljust(at - start) + b"{")

    def function_head(self, start: int, name: tuple[int, int], at: int) -> None:
        """Blank the head of a function, which begins at `start` and has its body at `at`.

        The parser knows functions whose body is a group alone; the body is written as a statement, and noted.
        """
        self.put(start, at, b" ")
        self.result.heads[at] = start, *name

    def complete(self, text: str) -> None:
        """Write what is missing behind the end of the text."""
        self.text += text.encode()
