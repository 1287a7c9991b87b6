"""The tokens that commands are made of, as the scanner finds them."""

from __future__ import annotations

from dataclasses import field

from rlhflint.command import Problem
from rlhflint.records import dataclass
from rlhflint.text import Traced


@dataclass(slots=True)
class Token:
    """A word (`word`), `((…))` (`arithmetic`) or `[[…]]` (`test`); places are counted in the source's text."""

    kind: str
    start: int
    end: int


@dataclass(slots=True)
class Redirection(Token):
    """`> file`, `2>&1`, `<<EOF`: `target` is the word behind the operator, `body` the lines of a here-document."""

    operator: str = ""
    target: tuple[int, int] = (0, 0)
    body: tuple[int, int] | None = None
    literal: bool = False
    """Nothing in the here-document is expanded, because its delimiter is quoted."""


@dataclass(slots=True)
class Scan:
    """What the scanner made of one text: see `rlhflint.readers.shell.syntax.scan`."""

    start: int
    tokens: list[Token] = field(default_factory=list)
    skeleton: bytes = b""
    negations: list[int] = field(default_factory=list)
    """Where a `!` stands in front of a pipeline."""
    heads: dict[int, tuple[int, int, int]] = field(default_factory=dict)
    """Where bodies of functions begin, with the places of the head, of its name, and behind that."""
    problems: list[Problem] = field(default_factory=list)
    directives: list[Traced] = field(default_factory=list)
