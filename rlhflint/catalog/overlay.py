"""Rows of the reviewed overlay, as the data file of a program carries them, made records."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from rlhflint.catalog.changes import Broken, Case, Condition, Instead, Invented, Kind, Replacement, Step


def read_steps(rows: Mapping[str, Iterable[Mapping[str, Any]]], groups: Mapping[str, Mapping[str, Any]]) -> list[Step]:
    """The steps of a program, by `changes` and `replaced` of its data file."""
    replacements = {key: _replacement(group) for key, group in groups.items()}
    steps: list[Step] = []
    for flag, history in rows.items():
        for row in history:
            replacement = replacements[row["group"]] if "group" in row else None
            to, note = tuple(row.get("to", ())), row.get("note", "")
            kind = Kind.REMOVED if not to else Kind.RENAMED if len(to) == 1 else Kind.SPLIT
            if replacement is not None:
                kind, note = Kind.INVERTED if replacement.inverted else Kind.REPLACED, replacement.note
            steps.append(Step(flag, row["release"], kind, to, note, bool(row.get("dead")), replacement))
    return steps


def read_broken(row: Mapping[str, Any]) -> Broken:
    """A row of `broken`."""
    when = row.get("when")
    condition = Condition(when["flag"], when.get("is"), when.get("least"), when.get("most")) if when else None
    return Broken(row["since"], row["until"], row["stage"], row["what"], condition)


def read_invented(name: str, row: Mapping[str, Any]) -> Invented:
    """A row of `invented`."""
    instead = tuple(
        Instead(
            entry["since"],
            entry.get("until"),
            tuple(entry.get("flags", ())),
            tuple(entry.get("words", ())),
            tuple(entry.get("any_of", ())),
            entry.get("value"),
        )
        for entry in row.get("instead", ())
    )
    return Invented(name, row["fix"], row.get("note", ""), instead)


def _replacement(group: Mapping[str, Any]) -> Replacement:
    return Replacement(
        group["release"],
        {flag: tuple(new) for flag, new in group["old"].items()},
        tuple(
            Case(case["from"], tuple(case.get("unset", ())), case.get("to"), case.get("inexact", ""))
            for case in group["cases"]
        ),
        bool(group.get("inverted")),
        group.get("note", ""),
    )
