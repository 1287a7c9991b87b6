"""Values that already are what a field of a typed model holds, told without pydantic, which takes a tenth of a second
to load.

What is said here is what pydantic would make of the same value; where that is more than to take it as it is, pydantic
is asked (`rlhflint.validation`).
"""

from __future__ import annotations

from types import NoneType

_NAMES = {bool: "bool", int: "int", float: "float", str: "str", NoneType: "None"}
_EXACT = 2**53
"""Whole numbers up to here are the same as a float."""


class Misfit(Exception):
    """A value that its field holds otherwise, or not at all."""


def fitted(types: tuple[str, ...], value: object) -> object:
    """A value as a field of these types holds it; a list is a new one. Raises `Misfit` where pydantic has to say."""
    if "Any" in types:
        return value
    if isinstance(value, list):
        return _fitted_list(types, value)
    name = _NAMES.get(type(value))
    if name in types:
        return _encodable(value)
    numbers = [one for one in types if one != "None"]
    if isinstance(value, int | float) and not isinstance(value, bool) and -_EXACT < value < _EXACT:
        if numbers == ["float"]:
            return float(value)
        if numbers == ["int"] and value == int(value):
            return int(value)
    raise Misfit


def _fitted_list(types: tuple[str, ...], value: list[object]) -> list[object]:
    lists = [kind for kind in types if kind.startswith("list[")]
    if len(lists) != 1:
        raise Misfit
    item = (lists[0].removeprefix("list[").removesuffix("]"),)
    return [fitted(item, one) for one in value]


def _encodable(value: object) -> object:
    """Text that pydantic takes for text: not half a character."""
    if isinstance(value, str) and not value.isascii():
        try:
            value.encode()
        except UnicodeEncodeError:
            raise Misfit from None
    return value
