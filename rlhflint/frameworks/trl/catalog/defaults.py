"""Defaults that changed between two pairs of releases, and when that matters."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from typing import Any, Literal

from rlhflint.catalog.fields import Field, Fields, Missing
from rlhflint.catalog.intervals import Releases
from rlhflint.frameworks.trl.catalog import store
from rlhflint.frameworks.trl.catalog.changes import default_note
from rlhflint.frameworks.trl.catalog.lookup import class_order, config_fields
from rlhflint.frameworks.trl.catalog.over_releases import canonical, spellings
from rlhflint.frameworks.trl.catalog.programs import key_at
from rlhflint.records import dataclass

Effect = Literal["training", "memory", "logging", "none"]


@dataclass(frozen=True, slots=True)
class DefaultChange:
    """An option that does something else when it is not given.

    `before` and `after` are the fields at both ends; `old` and `new` what an unset option comes to, as Python source.
    `release` of `package` is the last one on the way in which it changed. It matters where all of `when` and none of
    `unless` holds (setting → value). `effect`: what it touches; `none` changes are only given where they are asked for.
    """

    name: str
    before: Field
    after: Field
    old: str
    new: str
    package: Literal["trl", "transformers"]
    release: str
    when: Mapping[str, object] = field(default_factory=dict)
    unless: Mapping[str, object] = field(default_factory=dict)
    effect: Effect = "training"
    because: str = ""
    source: str = ""


def defaults_changed(
    name: str,
    old: tuple[str, str],
    new: tuple[str, str],
    *,
    trivial: bool = False,
) -> tuple[DefaultChange, ...]:
    """The changed defaults of a class from one pair of listed releases to a newer one.

    Args:
        name: the class, by name or key; it may live elsewhere at the newer release.
        old: (trl, transformers) that the settings were written for.
        new: (trl, transformers) in force.
        trivial: give those whose effect is `none` too.

    Returns:
        One change for each option, by its newest name; none where the class is missing at either end, and none for an
        option that only one end has.
    """
    key_old, key_new = key_at(name, old[0]), key_at(name, new[0])
    if key_old is None or key_new is None:
        return ()
    before, after = config_fields(key_old, *old), config_fields(key_new, *new)
    old_names = {canonical(name, one, old[0]): one for one in before if not _going(name, one, old[0], before)}
    found = []
    for written, now in after.items():
        newest = canonical(name, written, new[0])
        if newest != written and newest in after:
            continue
        was = before.get(old_names.get(newest, written))
        if was is None or same_default(was, now):
            continue
        change = _change(name, newest, was, now, old, new)
        if trivial or change.effect != "none":
            found.append(change)
    return tuple(found)


def _unset(one: Field) -> tuple[bool, object]:
    """What an unset option comes to: (True, the value) for a literal, else (False, source text)."""
    if one.default is None and one.becomes:
        try:
            return True, ast.literal_eval(one.becomes)
        except (ValueError, SyntaxError):
            return False, one.becomes
    if isinstance(one.default, Missing):
        return False, one.expression or one.default.value
    return True, one.default


def same_default(one: Field, other: Field) -> bool:
    """Leaving both unset comes to the same: 1 and 1.0 do, 1 and True do not; a required field has no default."""
    if one.required or other.required:
        return True
    (literal, value), (other_literal, other_value) = _unset(one), _unset(other)
    return (
        literal == other_literal and value == other_value and isinstance(value, bool) == isinstance(other_value, bool)
    )


def _going(name: str, written: str, release: str, fields: Fields) -> bool:
    """An old name that only stands beside its successor while it is deprecated."""
    newest = canonical(name, written, release)
    return newest != written and newest in fields


def _change(
    name: str, newest: str, was: Field, now: Field, old: tuple[str, str], new: tuple[str, str]
) -> DefaultChange:
    package, release = _last_change(name, newest, now, old, new)
    note: Mapping[str, Any] = default_note(
        name if package == "trl" else "transformers:TrainingArguments", now.name, release
    ) or default_note(name, was.name, release)
    return DefaultChange(
        name=newest,
        before=was,
        after=now,
        old=unset_source(was),
        new=unset_source(now),
        package=package,
        release=release,
        when=note.get("when", {}),
        unless=note.get("unless", {}),
        effect=note.get("effect", "training"),
        because=note.get("because", ""),
        source=note.get("source", ""),
    )


def unset_source(one: Field) -> str:
    """What an unset option comes to, as Python source."""
    literal, value = _unset(one)
    return repr(value) if literal else str(value)


def _last_change(
    name: str, newest: str, now: Field, old: tuple[str, str], new: tuple[str, str]
) -> tuple[Literal["trl", "transformers"], str]:
    """The package and the newest release between the pairs from which on the default is what it is now."""
    trl, transformers = store.releases(), store.transformers_releases()
    written = spellings(name, newest)
    for release in _points(name, written, trl, old[0], new[0]):
        if not _same_at(name, newest, now, (trl.before(release) or release, new[1])):
            return "trl", release
    for release in _points("transformers:TrainingArguments", written, transformers, old[1], new[1]):
        if not _same_at(name, newest, now, (old[0], transformers.before(release) or release)):
            return "transformers", release
    return "trl", new[0]


def _same_at(name: str, newest: str, now: Field, pair: tuple[str, str]) -> bool:
    key = key_at(name, pair[0])
    fields = config_fields(key, *pair) if key else None
    if fields is None:
        return True
    found = [one for one in fields.values() if canonical(name, one.name, pair[0]) == newest]
    in_force = next((one for one in found if one.name == newest), found[0] if found else None)
    return in_force is None or same_default(in_force, now)


def _points(name: str, written: Sequence[str], order: Releases, old: str, new: str) -> Iterator[str]:
    """The releases after `old` up to `new`, newest first, in which some class of the order began another state."""
    keys = {name}
    if not name.startswith("transformers:"):
        for release in (old, new):
            if key := key_at(name, release):
                keys |= set(class_order(key, release, store.transformers_releases().newest))
    first, last = order.position(old), order.position(new)
    points: set[int] = set()
    for key in keys:
        if key.startswith("transformers:") != name.startswith("transformers:"):
            continue
        table = store.config_table(key)
        rows = list(table.get("class", ()))
        for one in written:
            rows += [*table.get("fields", {}).get(one, ()), *table.get("replaced", {}).get(one, ())]
        points |= {order.position(row["since"]) for row in rows}
        points |= {order.position(row["until"]) + 1 for row in rows if row["until"] is not None}
    for position in sorted(points, reverse=True):
        if first < position <= last:
            yield order[position]
