"""The grammar of `[[ … ]]`: what a shell refuses between its brackets."""

from __future__ import annotations

from collections.abc import Sequence

from rlhflint.readers.shell.syntax.word import Word

UNARY = frozenset("-" + letter for letter in "abcdefghknoprstuvwxzGLNORS")
COMPARING = frozenset(("-eq", "-ne", "-lt", "-le", "-gt", "-ge", "-nt", "-ot", "-ef"))
BINARY = frozenset(("=", "==", "!=", "=~", "<", ">")) | COMPARING
_JOINING = frozenset(("&&", "||"))
_NO_WORD = _JOINING | {"(", ")", "<", ">"}
_DEEPEST = 50


def refused(words: Sequence[Word]) -> tuple[Word | None, str] | None:
    """The first word of a test that a shell refuses, None for its end, and why; None if it takes all of them.

    It takes operators for operators by how they are written, whatever a variable holds. A test nested more deeply than
    50 brackets is taken for right.
    """
    try:
        return _Test(words).run()
    except _Refused as found:
        return found.word, found.because


class _Refused(Exception):
    def __init__(self, word: Word | None, because: str) -> None:
        super().__init__(because)
        self.word = word
        self.because = because


class _Test:
    def __init__(self, words: Sequence[Word]) -> None:
        self.words = words
        self.at = 0
        self.depth = 0

    def run(self) -> tuple[Word | None, str] | None:
        self.chain()
        if self.depth > _DEEPEST or self.at == len(self.words):
            return None
        return self.words[self.at], "`&&`, `||` or `]]` is expected behind a test"

    @property
    def next(self) -> str:
        """The next word as it is written; empty at the end."""
        return self.words[self.at].text if self.at < len(self.words) else ""

    def refuse(self, because: str) -> _Refused:
        return _Refused(self.words[self.at] if self.at < len(self.words) else None, because)

    def chain(self) -> None:
        self.term()
        while self.next in _JOINING and self.depth <= _DEEPEST:
            self.at += 1
            self.term()

    def term(self) -> None:
        while self.next == "!":
            self.at += 1
        if self.next == "(":
            self.nested()
            return
        operator = self.next
        self.operand("a test is expected here")
        if operator in UNARY:
            self.operand(f"`{operator}` has nothing behind it to test")
        elif self.next in BINARY:
            operator = self.next
            self.at += 1
            self.operand(f"`{operator}` has nothing behind it to compare with")
        elif self.next and self.next not in ("&&", "||", ")"):
            raise self.refuse("an operator is expected behind the first word of a test")

    def nested(self) -> None:
        self.depth += 1
        if self.depth > _DEEPEST:
            return
        self.at += 1
        self.chain()
        if self.depth > _DEEPEST:
            return
        if self.next != ")":
            raise self.refuse("`)` is missing in this test")
        self.at += 1
        self.depth -= 1

    def operand(self, otherwise: str) -> None:
        if not self.next or self.next in _NO_WORD:
            raise self.refuse(otherwise)
        self.at += 1
