"""Values that a field takes at a release, whether its configuration checks them or the trainer does."""

from __future__ import annotations

from collections.abc import Iterable

from rlhflint.frameworks.trl.catalog.changes import accepted, value_changes
from rlhflint.frameworks.trl.catalog.lookup import config_fields
from rlhflint.frameworks.trl.catalog.programs import key_at


def takes(name: str, field: str, value: object, trl: str, transformers: str) -> bool:
    """Whether a class has a field of that name at a pair of releases, and nothing is known that refuses the value."""
    key = key_at(name, trl)
    found = config_fields(key, trl, transformers).get(field) if key is not None else None
    if found is None:
        return False
    known = accepted(name, field, trl)
    items = value if isinstance(value, (list, tuple)) else (value,)
    if known is None:
        return not found.choices or value is None or all(item in found.choices for item in items)
    if value is None or (isinstance(value, bool) and known.bools):
        return True
    return all(item in known.values for item in items) and (known.lists or not isinstance(value, (list, tuple)))


def kept_value(
    name: str, field: str, value: object, releases: Iterable[str], transformers: str
) -> tuple[object] | None:
    """How a value is written that every one of some releases takes, as a tuple of one; None where there is no such.

    That is the value itself, or the one that means the same at the newest of them.
    """
    asked = list(releases)
    rows = value_changes(name, asked[-1]) if asked else ()
    other = next((row.new for row in rows if row.name == field and row.old == value), value)
    for candidate in dict.fromkeys((value, other)) if isinstance(value, (str, bool)) else (value,):
        if asked and all(takes(name, field, candidate, one, transformers) for one in asked):
            return (candidate,)
    return None
