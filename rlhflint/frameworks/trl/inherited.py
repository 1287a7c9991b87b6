"""Defaults that a class of TRL inherits from transformers: known where every release that may be beside agrees."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rlhflint.frameworks.trl.catalog.defaults import same_default
from rlhflint.frameworks.trl.catalog.lookup import config_fields
from rlhflint.frameworks.trl.catalog.store import config_table, transformers_releases
from rlhflint.frameworks.trl.transformers_beside import accepted, inside, newest_transformers

if TYPE_CHECKING:
    from rlhflint.catalog.fields import Field
    from rlhflint.launch import Version


def may_be_beside(trl: str, transformers: Version | None, until: str) -> tuple[str, ...]:
    """The releases of transformers that may be installed with a release of TRL, oldest first.

    Args:
        trl: the release.
        transformers: what is known of the launch's release: one that is stated exactly is the only one, if TRL works
            with it; a stated range bounds them.
        until: the newest one in question.

    Returns:
        At least one: `until` where nothing else is known to work.
    """
    order = transformers_releases()
    newest = min(newest_transformers(trl), until, key=order.position)
    working = accepted(trl, order[: order.position(newest) + 1])
    if transformers is not None and transformers.stated:
        exact = not transformers.specifier
        stated = [order.place(transformers.value).release] if exact else inside(transformers.specifier, order)
        working = [one for one in working if one in stated] or working
    return tuple(working) or (until,)


def is_sure(default: Field, trl: str, beside: Sequence[str]) -> bool:
    """Whether an option that is not given comes to the same with a release of TRL and each of some of transformers."""
    if not default.owner.startswith("transformers:"):
        return True
    rows = [
        row
        for part in ("fields", "replaced")
        for row in config_table(default.owner).get(part, {}).get(default.name, ())
    ]
    order = transformers_releases()
    ends = {row["since"] for row in rows} | {order.after(row["until"]) for row in rows if row["until"] is not None}
    for place, release in enumerate(beside):
        if place == 0 or release in ends:
            there = config_fields(default.owner, trl, release).get(default.name)
            if there is None or not same_default(there, default):
                return False
    return True
