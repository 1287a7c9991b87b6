"""What is said of the symptoms that were found, for people and for programs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from rlhflint.reports.printable import printable

if TYPE_CHECKING:
    from rlhflint.explain.symptoms import Sign, Symptom

_WIDTH = 100
_SHOWN = 160
"""Characters of a line of a log that are shown."""


def as_object(
    found: Sequence[Sign], rules: Mapping[str, str], of_launch: Mapping[str, Sequence[tuple[str, str]]]
) -> dict[str, Any]:
    """The JSON of `rlhflint explain`; the arguments are those of `render`."""
    return {
        "schema_version": 1,
        "symptoms": [
            {
                "name": sign.symptom.name,
                "title": sign.symptom.title,
                "line": sign.line,
                "text": sign.text,
                "causes": list(sign.symptom.causes),
                "rules": [{"code": code, "name": rules.get(code, "")} for code in sign.symptom.rules],
                "settings": {family: list(names) for family, names in sign.symptom.settings.items()},
                "launch": [{"name": name, "value": value} for name, value in of_launch.get(sign.symptom.name, ())],
            }
            for sign in found
        ],
    }


def render(
    found: Sequence[Sign],
    rules: Mapping[str, str],
    of_launch: Mapping[str, Sequence[tuple[str, str]]],
    *,
    log: bool,
) -> str:
    """The text of `rlhflint explain`.

    Args:
        found: the symptoms, in the order in which they are told.
        rules: code → name.
        of_launch: name of an entry → settings of a launch that bear on it, with their values in words.
        log: the text is a log, whose lines are told.
    """
    return "\n\n".join("\n".join(_entry(sign, rules, of_launch, log)) for sign in found) + "\n"


def _entry(
    sign: Sign, rules: Mapping[str, str], of_launch: Mapping[str, Sequence[tuple[str, str]]], log: bool
) -> Iterator[str]:
    symptom = sign.symptom
    yield f"{symptom.title} [{symptom.name}]"
    if log:
        yield f"  line {sign.line}: {printable(sign.text.strip())[:_SHOWN]}"
    for number, cause in enumerate(symptom.causes, start=1):
        yield from wrap(
            cause, _WIDTH, initial_indent=f"  {number}. ", subsequent_indent="     ", break_on_hyphens=False
        )
    if symptom.rules:
        named = [f"{code} {rules[code]}" for code in symptom.rules if code in rules]
        yield from wrap(f"Rules: {', '.join(named)}", _WIDTH, initial_indent="  ", subsequent_indent="     ")
    for family, names in symptom.settings.items():
        told = f"Settings of {family}: {', '.join(names)}"
        yield from wrap(told, _WIDTH, initial_indent="  ", subsequent_indent="     ", break_on_hyphens=False)
    if symptom.name in of_launch:
        yield "  In the launch:"
        yield from (f"     {name} = {printable(value)}" for name, value in of_launch[symptom.name])


def listed(entries: Sequence[Symptom]) -> str:
    """All entries by name."""
    width = max(len(entry.name) for entry in entries)
    return "".join(f"{entry.name:{width}}  {entry.title}\n" for entry in sorted(entries, key=lambda one: one.name))
