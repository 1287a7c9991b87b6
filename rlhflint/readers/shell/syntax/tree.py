"""The statements of a shell text."""

from __future__ import annotations

from functools import cached_property
from typing import TypeAlias

from rlhflint.readers.shell.syntax.source import Source
from rlhflint.readers.shell.syntax.token import Redirection, Token
from rlhflint.readers.shell.syntax.word import Word
from rlhflint.records import dataclass
from rlhflint.text import Span


@dataclass(frozen=True)
class Node:
    """A stretch of a text; two nodes are the same only if they are one object."""

    source: Source
    start: int
    end: int

    @property
    def span(self) -> Span:
        """The characters of the file that made it."""
        return self.source.span(self.start, self.end)

    @property
    def text(self) -> str:
        """How it is written."""
        return self.source.text[self.start : self.end]


@dataclass(frozen=True, eq=False)
class Simple(Node):
    """A command with its assignments, words and redirections; `((…))` and `[[…]]` are the only word of theirs."""

    tokens: tuple[Token, ...]

    @cached_property
    def kind(self) -> str:
        """`arithmetic` or `test` for those, else `word`."""
        return next((token.kind for token in self.tokens if token.kind in ("arithmetic", "test")), "word")

    @cached_property
    def words(self) -> tuple[Word, ...]:
        """Its words, assignments included."""
        return tuple(Word(self.source, token.start, token.end) for token in self.tokens if token.kind == "word")

    @cached_property
    def redirections(self) -> tuple[Redirection, ...]:
        """Its redirections in their order."""
        return tuple(token for token in self.tokens if isinstance(token, Redirection))


@dataclass(frozen=True, eq=False)
class AndOr(Node):
    """`left && right` or `left || right`."""

    left: Statement
    operator: str
    right: Statement


@dataclass(frozen=True, eq=False)
class Pipeline(Node):
    """`a | b`."""

    parts: tuple[Statement, ...]


@dataclass(frozen=True, eq=False)
class Negation(Node):
    """`! command`."""

    inner: Statement


@dataclass(frozen=True, eq=False)
class Background(Node):
    """`command &`."""

    inner: Statement


@dataclass(frozen=True, eq=False)
class If(Node):
    """`if`; each branch is its condition, its commands and the place of the condition."""

    branches: tuple[tuple[Body, Body], ...]
    otherwise: Body | None


@dataclass(frozen=True, eq=False)
class For(Node):
    """`for name in words` or `select`; `words` is None for the arguments of the script."""

    name: str
    words: tuple[Word, ...] | None
    body: Body
    chosen: bool = False
    """It is `select`: somebody picks one of the words."""


@dataclass(frozen=True, eq=False)
class ForArithmetic(Node):
    """`for ((first; condition; step))`; the three are places in the text."""

    header: tuple[tuple[int, int], tuple[int, int], tuple[int, int]]
    body: Body


@dataclass(frozen=True, eq=False)
class While(Node):
    """`while` or `until`."""

    condition: Body
    body: Body
    until: bool


@dataclass(frozen=True, eq=False)
class Case(Node):
    """`case word in`; an item is its patterns, its commands and what ends it (`;;`, `;&`, `;;&`)."""

    word: Word
    items: tuple[tuple[tuple[Word, ...], Body, str], ...]


@dataclass(frozen=True, eq=False)
class Function(Node):
    """A function definition."""

    name: str
    body: Body


@dataclass(frozen=True, eq=False)
class Group(Node):
    """`{ …; }`."""

    body: Body


@dataclass(frozen=True, eq=False)
class Subshell(Node):
    """`( … )`."""

    body: Body


Statement: TypeAlias = (
    Simple
    | AndOr
    | Pipeline
    | Negation
    | Background
    | If
    | For
    | ForArithmetic
    | While
    | Case
    | Function
    | Group
    | Subshell
)
Body: TypeAlias = tuple[Statement, ...]
