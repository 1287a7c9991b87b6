"""JSON Schemas (draft 2020-12) of a program's configuration, for editors: the parts that frameworks share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isfinite
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rlhflint.catalog.intervals import Releases

DRAFT = "https://json-schema.org/draft/2020-12/schema"

INTEGER_TEXT = r"^\s*[+-]?[0-9]+(_[0-9]+)*\s*$"
NUMBER_TEXT = (
    r"^\s*[+-]?([0-9][0-9_]*\.?[0-9_]*|\.[0-9][0-9_]*)([eE][+-]?[0-9]+)?\s*$|^\s*[+-]?([iI][nN][fF]|[nN][aA][nN])\s*$"
)
"""Text that a program turns into a number: YAML reads `1e-6` as text."""


class NoSuchProgram(LookupError):
    """There is no such program, or the release does not have it; the message says so."""


def document(title: str, description: str, properties: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """A schema of one object that has no properties but these."""
    return {
        "$schema": DRAFT,
        "title": title,
        "description": description,
        "type": "object",
        "properties": dict(properties),
        "additionalProperties": False,
    }


def setting(
    schema: Mapping[str, Any],
    description: str,
    *,
    default: object = None,
    known: bool = False,
    deprecated: bool = False,
) -> dict[str, Any]:
    """The schema of one setting with what an editor shows beside it; `known`: its default is known."""
    found = {"description": description, **schema}
    if known and is_json(default):
        found["default"] = default
    if deprecated:
        found["deprecated"] = True
    return found


def is_json(value: object) -> bool:
    """Whether JSON has a form for a value."""
    if isinstance(value, float):
        return isfinite(value)
    if isinstance(value, (list, tuple)):
        return all(map(is_json, value))
    if isinstance(value, Mapping):
        return all(isinstance(key, str) and is_json(one) for key, one in value.items())
    return value is None or isinstance(value, (bool, int, str))


def any_of(schemas: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """What fits any of some schemas; the empty schema fits everything."""
    different: list[Mapping[str, Any]] = []
    for schema in schemas:
        if schema not in different:
            different.append(schema)
    if not different or {} in different:
        return {}
    return dict(different[0]) if len(different) == 1 else {"anyOf": [dict(one) for one in different]}


def listed(package: str, version: str, known: Mapping[str, Releases]) -> str:
    """The listed release that stands for a version, or the newest one inside a specifier.

    Raises:
        ValueError: nothing is listed for the package, nothing lies inside the specifier, or it is newer than the list.
    """
    from rlhflint.catalog.intervals import Standing
    from rlhflint.packages.ranges import exact, newest_inside, specifier_of

    if package not in known:
        raise ValueError(f"{package} does not decide over this schema; {' and '.join(known)} do")
    order = known[package]
    specifier = specifier_of(version)
    if (pinned := exact(specifier)) is None:
        if (inside := newest_inside(specifier, order)) is None:
            raise ValueError(f"no release of {package} that is known lies in {version}")
        return inside
    place = order.place(pinned)
    if place.standing in (Standing.NEWER, Standing.OLDER):
        raise ValueError(f"{package} {version} is not known; {order.oldest} to {order.newest} are")
    return place.release


def lived(since: str, until: str | None) -> str:
    """Releases in words: "since 0.8.0", "from 0.8.0 to 0.9.1"."""
    return f"since {since}" if until is None else f"from {since} to {until}"
