"""What a call was given, as functions that are known ask for it."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TypeAlias

from rlhflint.call import Origin
from rlhflint.readers.python.run import Run
from rlhflint.readers.python.values import Abstract, Entry, Spread

Given: TypeAlias = tuple[Entry | Spread, ...]
"""The arguments of a call."""
Known: TypeAlias = Callable[[Run, Given, ast.expr], "Abstract | None"]
"""A function that is known: None where this call of it is not."""


def positions(given: Given) -> list[Abstract] | None:
    """The values of a call with positions only."""
    values = [one.value for one in given if isinstance(one, Entry) and one.origin is Origin.POSITION]
    return values if len(values) == len(given) else None


def argument(given: Given, position: int, name: str) -> Abstract | None:
    """The argument at a position (from 0) or of a name; None where it is not given."""
    for one in given:
        if isinstance(one, Entry) and one.name in (position, name):
            return one.value
    return None
