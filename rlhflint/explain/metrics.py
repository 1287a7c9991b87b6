"""Numbers that a run logs, read from its output, from lines of JSON or from a trainer's state, and what they show."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isfinite
from statistics import median

from rlhflint.expressions import expression
from rlhflint.records import dataclass

MOST_CHARACTERS = 16 * 1024 * 1024
"""Characters of a text that are looked at, the last ones."""
_ENOUGH = 20
"""Values from which on a beginning and an end can be told apart."""

_PAIR = expression(
    r"(?<![\w/])(?P<name>[A-Za-z_][\w/]{0,63})[\"']?[ \t]*(?P<sign>[=:])[ \t]*[\"']?"
    r"(?P<value>[+-]?(?:\d+(?:\.\d*)?(?:[eE][+-]?\d+)?|nan\b|NaN\b|inf(?:inity)?\b|Infinity\b))"
)


@dataclass(frozen=True, slots=True)
class Metric:
    """Numbers that show a symptom: names of which any may be logged, and when they show it.

    `healthy` says in words what is well. `framework` is empty for names that both log. The others are conditions, of
    which one is enough: the end lies above or below a number, or is that many times the beginning (`rises`) or that
    part of it (`falls`), or all values are the same (`still`), or one is no number (`broken`).
    """

    names: tuple[str, ...]
    healthy: str = ""
    framework: str = ""
    above: float | None = None
    below: float | None = None
    rises: float | None = None
    falls: float | None = None
    still: bool = False
    broken: bool = False


@dataclass(slots=True)
class Series:
    """The values of one number in their order, and where each was read, in characters."""

    name: str
    values: list[float]
    places: list[int]


def series(text: str, names: frozenset[str]) -> dict[str, Series]:
    """What a text logs under some names. A progress bar repeats a value: `kl=0.1` counts once until it changes."""
    found: dict[str, Series] = {}
    for match in _PAIR.finditer(text, max(len(text) - MOST_CHARACTERS, 0)):
        name = match["name"]
        if name not in names:
            continue
        value = float(match["value"])
        one = found.setdefault(name, Series(name, [], []))
        if match["sign"] == "=" and one.values and _same(one.values[-1], value):
            continue
        one.values.append(value)
        one.places.append(match.start())
    return found


def _same(one: float, other: float) -> bool:
    return one == other or (one != one and other != other)


@dataclass(frozen=True, slots=True)
class Reading:
    """A number that shows a symptom: in words, and where it was read, in characters."""

    said: str
    place: int


def shown_by(metric: Metric, logged: Mapping[str, Series]) -> Reading | None:
    """What shows it among the numbers that were logged; None if nothing does."""
    return next(
        (found for name in metric.names if name in logged and (found := _judged(metric, logged[name])) is not None),
        None,
    )


def _judged(metric: Metric, one: Series) -> Reading | None:
    if (
        metric.broken
        and (at := next((i for i, value in enumerate(one.values) if not isfinite(value)), None)) is not None
    ):
        return Reading(f"{one.name} is {one.values[at]}", one.places[at])
    places = [place for place, value in zip(one.places, one.values, strict=True) if isfinite(value)]
    values = [value for value in one.values if isfinite(value)]
    if not values:
        return None
    said = _said(metric, one.name, values)
    return Reading(f"{said}{f' (healthy: {metric.healthy})' if metric.healthy else ''}", places[-1]) if said else None


def _said(metric: Metric, name: str, values: Sequence[float]) -> str:
    """What is not healthy about some values, in words; empty if nothing is."""
    part = max(1, min(len(values) // 10, 10))
    first, last = median(values[:part]), median(values[-part:])
    if (metric.above is not None and last > metric.above) or (metric.below is not None and last < metric.below):
        return f"{name} is {last:.4g} at the end"
    if len(values) < _ENOUGH:
        return ""
    if metric.still and min(values) == max(values):
        return f"{name} is {last:.4g} all the time"
    rises = metric.rises is not None and first > 0 and last > metric.rises * first
    falls = metric.falls is not None and first > 0 and last * metric.falls < first
    return f"{name} went from {first:.4g} to {last:.4g}" if rises or falls else ""
