"""Operators and functions on constants, as far as their results stay small."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping
from typing import Any

from rlhflint.expressions import expression

MOST_DIGITS = 100
"""Integers with more decimal digits are not worked out."""
LONGEST_TEXT = 10_000
"""Longer texts are not worked out."""

_FORMAT = expression(r"[<>=^]?[+\- ]?#?0?\d{0,3}[,_]?(?:\.\d{1,2})?[bcdeEfFgGnosxX%]?")

_BINARY: Mapping[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: operator.pow,
}
_UNARY: Mapping[type[ast.unaryop], Callable[[Any], Any]] = {
    ast.USub: operator.neg,
    ast.UAdd: operator.pos,
    ast.Invert: operator.invert,
    ast.Not: operator.not_,
}
_COMPARE: Mapping[type[ast.cmpop], Callable[[Any, Any], bool]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Is: lambda left, right: type(left) is type(right) and left == right,
    ast.IsNot: lambda left, right: type(left) is not type(right) or left != right,
    ast.In: lambda left, right: left in right,
    ast.NotIn: lambda left, right: left not in right,
}
_FUNCTIONS: Mapping[str, Callable[..., Any]] = {
    "int": int,
    "float": float,
    "str": str,
    "bool": bool,
    "abs": abs,
    "round": round,
    "min": min,
    "max": max,
    "len": len,
}
_METHODS = frozenset({"lower", "upper", "strip", "lstrip", "rstrip", "removeprefix", "removesuffix", "replace"})
_TESTS = frozenset({"startswith", "endswith", "isdigit"})


class NotWorkedOut(Exception):
    """The result is no constant, is too large, or Python would raise."""


def binary(kind: type[ast.operator], left: object, right: object) -> object:
    """`left + right` and so on. Raises `NotWorkedOut`."""
    if kind not in _BINARY or (isinstance(left, str | bytes) and kind is ast.Mod):
        raise NotWorkedOut
    if kind is ast.Mult:
        for text, times in ((left, right), (right, left)):
            if isinstance(text, str | bytes) and isinstance(times, int) and len(text) * times > LONGEST_TEXT:
                raise NotWorkedOut
    if kind is ast.Pow and not (isinstance(right, int | float) and abs(right) <= 64):
        raise NotWorkedOut
    return _done(_BINARY[kind], left, right)


def unary(kind: type[ast.unaryop], value: object) -> object:
    """`-value` and so on. Raises `NotWorkedOut`."""
    return _done(_UNARY[kind], value)


def compare(kind: type[ast.cmpop], left: object, right: object) -> bool:
    """`left < right` and so on. Raises `NotWorkedOut`."""
    return bool(_done(_COMPARE[kind], left, right))


def function(name: str, arguments: list[object]) -> object:
    """`int("8")` and so on. Raises `NotWorkedOut`."""
    if name not in _FUNCTIONS:
        raise NotWorkedOut
    return _done(_FUNCTIONS[name], *arguments)


def method(value: object, name: str, arguments: list[object]) -> object:
    """`"Lora".lower()` and so on. Raises `NotWorkedOut`."""
    if not isinstance(value, str) or name not in _METHODS | _TESTS:
        raise NotWorkedOut
    if name == "replace" and any(
        isinstance(one, str) and len(one) * (len(value) + 1) > LONGEST_TEXT for one in arguments
    ):
        raise NotWorkedOut
    return _done(getattr(value, name), *arguments)


def formatted(value: object, conversion: int, template: str) -> str:
    """The text that `{value!r:template}` gives in an f-string. Raises `NotWorkedOut`."""
    if not _FORMAT.fullmatch(template):
        raise NotWorkedOut
    conversions: Mapping[int, Callable[[object], object]] = {ord("r"): repr, ord("s"): str, ord("a"): ascii}
    shown = conversions[conversion](value) if conversion in conversions else value
    return str(_done(format, shown, template))


def _done(work: Callable[..., Any], *arguments: object) -> object:
    try:
        result = work(*arguments)
    except (ArithmeticError, TypeError, ValueError, AttributeError, LookupError):
        raise NotWorkedOut from None
    if isinstance(result, int) and abs(result) >= 10**MOST_DIGITS:
        raise NotWorkedOut
    if isinstance(result, str | bytes) and len(result) > LONGEST_TEXT:
        raise NotWorkedOut
    if isinstance(result, complex):
        raise NotWorkedOut
    return result
