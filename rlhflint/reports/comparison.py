"""What differs between two launches, for people and for programs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import isfinite
from typing import TYPE_CHECKING, Any

from rlhflint.records import dataclass
from rlhflint.reports.heading import heading
from rlhflint.reports.printable import printable
from rlhflint.reports.secrets import Secrets
from rlhflint.reports.show import origin
from rlhflint.value import Known, OneOf

if TYPE_CHECKING:
    from rlhflint.comparison import Comparison
    from rlhflint.launch import Launch, Version
    from rlhflint.resolved import Resolved
    from rlhflint.result import FileResult
    from rlhflint.value import Value

_WIDEST = 44
"""Columns of a value beyond which those behind it are not lined up."""
_ABSENT = "-"


@dataclass(frozen=True, slots=True)
class Side:
    """One of the two: its file, for places and secrets, its line, and how many ways lead to it."""

    file: FileResult
    line: int
    ways: int = 1


def as_object(comparison: Comparison, a: Side, b: Side) -> dict[str, Any]:
    """The JSON of `rlhflint diff`."""
    return {
        "schema_version": 1,
        "same": comparison.same,
        "a": _launch(comparison.a, a),
        "b": _launch(comparison.b, b),
        "differences": [
            {"name": row.name, "certain": row.certain, "a": _side(row.a, a), "b": _side(row.b, b)}
            for row in comparison.settings
        ],
        "environment": [
            {"name": name, "a": _variable(one, a), "b": _variable(other, b)}
            for name, (one, other) in (comparison.environment or {}).items()
        ],
        "refused": {
            "a": [setting.name for setting in comparison.refused[0]],
            "b": [setting.name for setting in comparison.refused[1]],
        },
    }


def _launch(launch: Launch, side: Side) -> dict[str, Any]:
    versions = {name: {"value": version.value, "source": version.source} for name, version in launch.versions.items()}
    return {
        "path": launch.path,
        "line": side.line,
        "program": launch.program,
        "versions": versions,
        "ways": side.ways,
        "more": launch.more,
    }


def _side(one: Resolved | None, side: Side) -> dict[str, Any] | None:
    if one is None:
        return None
    known = isinstance(one.value, Known)
    return {
        "value": _masked(one.value.value, side) if isinstance(one.value, Known) else None,
        "known": known,
        "given": one.setting is not None,
        "name": one.setting.name if one.setting is not None else None,
        "origin": _origin(one, side),
    }


def _masked(value: object, side: Side) -> object:
    """A value as JSON may hold it."""
    if isinstance(value, float) and not isfinite(value):
        return str(value)
    return Secrets(side.file).masked_in(value)


def _variable(value: Value | None, side: Side) -> dict[str, Any] | None:
    if value is None:
        return None
    known = isinstance(value, Known)
    return {"value": _masked(value.value, side) if isinstance(value, Known) else None, "known": known}


def _origin(one: Resolved, side: Side) -> str:
    if one.setting is not None and isinstance(one.value, Known):
        return origin(one.setting, side.file)
    if isinstance(one.value, OneOf):
        return f"{one.value.because}; {one.value.default} otherwise"
    if not isinstance(one.value, Known):
        return one.value.because
    return "follows from other settings" if one.follows else "default"


def render(comparison: Comparison, a: Side, b: Side) -> str:
    """The text of `rlhflint diff`."""
    return "\n".join(_lines(comparison, a, b)) + "\n"


def _lines(comparison: Comparison, a: Side, b: Side) -> Iterator[str]:
    for letter, launch, side in (("A", comparison.a, a), ("B", comparison.b, b)):
        yield f"{letter}  {heading(launch, side.line)}"
        if side.ways > 1:
            yield f"   {side.ways} ways through the file lead here; compared is the first"
        if launch.more:
            yield f"   and perhaps more settings: {printable(launch.more)}"
    differing = [(name, _version(one), _version(other)) for name, (one, other) in (comparison.versions or {}).items()]
    rows = [(row.name, in_words(row.a, a), in_words(row.b, b)) for row in comparison.settings if row.certain]
    doubtful = [(row.name, in_words(row.a, a), in_words(row.b, b)) for row in comparison.settings if not row.certain]
    variables = [
        (name, _text_of(one, a), _text_of(other, b)) for name, (one, other) in (comparison.environment or {}).items()
    ]
    yield from _table("releases", differing)
    yield from _table("settings that differ", rows)
    yield from _table("settings of which that is not known", doubtful)
    yield from _table("environment", variables)
    for letter, refused in zip("AB", comparison.refused, strict=True):
        if refused:
            names = ", ".join(printable(one.name) for one in refused)
            yield f"\n{letter} gives what its program does not know: {names}"
    if comparison.same or not (rows or doubtful or variables or any(comparison.refused)):
        yield "\nno setting differs"


def _version(version: Version | None) -> str:
    return _ABSENT if version is None else f"{version.specifier or version.value}"


def _table(title: str, rows: Sequence[tuple[str, str, str]]) -> Iterator[str]:
    if not rows:
        return
    yield f"\n{title}"
    names = max(len(row[0]) for row in rows)
    first = min(max(len(row[1]) for row in rows), _WIDEST)
    yield f"  {'':{names}}  {'A':{first}}  B"
    for name, one, other in rows:
        yield f"  {name:{names}}  {one:{first}}  {other}".rstrip()


def in_words(one: Resolved | None, side: Side) -> str:
    """A value with where it comes from: "4 (line 12)"."""
    if one is None:
        return "not in this release"
    text = _shown(one.value, side)
    where = _origin(one, side)
    return printable(f"{text} ({where})")


def _text_of(value: Value | None, side: Side) -> str:
    return _ABSENT if value is None else printable(_shown(value, side))


def _shown(value: Value, side: Side) -> str:
    if not isinstance(value, Known):
        return "?"
    plain = value.value
    if isinstance(plain, bool) or plain is None:
        return {True: "on", False: "off", None: "none"}[plain]
    if isinstance(plain, (list, tuple)):
        plain = " ".join(map(str, plain))
    return Secrets(side.file).masked(str(plain))
