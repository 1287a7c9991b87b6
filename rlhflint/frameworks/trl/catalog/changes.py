"""The reviewed overlay over the extracted data: what was renamed, what to use instead, when a default matters."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from functools import cache
from typing import Any, Literal

from rlhflint.catalog.intervals import Interval
from rlhflint.frameworks.trl.catalog import store
from rlhflint.frameworks.trl.catalog.programs import lineage
from rlhflint.records import dataclass


@dataclass(frozen=True, slots=True)
class Rename:
    """A field that goes by a newer name.

    `deprecated` is the first release that takes the old name with a warning and maps it; empty where none does.
    `kind`: `same` value, another `value` (then `value` says which, in words), or a `gap` of releases with neither name.
    """

    old: str
    new: str
    deprecated: str
    kind: Literal["same", "value", "gap"]
    value: str
    source: str


@dataclass(frozen=True, slots=True)
class Removal:
    """A field that is gone. `advice` fits behind "use"; where it is empty, `drop` says why it is not needed any more.

    `ignored`: from `deprecated` until it goes it is accepted and does nothing.
    """

    name: str
    deprecated: str
    advice: str
    drop: str
    ignored: bool
    source: str


@dataclass(frozen=True, slots=True)
class Deprecation:
    """A field, or one value of it, that still works and is announced to go. `instead` fits behind "use"."""

    name: str
    value: object | None
    since: str
    instead: str
    rename: str
    """The value that does exactly the same, where there is one."""
    source: str


@dataclass(frozen=True, slots=True)
class ValueChange:
    """A value of a field that is written otherwise from a release on, and means the same."""

    name: str
    old: object
    new: object
    release: str
    source: str


@dataclass(frozen=True, slots=True)
class Accepted:
    """The values that a field may have at a release though building the configuration takes any.

    `stage` is when another value strikes. `bools`: true and false are taken too; `lists`: a list of the values is.
    `when`: it strikes only with these settings, and only while none of `set` is None.
    """

    name: str
    values: tuple[str, ...]
    stage: Literal["startup", "first-step"]
    bools: bool
    lists: bool
    when: Mapping[str, object] = field(default_factory=dict)
    set: tuple[str, ...] = ()
    source: str = ""


@dataclass(frozen=True, slots=True)
class Behaviour:
    """A changed meaning behind an option that kept its name and default: `before` and `after` are clauses in words."""

    name: str
    release: str
    before: str
    after: str
    when: Mapping[str, object]
    source: str


def renames(name: str) -> tuple[Rename, ...]:
    """The renamed fields of a class, by its name or any of its keys; those of TrainingArguments are not among them."""
    return _renames(lineage(name))


@cache
def _renames(name: str) -> tuple[Rename, ...]:
    return tuple(
        Rename(row["from"], row["to"], row.get("deprecated", ""), row["kind"], row.get("value", ""), row["source"])
        for row in store.overlay_rows("renamed", name)
    )


def removal(name: str, field_name: str) -> Removal | None:
    """What to say of a field of a class that is gone or going; None where nothing is known."""
    for row in store.overlay_rows("removed", lineage(name)):
        if field_name in row["fields"]:
            text = {key: row.get(key, "") for key in ("deprecated", "advice", "drop")}
            return Removal(field_name, **text, ignored=row.get("ignored", False), source=row["source"])
    return None


def deprecations(name: str, release: str) -> tuple[Deprecation, ...]:
    """The fields and values of a class that are announced to go at a listed release (of the package it belongs to)."""
    return tuple(
        Deprecation(row["field"], row.get("value"), row["since"], row["instead"], row.get("rename", ""), row["source"])
        for row in store.overlay_rows("deprecated", lineage(name))
        if store.holds(row, release, name)
    )


def value_changes(name: str, release: str) -> tuple[ValueChange, ...]:
    """The values of a class's fields that are written otherwise at a listed release than at some one before."""
    order = store.releases()
    rows = [(row, row["from"], row["to"], row["release"]) for row in store.overlay_rows("value", lineage(name))]
    rows += [
        (row, row["value"], row["rename"], row["since"])
        for row in store.overlay_rows("deprecated", lineage(name))
        if "value" in row and "rename" in row
    ]
    return tuple(
        ValueChange(row["field"], old, new, since, row["source"])
        for row, old, new, since in rows
        if order.position(since) <= order.position(release)
    )


def accepted(name: str, field_name: str, trl: str) -> Accepted | None:
    """The values a field takes at a listed release; None where the configuration checks them or they are not known."""
    for row in store.overlay_rows("accepted", lineage(name)):
        if row["field"] != field_name or not store.holds(row, trl, name):
            continue
        values = tuple(value for value, lived in row["values"].items() if _in_range(lived, trl))
        if not values:
            return None
        return Accepted(
            name=field_name,
            values=values,
            stage=row["stage"],
            bools="bools" in row and _in_range(row["bools"], trl),
            lists="lists" in row and _in_range(row["lists"], trl),
            when=row.get("when", {}),
            set=tuple(row.get("set", ())),
            source=row["source"],
        )
    return None


def accepting(field_name: str, value: str, trl: str) -> tuple[str, ...]:
    """The classes of which a field of that name takes a value at a listed release."""
    return tuple(
        name
        for row in store.changes("trl").get("accepted", ())
        if row["field"] == field_name and value in row["values"] and _in_range(row["values"][value], trl)
        for name in row["class"]
        if name != "*" and store.holds(row, trl, name)
    )


def behaviours(name: str, old: str, new: str) -> tuple[Behaviour, ...]:
    """The changed meanings that lie between two listed releases, `new` included."""
    order = store.releases()
    return tuple(
        Behaviour(row["field"], row["release"], row["before"], row["after"], row.get("when", {}), row["source"])
        for row in store.overlay_rows("behaviour", lineage(name))
        if order.position(old) < order.position(row["release"]) <= order.position(new)
    )


def parameter_renames(name: str) -> tuple[tuple[str, str, str], ...]:
    """The renamed constructor parameters of a trainer as (old, new, first release with the new name)."""
    return tuple((row["from"], row["to"], row["release"]) for row in store.overlay_rows("parameter", lineage(name)))


def handed_on(name: str, parameter: str) -> tuple[Interval, ...]:
    """When a trainer hands an old parameter on to its new name, with a warning."""
    rows = (row for row in store.overlay_rows("handed_on", lineage(name)) if row["from"] == parameter)
    return tuple(Interval(row["since"], row["until"]) for row in rows)


def default_note(name: str, field_name: str, release: str) -> Mapping[str, Any]:
    """What the overlay says of the default of a field that changed in `release`: `when`, `unless`, `effect`, …"""
    for row in store.overlay_rows("default", lineage(name)):
        if row["field"] == field_name and row["release"] == release:
            found: Mapping[str, Any] = row
            return found
    return {}


def effective_default(name: str, field_name: str, trl: str) -> tuple[object] | None:
    """What the trainer takes for an unset option, as a tuple of one; None where the configuration's default holds."""
    for row in store.overlay_rows("effective", lineage(name)):
        if row["field"] == field_name and store.holds(row, trl, name):
            return (row["value"],)
    return None


def _in_range(lived: str, release: str) -> bool:
    order = store.releases()
    since, _, until = lived.partition("..")
    position = order.position(release)
    return order.position(since or order.oldest) <= position <= order.position(until or order.newest)
