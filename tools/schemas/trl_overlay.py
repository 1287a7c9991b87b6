"""What is wrong with the overlays over TRL and transformers: entries that the extracted data does not bear out.

Works on the committed data; a test holds it empty.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from rlhflint.catalog.fields import Field, Fields
from rlhflint.catalog.intervals import Releases
from rlhflint.frameworks.trl.catalog import changes, store
from rlhflint.frameworks.trl.catalog.defaults import same_default
from rlhflint.frameworks.trl.catalog.lookup import config_fields, trainer_parameters
from rlhflint.frameworks.trl.catalog.over_releases import canonical
from rlhflint.frameworks.trl.catalog.programs import key_at

Row = Mapping[str, Any]

COMPLETE = (
    *("SFTConfig", "DPOConfig", "GRPOConfig", "RLOOConfig", "KTOConfig", "RewardConfig", "ModelConfig"),
    *("ScriptArguments", "OnlineDPOConfig", "NashMDConfig", "XPOConfig", "ORPOConfig", "CPOConfig", "BCOConfig"),
    *("PRMConfig", "GKDConfig", "DistillationConfig", "transformers:TrainingArguments"),
)
"""Classes for which every field that ended has an entry."""
_NO_OPTION = {"_n_gpu", "train_dataset"}


def problems() -> list[str]:
    """One line for every entry that names a class, field, release or change which the data does not have."""
    found: list[str] = []
    for package in ("trl", "transformers"):
        overlay = store.changes(package)
        order = store.releases() if package == "trl" else store.transformers_releases()
        for section, check in _CHECKS.items():
            for row in overlay.get(section, ()):
                where = f"{package} [[{section}]] {row.get('class', '')} {row.get('field', row.get('from', ''))}"
                faults = list(_releases(row, order)) or list(check(row, order))
                found += [f"{where}: {fault}" for fault in faults]
    found += _names()
    found += _unknown()
    found += _ended()
    return found


def fields_at(name: str, release: str) -> Fields | None:
    """The fields of a class at a release of the package it belongs to, the other package at its newest."""
    if name.startswith("transformers:"):
        return config_fields(name, store.releases().newest, release)
    key = key_at(name, release)
    return None if key is None else config_fields(key, release, store.transformers_releases().newest)


def _releases(row: Row, order: Releases) -> Iterator[str]:
    for key in ("since", "until", "release", "deprecated"):
        if row.get(key) and row[key] not in order:
            yield f"no release {row[key]}"


@cache
def _lives(name: str) -> list[tuple[str, Fields]]:
    """The releases that have a class, with its fields."""
    order = store.transformers_releases() if name.startswith("transformers:") else store.releases()
    return [(release, fields) for release in order if (fields := fields_at(name, release)) is not None]


def _having(name: str, field: str) -> list[str]:
    return [release for release, fields in _lives(name) if field in fields]


def _classes(row: Row) -> Iterator[str]:
    for name in row["class"]:
        if name != "*":
            yield name


def _renamed(row: Row, order: Releases) -> Iterator[str]:
    for name in _classes(row):
        old, new = _having(name, row["from"]), _having(name, row["to"])
        if not old or not new:
            yield f"{name} never had {row['from'] if not old else row['to']}"
            continue
        if row["kind"] == "gap" and order.position(old[-1]) >= order.position(new[0]):
            yield f"{name} has both names at {new[0]}"
        if (mapped := row.get("deprecated")) and mapped not in old and order.position(mapped) > order.position(old[0]):
            yield f"{name} has no {row['from']} at {mapped}"
        if row["kind"] == "same" and not mapped and order.after(old[-1]) not in new:
            yield f"{name} has no {row['to']} right after {row['from']}"


def _removed(row: Row, order: Releases) -> Iterator[str]:
    if not row.get("advice") and not row.get("drop"):
        yield "says neither what to use instead nor why it is not needed"
    for name in _classes(row):
        lives = _lives(name)
        for field in row["fields"]:
            having = [release for release, fields in lives if field in fields]
            if not having:
                yield f"{name} never had {field}"
            elif lives[-1][0] in having:
                yield f"{name} still has {field}"
            elif row.get("deprecated") and row["deprecated"] not in having:
                yield f"{name} has no {field} at {row['deprecated']}"


def _deprecated(row: Row, order: Releases) -> Iterator[str]:
    for name in _classes(row):
        for release in (row["since"], row.get("until", order.newest)):
            fields = fields_at(name, release)
            if fields is None or row["field"] not in fields:
                yield f"{name} has no {row['field']} at {release}"


def _accepted(row: Row, order: Releases) -> Iterator[str]:
    for ranges in [*row["values"].values(), row.get("bools", ".."), row.get("lists", "..")]:
        for release in ranges.split(".."):
            if release and release not in order:
                yield f"no release {release}"
                return
    for name in _classes(row):
        seen = False
        for release, fields in _lives(name):
            field = fields.get(row["field"])
            if field is None:
                continue
            seen = True
            if fault := _default_fault(name, field, release):
                yield fault
        if not seen:
            yield f"{name} never had {row['field']}"


def _default_fault(name: str, field: Field, release: str) -> str:
    accepted = changes.accepted(name, field.name, release)
    if accepted is None:
        return ""
    values = field.default if isinstance(field.default, list) else [field.default]
    for value in values:
        taken = value in accepted.values or (isinstance(value, bool) and accepted.bools)
        if isinstance(value, str | bool) and not taken:
            return f"the default {value!r} of {name} at {release} is not among {accepted.values}"
    return ""


def _default(row: Row, order: Releases) -> Iterator[str]:
    if row.get("effect") == "none" and not row.get("because"):
        yield "says not why the change has no effect"
    wanted = list(_classes(row)) or [name for name in COMPLETE if not name.startswith("transformers:")]
    before = order.before(row["release"]) if row["release"] in order else None
    changed = []
    for name in wanted:
        old, new = (fields_at(name, release) if release else None for release in (before, row["release"]))
        was, now = (fields.get(row["field"]) if fields else None for fields in (old, new))
        changed.append(was is not None and now is not None and not same_default(was, now))
        for setting in (*row.get("when", {}), *row.get("unless", {})):
            if changed[-1] and new is not None and setting not in new:
                yield f"{name} has no {setting} at {row['release']}"
    if not (any(changed) if "*" in row["class"] else all(changed)):
        missing = [name for name, one in zip(wanted, changed, strict=True) if not one]
        yield f"the default of {row['field']} did not change in {row['release']} for {', '.join(missing)}"


def _effective(row: Row, order: Releases) -> Iterator[str]:
    for name in _classes(row):
        if not _having(name, row["field"]):
            yield f"{name} never had {row['field']}"


def _value(row: Row, order: Releases) -> Iterator[str]:
    for name in _classes(row):
        if row["release"] not in _having(name, row["field"]):
            yield f"{name} has no {row['field']} at {row['release']}"
        accepted = changes.accepted(name, row["field"], row["release"])
        if accepted is not None and row["to"] not in accepted.values:
            yield f"{row['to']} is not among {accepted.values}"


def _behaviour(row: Row, order: Releases) -> Iterator[str]:
    for name in _classes(row):
        fields = fields_at(name, row["release"])
        if fields is None or (row["field"] not in fields and row["field"] not in _NO_OPTION):
            yield f"{name} has no {row['field']} at {row['release']}"


def _parameter(row: Row, order: Releases) -> Iterator[str]:
    names = list(_classes(row)) or ["SFTTrainer", "DPOTrainer", "RewardTrainer", "KTOTrainer"]
    for name in names:
        before, release = order.before(row["release"]), row["release"]
        for wanted, at in ((row["from"], before), (row["to"], release)):
            key = key_at(name, at) if at else None
            if key is None or at is None or wanted not in trainer_parameters(key, at):
                yield f"{name} takes no {wanted} at {at}"


def _handed_on(row: Row, order: Releases) -> Iterator[str]:
    for name in _classes(row):
        for release in (row["since"], row["until"]):
            key = key_at(name, release)
            if key is None or row["to"] not in trainer_parameters(key, release):
                yield f"{name} takes no {row['to']} at {release}"


def _names() -> Iterator[str]:
    known = set(store.homes())
    for name in store.changes().get("names", {}):
        if name.rpartition(".")[2] not in known:
            yield f"trl [names] {name}: no package of TRL ever gave it"


def _unknown() -> Iterator[str]:
    order = store.releases()
    for by in ("own", "script", "trl"):
        for release in order:
            general = [
                row
                for row in store.changes()["unknown"]
                if row["by"] == by and "words" not in row and _covers(row, release, order)
            ]
            if len(general) != 1:
                yield f"trl [[unknown]] {by}: {len(general)} rows hold at {release}"


def _covers(row: Row, release: str, order: Releases) -> bool:
    first, last = row.get("since", order.oldest), row.get("until", order.newest)
    return order.position(first) <= order.position(release) <= order.position(last)


def _ended() -> Iterator[str]:
    """Fields of the classes in `COMPLETE` that ended and that no entry speaks of."""
    for name in COMPLETE:
        lives = _lives(name)
        if not lives:
            yield f"{name}: no such class"
            continue
        newest = lives[-1][1]
        for field in dict.fromkeys(field for _, fields in lives for field in fields):
            owners = {fields[field].owner for _, fields in lives if field in fields}
            inherited = all(owner.startswith("transformers:") for owner in owners) and name[:13] != "transformers:"
            if field in newest or inherited or field in _NO_OPTION:
                continue
            renamed = canonical(name, field) != field or any(one.old == field for one in changes.renames(name))
            if not renamed and changes.removal(name, field) is None:
                yield f"{name}.{field} ended and no entry says what to use instead"


_CHECKS = {
    "renamed": _renamed,
    "removed": _removed,
    "deprecated": _deprecated,
    "accepted": _accepted,
    "value": _value,
    "default": _default,
    "effective": _effective,
    "behaviour": _behaviour,
    "parameter": _parameter,
    "handed_on": _handed_on,
}
