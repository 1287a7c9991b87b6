"""Where the name of an option leads at another release: what it is called there, or why it is nothing there."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from rlhflint.frameworks.trl.catalog.changes import Removal, Rename, removal, renames
from rlhflint.frameworks.trl.catalog.store import releases, transformers_releases
from rlhflint.frameworks.trl.strays import BASE, BESIDE
from rlhflint.records import dataclass

if TYPE_CHECKING:
    from rlhflint.frameworks.trl.session import Details

_STEPS = 5
"""How often a name is followed to a newer one."""


@dataclass(frozen=True, slots=True)
class Lead:
    """Where a name leads: `name` is what it is called in the end, empty where there is nothing like it.

    `renames` are passed on the way, in their order. `removal` is what is known of the end of the last name.
    """

    name: str
    renames: tuple[Rename, ...] = ()
    removal: Removal | None = None

    @property
    def valued(self) -> Rename | None:
        """The rename on the way with which the value changes as well."""
        return next((one for one in self.renames if one.kind == "value"), None)


def owners_of(details: Details, config: str) -> tuple[str, ...]:
    """The classes whose options a launch gives, the nearest first; `config` is the one of the end."""
    beside = BESIDE if details.form != "python" else ()
    own = (config,) if not config.startswith("transformers:") else ()
    return (*own, *beside, BASE)


def lead(name: str, owners: Sequence[str], accepted: Collection[str], to: tuple[str, str]) -> Lead:
    """Where a name leads.

    Args:
        name: as it is written, without dashes.
        owners: see `owners_of`.
        accepted: the names of options at the end.
        to: the releases at the end.
    """
    passed: list[Rename] = []
    current = name
    for _ in range(_STEPS):
        step = _step(current, owners, accepted, to)
        if step is None:
            break
        passed.append(step)
        current = step.new
    if current in accepted:
        return Lead(current, tuple(passed))
    earlier = _earlier(current, owners, accepted) if not passed else ""
    if earlier:
        return Lead(earlier)
    gone = next((found for owner in owners if (found := removal(owner, current)) is not None), None)
    return Lead("", tuple(passed), gone)


def _step(name: str, owners: Sequence[str], accepted: Collection[str], to: tuple[str, str]) -> Rename | None:
    """The rename of a name that is not accepted any more, or that is mapped to another one with a warning."""
    for owner in owners:
        order, release = (transformers_releases(), to[1]) if owner == BASE else (releases(), to[0])
        for row in renames(owner):
            if row.old != name:
                continue
            mapped = bool(row.deprecated) and order.position(row.deprecated) <= order.position(release)
            if name not in accepted or (mapped and row.new in accepted):
                return row
    return None


def _earlier(name: str, owners: Sequence[str], accepted: Collection[str]) -> str:
    """The older name of an option that is newer than the release."""
    if name in accepted:
        return ""
    found = (row for owner in owners for row in renames(owner) if row.new == name and row.kind != "value")
    return next((row.old for row in found if row.old in accepted), "")


def ignored(gone: Removal | None, release: str) -> bool:
    """Whether a listed release of TRL takes an option that ended later, and does not look at it any more."""
    position = releases().position
    return (
        gone is not None and gone.ignored and bool(gone.deprecated) and position(gone.deprecated) <= position(release)
    )


def advice(gone: Removal | None) -> str:
    """What upstream says of an option that ended, behind a colon."""
    if gone is None:
        return "nothing takes its place"
    return gone.drop or f"use {gone.advice}"
