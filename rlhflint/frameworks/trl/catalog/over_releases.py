"""A field over all releases: when it lived, and the names it went by."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

from rlhflint.catalog.fields import Field, read_field
from rlhflint.catalog.intervals import Interval
from rlhflint.frameworks.trl.catalog import store
from rlhflint.frameworks.trl.catalog.changes import handed_on, parameter_renames, renames
from rlhflint.frameworks.trl.catalog.lookup import config_fields
from rlhflint.frameworks.trl.catalog.programs import key_at, keys_of, lineage

if TYPE_CHECKING:
    from rlhflint.frameworks.trl.catalog.tree import Tree

_STEPS = 5
"""How often a name is followed to a newer one."""


def history(name: str, field: str) -> tuple[tuple[Interval, Field], ...]:
    """The states of a field that a class defines itself, oldest first, over all homes of the class.

    `name` is a class by name or by one of its keys; a field it only inherits has no history here.
    """
    keys = (name,) if name.startswith("transformers:") else keys_of(lineage(name))
    order = store.transformers_releases() if name.startswith("transformers:") else store.releases()
    found: list[tuple[Interval, Field]] = []
    for key in keys:
        rows: list[Mapping[str, Any]] = store.config_table(key).get("fields", {}).get(field, [])
        found += [(Interval.from_row(row), read_field(field, row, key)) for row in rows]
    return tuple(sorted(found, key=lambda one: order.position(one[0].since)))


@cache
def taking(name: str, field: str) -> frozenset[str]:
    """The releases in which a class took a field, its own or that of a base, over all homes of the class.

    What TrainingArguments has at any release of transformers counts for every class built on it.
    """
    found: set[str] = set()
    for home in keys_of(lineage(name)):
        for key, span in _built_on(home, frozenset(store.releases())):
            rows = store.config_table(key).get("fields", {}).get(field, ())
            if not key.startswith("transformers:"):
                found.update(span.intersection(store.releases().within(map(Interval.from_row, rows))))
            elif rows:
                found |= span
    return frozenset(found)


@cache
def _built_on(key: str, span: frozenset[str]) -> tuple[tuple[str, frozenset[str]], ...]:
    """A class and all it is built on, each with those releases of `span` in which it is."""
    found = [(key, span)]
    for state in store.config_table(key).get("class", ()) if not key.startswith("transformers:") else ():
        if left := span.intersection(store.releases().within([Interval.from_row(state)])):
            found += [below for base in state["bases"] for below in _built_on(base, left)]
    return tuple(found)


def parameter_history(name: str, parameter: str) -> tuple[Interval, ...]:
    """When a trainer took a parameter, oldest first, over all homes of its class; handed on to another one or not."""
    rows = (row for key in keys_of(name) for row in store.trainer_table(key).get("parameters", {}).get(parameter, ()))
    found = (*map(Interval.from_row, rows), *handed_on(name, parameter))
    return tuple(sorted(found, key=lambda one: store.releases().position(one.since)))


def canonical(name: str, field: str, trl: str | Tree | None = None) -> str:
    """The newest spelling of a field of a class or a parameter of a trainer, as long as its value stays as it is.

    Args:
        name: the class, by name or key.
        field: the name as written.
        trl: the release it was written for. While two names stood side by side as two options (`use_liger_loss` beside
            `use_liger_kernel` before 0.25), each is its own; without a release the newest name is given.
    """
    newer = _newer(name)
    for _ in range(_STEPS):
        rename = newer.get(field)
        if rename is None or (isinstance(trl, str) and _apart(name, field, *rename, trl)):
            return field
        field = rename[0]
    return field


def spellings(name: str, field: str) -> tuple[str, ...]:
    """Every name that `field`, in its newest spelling, went by; that one first."""
    found = [field]
    newer = _newer(name)
    for current in found:
        found += [old for old, (new, _) in newer.items() if new == current and old not in found]
    return tuple(found)


def spelling(name: str, field: str, trl: str, transformers: str) -> str | None:
    """The name that a field, in its newest spelling, has at a pair of releases; None where the class has no such."""
    key = key_at(name, trl) if not name.startswith("transformers:") else name
    if key is None:
        return None
    fields = config_fields(key, trl, transformers)
    for candidate in spellings(name, field):
        if candidate in fields:
            return candidate
    return None


@cache
def _newer(name: str) -> dict[str, tuple[str, str]]:
    """Old name → (new name, the first release that maps one to the other)."""
    inherited = renames("transformers:TrainingArguments")
    found = {one.old: (one.new, "") for one in inherited if one.kind != "value"}
    if not name.startswith("transformers:"):
        found |= {one.old: (one.new, one.deprecated) for one in renames(name) if one.kind != "value"}
    if lineage(name).endswith("Trainer"):
        found |= {old: (new, "") for old, new, _ in parameter_renames(name)}
    return found


def _apart(name: str, old: str, new: str, deprecated: str, trl: str) -> bool:
    """The two names are two options at a release: both are there, and neither is mapped to the other."""
    order = store.releases()
    key = key_at(name, trl)
    if key is None or not deprecated or order.position(trl) >= order.position(deprecated):
        return False
    fields = config_fields(key, trl, store.transformers_releases().newest)
    return old in fields and new in fields
