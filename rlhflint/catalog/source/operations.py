"""The operations on statically read values that are safe to carry out, within bounds on what they make."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, ItemsView, KeysView, Mapping, Sequence, ValuesView
from typing import Any, Final

from rlhflint.catalog.source.values import (
    LONGEST,
    UNKNOWN,
    External,
    PythonValue,
    Scope,
    bounded,
    is_literal,
    known,
    spoil,
    truth,
    weight,
)


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


def formatted(template: str, given: PythonValue) -> PythonValue:
    """`template % given`; only plain `%s` and `%d`, as a width could ask for any length."""
    if not known(given) or any(part[:1] not in "sd%" for part in template.split("%")[1:]):
        return UNKNOWN
    return _attempt(operator.mod, template, tuple(given) if isinstance(given, list) else given)


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
_KNOWN = (*_CALLS, "print", "isinstance", "getattr", "setattr", "hasattr", "type", "id", "super", "vars", "eval")
BUILTINS: Final = Scope({name: External(f"builtins.{name}") for name in _KNOWN})
"""The scope around every module: builtins of which something is known."""
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
