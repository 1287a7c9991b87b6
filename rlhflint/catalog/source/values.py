"""The values that statically read Python is made of.

They are plain Python objects (text, numbers, lists, dicts) that were written as literals, within bounds on size, and
what the program defines. What cannot be known is `UNKNOWN`, and everything made of it is too.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import field
from typing import Any, Final, TypeAlias

from rlhflint.records import dataclass

LONGEST = 5_000
"""Characters of a text, entries of a list, bits of a number: what would grow longer is not known."""


class _Unknown:
    def __repr__(self) -> str:
        return "UNKNOWN"


UNKNOWN: Final = _Unknown()

PythonValue: TypeAlias = Any
"""A literal, one of the classes below, or `UNKNOWN`."""


@dataclass(frozen=True, slots=True)
class External:
    """Something of another package or a builtin, by its full name: `argparse.ArgumentParser`, `builtins.int`."""

    name: str


@dataclass(slots=True)
class Scope:
    """The names of a module or of one call of a function."""

    names: dict[str, PythonValue] = field(default_factory=dict)
    outer: Scope | None = None

    def look_up(self, name: str) -> PythonValue:
        """The value of a name, `UNKNOWN` where nothing known binds it."""
        scope: Scope | None = self
        while scope is not None:
            if name in scope.names:
                return scope.names[name]
            scope = scope.outer
        return UNKNOWN


@dataclass(slots=True)
class Module:
    """A module of the tree that is read. `speaks_of_parsers`: its text mentions argparse or what belongs to it."""

    path: str
    scope: Scope
    speaks_of_parsers: bool


@dataclass(frozen=True, slots=True)
class Later:
    """A name imported from a module of the tree that was not read yet."""

    module: str
    importer: str
    name: str = ""


@dataclass(frozen=True, slots=True)
class Function:
    """A function or lambda of the tree. `bound` is what its first parameter gets."""

    node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
    module: Module
    scope: Scope
    bound: PythonValue = None


@dataclass(frozen=True, slots=True)
class Class:
    """A class of the tree with the values of its base classes and the names its body binds."""

    node: ast.ClassDef
    module: Module
    bases: tuple[PythonValue, ...]
    names: dict[str, PythonValue]


@dataclass(eq=False, slots=True)
class Instance:
    """An object of a class of the tree."""

    of: Class
    attributes: dict[str, PythonValue] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Method:
    """A method of a text, list, dict or parser, before it is called."""

    owner: PythonValue
    name: str


def is_literal(value: PythonValue) -> bool:
    """It is text, a number, true, false, None or a list, set or dict, whatever is in it."""
    return value is None or isinstance(value, (str, int, float, list, dict, set))


def weight(value: PythonValue) -> int:
    """How many values it holds all the way down, counting a shared one each time; at most `LONGEST` + 1."""
    count, stack = 0, [value]
    while stack and count <= LONGEST:
        item = stack.pop()
        count += 1 + (len(item) // 100 if isinstance(item, str) else 0)
        if isinstance(item, dict):
            stack += [*item.keys(), *item.values()]
        elif isinstance(item, (list, set)):
            stack += item
    return count


def known(value: PythonValue) -> bool:
    """It is a literal all the way down, of a size that may be worked with."""
    count, stack = 0, [value]
    while stack:
        item = stack.pop()
        count += 1
        if count > LONGEST or not is_literal(item):
            return False
        if isinstance(item, dict):
            stack += [*item.keys(), *item.values()]
        elif isinstance(item, (list, set)):
            stack += item
    return True


def agreed(ways: Sequence[PythonValue]) -> PythonValue:
    """The value if it is the same on all ways, else `UNKNOWN`."""
    first = ways[0] if ways else UNKNOWN
    for value in ways[1:]:
        if value is first:
            continue
        if type(value) is not type(first) or not known(value) or not known(first) or value != first:
            return UNKNOWN
    return first


def truth(value: PythonValue) -> bool | None:
    """Whether it counts as true; None where that is not known."""
    return bool(value) if is_literal(value) else None


def bounded(value: PythonValue) -> PythonValue:
    """The value, `UNKNOWN` if it grew too long."""
    if isinstance(value, (str, list, dict, set)) and len(value) > LONGEST:
        return UNKNOWN
    if isinstance(value, int) and value.bit_length() > LONGEST:
        return UNKNOWN
    return value


def spoil(container: PythonValue) -> None:
    """Note in a list, set or dict that something else may be in it too."""
    if isinstance(container, list):
        container.append(UNKNOWN)
    elif isinstance(container, dict):
        container[UNKNOWN] = UNKNOWN
    elif isinstance(container, set):
        container.add(UNKNOWN)
