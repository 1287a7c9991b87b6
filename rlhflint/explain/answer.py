"""What is said of the symptoms that were found, for people and for programs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from rlhflint.records import dataclass
from rlhflint.registry import abouts, title
from rlhflint.reports.printable import printable

if TYPE_CHECKING:
    from rlhflint.explain.symptoms import Sign, Symptom, Truth

_WIDTH = 100
_SHOWN = 160
"""Characters of a line of a log that are shown."""


@dataclass(frozen=True, slots=True)
class Bearing:
    """What a launch has to do with a symptom.

    `settings` are those that bear on it: canonical name, the value with its origin in words, and how it is written at
    the release in force. `found` are codes of rules that find something in the launch. `package` and `release` are
    the framework in force, by which statements on releases are chosen.
    """

    settings: tuple[tuple[str, str, str], ...] = ()
    found: tuple[str, ...] = ()
    package: str = ""
    release: str = ""


@dataclass(frozen=True, slots=True)
class Answer:
    """Symptoms in the order in which they are told, names of rules by code, what a launch has to do with each."""

    found: Sequence[Sign]
    rules: Mapping[str, str]
    bearings: Mapping[str, Bearing] = field(default_factory=dict)
    """By name of the symptom."""
    log: bool = False
    """The text is a log, whose lines are told."""

    def bearing(self, symptom: Symptom) -> Bearing:
        """What the launch has to do with a symptom."""
        return self.bearings.get(symptom.name, Bearing())

    def truths(self, symptom: Symptom) -> list[Truth]:
        """What is to be told of releases: of the one in force, else of all."""
        bearing = self.bearing(symptom)
        if not bearing.package:
            return list(symptom.truths)
        return [one for one in symptom.truths if one.package == bearing.package and one.holds(bearing.release)]


def as_object(answer: Answer) -> dict[str, Any]:
    """The JSON of `rlhflint explain`."""
    return {"schema_version": 1, "symptoms": [_object(sign, answer) for sign in answer.found]}


def _object(sign: Sign, answer: Answer) -> dict[str, Any]:
    symptom, bearing = sign.symptom, answer.bearing(sign.symptom)
    return {
        "name": symptom.name,
        "title": symptom.title,
        "line": sign.line,
        "text": sign.text,
        "causes": list(symptom.causes),
        "remedy": list(symptom.remedies),
        "releases": [
            {"package": one.package, "specifier": one.specifier, "statement": one.statement}
            for one in answer.truths(symptom)
        ],
        "rules": [
            {"code": code, "name": answer.rules.get(code, ""), "found": code in bearing.found} for code in symptom.rules
        ],
        "settings": {family: list(names) for family, names in symptom.settings.items()},
        "launch": [{"name": name, "value": value, "written": how} for name, value, how in bearing.settings],
    }


def render(answer: Answer) -> str:
    """The text of `rlhflint explain`."""
    return "\n\n".join("\n".join(_entry(sign, answer)) for sign in answer.found) + "\n"


def _entry(sign: Sign, answer: Answer) -> Iterator[str]:
    symptom = sign.symptom
    yield f"{symptom.title} [{symptom.name}]"
    if answer.log:
        yield f"  line {sign.line}: {printable(sign.text.strip())[:_SHOWN]}"
    for number, cause in enumerate(symptom.causes, start=1):
        yield from _wrapped(cause, f"  {number}. ")
    if symptom.remedies:
        yield "  What to do:"
        for remedy in symptom.remedies:
            yield from _wrapped(remedy, "   - ")
    if truths := answer.truths(symptom):
        yield "  By release:"
        for truth in truths:
            yield from _wrapped(f"{title(truth.package)} {truth.specifier or '(all)'}: {truth.statement}", "   - ")
    bearing = answer.bearing(symptom)
    if named := [f"{code} {answer.rules[code]}" for code in symptom.rules if _concerns(code, bearing.package)]:
        yield from _wrapped(f"Rules: {', '.join(named)}", "  ", "     ")
    for family, names in symptom.settings.items():
        if bearing.package not in ("", family):
            continue
        yield from _wrapped(f"Settings of {family}: {', '.join(names)}", "  ", "     ")
    yield from _of_launch(bearing, symptom)


def _concerns(code: str, package: str) -> bool:
    """Whether a rule may have to do with launches of a framework; with any, where it is empty."""
    return not package or not any(code.startswith(one.prefix) for one in abouts() if one.name != package)


def _of_launch(bearing: Bearing, symptom: Symptom) -> Iterator[str]:
    if not bearing.package:
        return
    if bearing.settings:
        yield "  In the launch:"
        for name, value, written in bearing.settings:
            how = f"; written {written}" if written.lstrip("-") != name else ""
            yield f"     {name} = {printable(value)}{how}"
    found = [code for code in symptom.rules if code in bearing.found]
    if found:
        yield f"  Found in the launch: {', '.join(found)} (rlhflint check tells more)"


def _wrapped(text: str, first: str, later: str | None = None) -> list[str]:
    """A paragraph behind `first`; its other lines are indented as far, or by `later`."""
    behind = " " * len(first) if later is None else later
    return wrap(text, _WIDTH, initial_indent=first, subsequent_indent=behind, break_on_hyphens=False)


def listed(entries: Sequence[Symptom]) -> str:
    """All entries by name."""
    width = max(len(entry.name) for entry in entries)
    return "".join(f"{entry.name:{width}}  {entry.title}\n" for entry in sorted(entries, key=lambda one: one.name))
