"""The values that statically read Python is made of, and the operations on them that are safe to carry out.

Everything here works on plain Python objects (text, numbers, lists, dicts) that were written as literals, within
bounds on size. What cannot be known is `UNKNOWN`, and everything made of it is too.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, ItemsView, KeysView, Mapping, Sequence, ValuesView
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
        return External(f"builtins.{name}") if name in _BUILTINS else UNKNOWN


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


def binary(op: ast.operator, left: PythonValue, right: PythonValue) -> PythonValue:
    """`left OP right`."""
    function = _BINARY.get(type(op))
    if function is None or not is_literal(left) or not is_literal(right):
        return UNKNOWN
    if isinstance(op, ast.Mult) and not _may_multiply(left, right):
        return UNKNOWN
    if isinstance(op, ast.Pow) and not (_small(left, 10**6) and _small(right, 64)):
        return UNKNOWN
    if isinstance(op, ast.Mod) and isinstance(left, str):
        return formatted(left, right)
    return _attempt(function, left, right)


def formatted(template: str, values: PythonValue) -> PythonValue:
    """`template % values`; only plain `%s` and `%d`, as a width could ask for any length."""
    if not known(values) or any(part[:1] not in "sd%" for part in template.split("%")[1:]):
        return UNKNOWN
    return _attempt(operator.mod, template, tuple(values) if isinstance(values, list) else values)


def compare(op: ast.cmpop, left: PythonValue, right: PythonValue) -> PythonValue:
    """`left OP right`, for a comparison."""
    function = _COMPARE.get(type(op))
    if function is None or not known(left) or not known(right):
        return UNKNOWN
    return _attempt(function, left, right)


def unary(op: ast.unaryop, operand: PythonValue) -> PythonValue:
    """`OP operand`."""
    if isinstance(op, ast.Not):
        value = truth(operand)
        return UNKNOWN if value is None else not value
    if isinstance(operand, (int, float)) and isinstance(op, (ast.USub, ast.UAdd)):
        return -operand if isinstance(op, ast.USub) else +operand
    return UNKNOWN


def subscript(owner: PythonValue, index: PythonValue) -> PythonValue:
    """`owner[index]`."""
    if isinstance(owner, (str, list, dict)) and isinstance(index, (str, int)):
        return _attempt(operator.getitem, owner, index)
    return UNKNOWN


def call_builtin(name: str, arguments: Sequence[PythonValue]) -> PythonValue:
    """A builtin function on known arguments: `int("3")`, `range(4)`, `zip(a, b)`."""
    function = _CALLS.get(name)
    if function is None or not all(known(argument) for argument in arguments):
        return UNKNOWN
    if name == "range" and not all(_small(argument, LONGEST) for argument in arguments):
        return UNKNOWN
    return _attempt(function, *arguments)


def call_method(owner: PythonValue, name: str, arguments: Sequence[PythonValue]) -> PythonValue:
    """A method of a text, list, dict or set on known arguments; those that change the object do change it.

    A container that a method may have changed in a way not followed here holds `UNKNOWN` from then on.
    """
    kind = type(owner).__name__
    result: PythonValue = UNKNOWN
    if name in _PLAIN_METHODS.get(kind, ()) and len(owner) <= LONGEST:
        result = _attempt(getattr(owner, name), *arguments)
    elif name in _METHODS.get(kind, ()) and known(owner) and all(known(argument) for argument in arguments):
        fits = kind != "str" or (len(owner) + 1) * sum(weight(argument) for argument in arguments) <= LONGEST * 100
        if fits and not (name == "format" and owner.count("{") != owner.count("{}")):
            result = _attempt(getattr(owner, name), *arguments)
    if result is UNKNOWN:
        spoil(owner)
    return result


def spoil(container: PythonValue) -> None:
    """Note in a list, set or dict that something else may be in it too."""
    if isinstance(container, list):
        container.append(UNKNOWN)
    elif isinstance(container, dict):
        container[UNKNOWN] = UNKNOWN
    elif isinstance(container, set):
        container.add(UNKNOWN)


def _attempt(function: Callable[..., object], *arguments: PythonValue) -> PythonValue:
    try:
        result = function(*arguments)
    except (TypeError, ValueError, LookupError, ArithmeticError, AttributeError):
        return UNKNOWN
    if isinstance(result, (tuple, range, KeysView, ValuesView, ItemsView)):
        result = [list(item) if isinstance(item, tuple) else item for item in result]
    return bounded(result)


def _may_multiply(left: PythonValue, right: PythonValue) -> bool:
    if isinstance(left, (str, list)) or isinstance(right, (str, list)):
        text, count = (left, right) if isinstance(left, (str, list)) else (right, left)
        return isinstance(count, int) and len(text) * count <= LONGEST
    return True


def _small(value: PythonValue, bound: int) -> bool:
    return isinstance(value, (int, float)) and abs(value) <= bound


_BINARY: Mapping[type[ast.operator], Callable[[Any, Any], object]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: operator.pow,
    ast.BitOr: operator.or_,
}
_COMPARE: Mapping[type[ast.cmpop], Callable[[Any, Any], object]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.In: lambda left, right: left in right,
    ast.NotIn: lambda left, right: left not in right,
    ast.Is: lambda left, right: left is right if left is None or right is None else left == right,
    ast.IsNot: lambda left, right: left is not right if left is None or right is None else left != right,
}
_CALLS: Mapping[str, Callable[..., object]] = {
    "int": int,
    "float": float,
    "str": str,
    "bool": bool,
    "list": list,
    "tuple": list,
    "set": set,
    "dict": dict,
    "len": len,
    "sorted": sorted,
    "reversed": lambda items: list(reversed(items)),
    "range": range,
    "enumerate": lambda items, start=0: [list(pair) for pair in enumerate(items, start)],
    "zip": lambda *columns: [list(row) for row in zip(*columns, strict=False)],
    "min": min,
    "max": max,
}
_BUILTINS = {*_CALLS, "print", "isinstance", "getattr", "setattr", "hasattr", "type", "id", "super", "vars", "eval"}
_PLAIN_METHODS: Mapping[str, frozenset[str]] = {
    "list": frozenset({"append", "extend", "insert", "copy", "reverse"}),
    "dict": frozenset({"items", "keys", "values", "get", "update", "copy", "setdefault"}),
    "set": frozenset({"add", "update", "copy"}),
}
"""Methods that do not look into what they are given, so that it need not be known."""
_METHODS: Mapping[str, frozenset[str]] = {
    "str": frozenset(
        {"format", "join", "replace", "upper", "lower", "strip", "lstrip", "rstrip", "split", "partition", "title"}
        | {"startswith", "endswith", "removeprefix", "removesuffix", "capitalize", "count"}
    ),
    "list": frozenset({"index", "count", "sort"}),
    "set": frozenset({"union"}),
}
