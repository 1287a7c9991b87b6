"""The table of symptoms, and which of them a text or a log shows."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator
from functools import cache
from importlib import resources
from typing import Any

from rlhflint.explain.metrics import Metric, series, shown_by
from rlhflint.expressions import expression
from rlhflint.records import dataclass
from rlhflint.registry import names

LONGEST_LINE = 2_000
"""Characters of a line that are looked at."""
MOST_LINES = 10_000
"""Different lines of a log that are looked at, the last ones; lines that differ in numbers only count once."""

_NUMBER = expression(r"\d+")
_STEERING = expression(r"\x1b\[[0-9;]*[A-Za-z]")
_ESCAPE = expression(r"\\.|[^\\]")


def _lowered(part: re.Match[str]) -> str:
    """A character of a pattern for text in lower case, which is several times faster than to ignore case."""
    return part[0] if part[0].startswith("\\") else part[0].lower()


@dataclass(frozen=True, slots=True)
class Truth:
    """What holds at some releases of a package; an empty specifier means all of them."""

    package: str
    specifier: str
    statement: str

    def holds(self, release: str) -> bool:
        """Whether it holds at a release of the package."""
        from packaging.specifiers import SpecifierSet

        return SpecifierSet(self.specifier, prereleases=True).contains(release)


@dataclass(frozen=True, slots=True)
class Symptom:
    """One entry: how it shows, what leads to it and what to do, the likeliest first.

    `rules` are codes of rules that would have told before. `settings` are canonical names by framework. `truths` tell
    what differs by release, `metrics` which numbers of a log show it.
    """

    name: str
    title: str
    says: tuple[re.Pattern[str], ...]
    causes: tuple[str, ...]
    rules: tuple[str, ...]
    settings: dict[str, tuple[str, ...]]
    remedies: tuple[str, ...] = ()
    truths: tuple[Truth, ...] = ()
    metrics: tuple[Metric, ...] = ()

    def in_line(self, line: str) -> bool:
        """Whether a line, in lower case, says it."""
        return any(pattern.search(line) for pattern in self.says)


@dataclass(frozen=True, slots=True)
class Sign:
    """A symptom that was found, and the first line that shows it; lines count from 1."""

    symptom: Symptom
    line: int
    text: str


@cache
def symptoms() -> tuple[Symptom, ...]:
    """All entries, the more special ones in front of the more general ones."""
    text = resources.files(__package__).joinpath("entries.toml").read_text(encoding="utf-8")
    return tuple(
        Symptom(
            name,
            row["title"],
            tuple(re.compile(_ESCAPE.sub(_lowered, pattern)) for pattern in row["says"]),
            tuple(row["causes"]),
            tuple(row["rules"]),
            {framework: tuple(row[framework]) for framework in names() if framework in row},
            tuple(row["remedy"]),
            tuple(Truth(*one) for one in row.get("releases", ())),
            tuple(_metric(one) for one in row.get("metrics", ())),
        )
        for name, row in tomllib.loads(text).items()
    )


def _metric(row: dict[str, Any]) -> Metric:
    return Metric(**{**row, "names": tuple(row["names"])})


def signs(text: str, framework: str = "") -> tuple[Sign, ...]:
    """The symptoms that a text shows, in the order of the table; the name of an entry is one of its signs.

    Of numbers that it logs those count that `framework` logs, all without one.
    """
    found: dict[str, Sign] = {}
    wanted = {symptom.name: symptom for symptom in symptoms()}
    if (named := wanted.get(text.strip().lower())) is not None:
        return (Sign(named, 1, text.strip()),)
    for number, line in _different(text.splitlines()):
        lowered = line.lower()
        for name, symptom in list(wanted.items()):
            if symptom.in_line(lowered):
                found[name] = Sign(symptom, number, line)
                del wanted[name]
    for sign in _measured(text, framework):
        found.setdefault(sign.symptom.name, sign)
    return tuple(found[symptom.name] for symptom in symptoms() if symptom.name in found)


def _measured(text: str, framework: str) -> Iterator[Sign]:
    """The symptoms that logged numbers show."""
    metrics = [
        (symptom, one)
        for symptom in symptoms()
        for one in symptom.metrics
        if framework in ("", one.framework) or not one.framework
    ]
    logged = series(text, frozenset(name for _, one in metrics for name in one.names))
    for symptom, one in metrics:
        if (reading := shown_by(one, logged)) is not None:
            yield Sign(symptom, len(text[: reading.place].splitlines()) or 1, reading.said)


def _different(lines: list[str]) -> Iterator[tuple[int, str]]:
    """The last lines of a log that differ in more than their numbers, with their own, first of them first."""
    seen: dict[str, int] = {}
    for number in range(len(lines), 0, -1):
        line = lines[number - 1][:LONGEST_LINE]
        key = _NUMBER.sub("0", line)
        if key in seen or len(seen) < MOST_LINES:
            seen[key] = number
    for number in sorted(seen.values()):
        yield number, _STEERING.sub("", lines[number - 1][:LONGEST_LINE])


def nearest(text: str, known: Iterable[str]) -> list[str]:
    """Names of entries that are like a text, for one that shows none."""
    from difflib import get_close_matches

    return get_close_matches(text.strip().lower().replace(" ", "-"), list(known), 3, 0.6)
