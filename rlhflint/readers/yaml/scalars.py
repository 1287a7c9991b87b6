"""What PyYAML's safe loader makes of a scalar: the types of YAML 1.1 (yaml/resolver.py and constructor.py@6.0).

Frameworks read their configuration with `yaml.safe_load`, for which `1e-6` is text, `on` is true, `010` is eight and
`12:30` is 750. Other loaders, ruamel.yaml among them, type these otherwise.
"""

from __future__ import annotations

import base64
import binascii
import datetime
from collections.abc import Callable, Mapping

from rlhflint.expressions import expression

_PREFIX = "tag:yaml.org,2002:"
_NULL = expression(r"~|null|Null|NULL|")
_BOOL = expression(r"(yes|Yes|YES|true|True|TRUE|on|On|ON)|no|No|NO|false|False|FALSE|off|Off|OFF")
_INT = expression(r"[-+]?(?:0b[01_]+|0[0-7_]+|0|[1-9][0-9_]*(?::[0-5]?[0-9])*|0x[0-9a-fA-F_]+)")
_FLOAT = expression(
    r"[-+]?[0-9][0-9_]*\.[0-9_]*(?:[eE][-+][0-9]+)?"
    r"|\.[0-9][0-9_]*(?:[eE][-+][0-9]+)?"
    r"|[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+\.[0-9_]*"
    r"|[-+]?\.(?:inf|Inf|INF)"
    r"|\.(?:nan|NaN|NAN)"
)
_DATE = expression(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_ANY_DATE = expression(r"([0-9]{4})-([0-9]{1,2})-([0-9]{1,2})")
_TIME = expression(
    r"([0-9]{4})-([0-9]{1,2})-([0-9]{1,2})(?:[Tt]|[ \t]+)([0-9]{1,2}):([0-9]{2}):([0-9]{2})(?:\.([0-9]*))?"
    r"(?:[ \t]*(?:(Z)|([-+])([0-9]{1,2})(?::([0-9]{2}))?))?"
)


class Refused(ValueError):
    """The loader stops at this value."""


def typed(text: str, tag: str | None, *, plain: bool) -> object:
    """The value of a scalar with an explicit tag, or none. Raises `Refused` where the loader stops."""
    if tag is None or tag == "!":
        kind = _kind(text) if plain or tag == "!" else "str"
    elif tag.startswith(_PREFIX):
        kind = tag.removeprefix(_PREFIX)
    else:
        raise Refused(f"the tag {tag} means nothing to it")
    if kind not in _MAKERS:
        raise Refused(f"a value of the kind {kind} means nothing to it")
    try:
        return _MAKERS[kind](text)
    except (ValueError, OverflowError, KeyError, AttributeError, binascii.Error):
        raise Refused(f"{text!r} is no valid {kind}") from None


def is_merge(text: str, tag: str | None, *, plain: bool) -> bool:
    """Whether a key takes over the entries of another mapping."""
    return tag == f"{_PREFIX}merge" or (text == "<<" and plain and tag in (None, "!"))


def is_default(text: str, tag: str | None, *, plain: bool) -> bool:
    """Whether a key is the old sign for a default value, which the loader reads as text."""
    return tag == f"{_PREFIX}value" or (text == "=" and plain and tag in (None, "!"))


def _kind(text: str) -> str:
    if _NULL.fullmatch(text):
        return "null"
    if _BOOL.fullmatch(text):
        return "bool"
    if _FLOAT.fullmatch(text):
        return "float"
    if _INT.fullmatch(text):
        return "int"
    if _DATE.fullmatch(text) or _TIME.fullmatch(text):
        return "timestamp"
    return {"<<": "merge", "=": "value"}.get(text, "str")


def _null(text: str) -> None:
    return None


def _bool(text: str) -> bool:
    return {"yes": True, "no": False, "true": True, "false": False, "on": True, "off": False}[text.lower()]


def _int(text: str) -> int:
    digits = text.replace("_", "")
    sign = -1 if digits.startswith("-") else 1
    digits = digits[1:] if digits[:1] in ("-", "+") and digits else digits
    if digits == "0":
        return 0
    if digits.startswith("0b"):
        return sign * int(digits[2:], 2)
    if digits.startswith("0x"):
        return sign * int(digits[2:], 16)
    if digits.startswith("0"):
        return sign * int(digits, 8)
    return sign * _sixties([int(part) for part in digits.split(":")])


def _sixties(parts: list[int]) -> int:
    total = 0
    for part in parts:
        total = total * 60 + part
    return total


def _float(text: str) -> float:
    digits = text.replace("_", "").lower()
    sign = -1.0 if digits.startswith("-") else 1.0
    digits = digits[1:] if digits[:1] in ("-", "+") and digits else digits
    if digits == ".inf":
        return sign * float("inf")
    if digits == ".nan":
        return float("nan")
    total = 0.0
    for base, part in enumerate(reversed(digits.split(":"))):
        total += float(part) * 60.0**base
    return sign * total


def _timestamp(text: str) -> object:
    if date := _ANY_DATE.fullmatch(text):
        return datetime.date(*(int(part) for part in date.groups()))
    found = _TIME.fullmatch(text)
    if found is None:
        raise ValueError(text)
    year, month, day, hour, minute, second = (int(part) for part in found.groups()[:6])
    fraction = int((found[7] or "0")[:6].ljust(6, "0"))
    zone: datetime.timezone | None = datetime.UTC if found[8] else None
    if found[9]:
        ahead = datetime.timedelta(hours=int(found[10]), minutes=int(found[11] or 0))
        zone = datetime.timezone(-ahead if found[9] == "-" else ahead)
    return datetime.datetime(year, month, day, hour, minute, second, fraction, tzinfo=zone)


def _binary(text: str) -> bytes:
    return base64.decodebytes(text.encode("ascii"))


_MAKERS: Mapping[str, Callable[[str], object]] = {
    "null": _null,
    "bool": _bool,
    "int": _int,
    "float": _float,
    "timestamp": _timestamp,
    "str": str,
    "binary": _binary,
}
