"""What is open at a point of the module: scopes, and the ways out of loops, functions and what is tried."""

from __future__ import annotations

import ast
from dataclasses import field

from rlhflint.readers.python.conditions import Condition, Conditions
from rlhflint.readers.python.store import Writes
from rlhflint.readers.python.values import Abstract
from rlhflint.records import dataclass


class Exhausted(Exception):
    """The module takes more steps than the bound."""


class Ended(Exception):
    """An expression is never done: it raises for sure ("try"), or ends the program ("exit"); see `Run.leave`."""

    def __init__(self, kind: str = "try") -> None:
        super().__init__(kind)
        self.kind = kind


@dataclass(slots=True)
class Frame:
    """A scope: the module, a function that is followed, the body of a class.

    `outer` are the frames it sees besides the module, innermost first. `elsewhere` are the names declared `global` or
    `nonlocal`, with the frame they are in. `own` are the names that a function binds: outside of it they are others.
    """

    number: int
    name: str
    outer: tuple[int, ...] = ()
    node: ast.AST | None = None
    elsewhere: dict[str, int] = field(default_factory=dict)
    own: frozenset[str] = frozenset()

    @property
    def inner(self) -> tuple[int, ...]:
        """What a scope that stands in this one sees besides the module, innermost first."""
        return self.outer if self.number == 0 else (self.number, *self.outer)


@dataclass(slots=True)
class Exits:
    """Where `return`, `break`, `continue` or `raise` lead, or what they come by: the ways taken so far.

    `bars` hold on what follows: that none of these ways was taken. `broken`: on how many of them `break` was.
    `blurred`: under which conditions is too much to follow.
    """

    kind: str
    depth: int
    path: int
    ways: list[tuple[Conditions, Writes, Abstract]] = field(default_factory=list)
    bars: list[Condition] = field(default_factory=list)
    broken: int = 0
    blurred: bool = False
