"""What is open at a point of the module: scopes, and the ways out of loops and functions."""

from __future__ import annotations

import ast
from dataclasses import field

from rlhflint.readers.python.conditions import Condition, Conditions
from rlhflint.readers.python.store import Writes
from rlhflint.readers.python.values import Abstract
from rlhflint.records import dataclass


@dataclass(slots=True)
class Frame:
    """A scope: the module, a function that is followed, the body of a class.

    `outer` are the frames it sees besides the module, innermost first. `elsewhere` are the names declared `global` or
    `nonlocal`, with the frame they are in.
    """

    number: int
    name: str
    outer: tuple[int, ...] = ()
    node: ast.AST | None = None
    elsewhere: dict[str, int] = field(default_factory=dict)

    @property
    def inner(self) -> tuple[int, ...]:
        """What a scope that stands in this one sees besides the module, innermost first."""
        return self.outer if self.number == 0 else (self.number, *self.outer)


@dataclass(slots=True)
class Exits:
    """Where `return`, `break`, `continue` or `raise` lead: the ways on which they were taken so far.

    `bars` hold on what follows: that none of these ways was taken. `broken`: `break` was among them. `blurred`: under
    which conditions is too much to follow.
    """

    kind: str
    depth: int
    path: int
    ways: list[tuple[Conditions, Writes, Abstract]] = field(default_factory=list)
    bars: list[Condition] = field(default_factory=list)
    broken: bool = False
    blurred: bool = False
