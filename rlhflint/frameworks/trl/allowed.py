"""The releases of TRL that a launch may run with, or was written for, where that is more than one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rlhflint.frameworks.trl.catalog.imports import class_at
from rlhflint.frameworks.trl.catalog.lookup import trainer_parameters
from rlhflint.frameworks.trl.catalog.over_releases import history
from rlhflint.frameworks.trl.catalog.programs import key_at
from rlhflint.frameworks.trl.catalog.store import releases, transformers_releases
from rlhflint.frameworks.trl.inherited import may_be_beside
from rlhflint.frameworks.trl.releases import works
from rlhflint.frameworks.trl.session import details_in
from rlhflint.frameworks.trl.strays import BASE, BESIDE
from rlhflint.records import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rlhflint.catalog.intervals import Interval
    from rlhflint.frameworks.trl.session import Details, Stray
    from rlhflint.launch import Launch

Pair = tuple[str, str]
"""A release of TRL and one of transformers."""


@dataclass(frozen=True, slots=True)
class Older:
    """An older pair of releases that matters to a launch, and how that is known.

    `because` fits behind a comma: "which trl >=0.19 allows", "for which max_seq_length was written". `beside` are the
    releases of transformers that may have been there; the one of the pair is the newest of them.
    """

    pair: Pair
    because: str
    ranged: bool
    beside: tuple[str, ...]


def allowed(launch: Launch) -> tuple[str, ...]:
    """The releases inside a stated range that take what the launch gives, oldest first; none where one is exact."""
    version = launch.versions.get("trl")
    if version is None or not (version.stated and version.specifier):
        return ()
    from packaging.specifiers import SpecifierSet

    within = SpecifierSet(version.specifier)
    details = details_in(launch)
    inside = [release for release in releases() if within.contains(release, prereleases=True)]
    for call in (details.config_call, details.trainer_call):
        if call is not None and call.target.startswith("trl."):
            inside = [release for release in inside if works(class_at(call.target, release))]
    for setting in launch.settings:
        name = setting.name.lstrip("-").replace("-", "_")
        rows = _rows(details, name)
        if rows:
            accepting = set(releases().within(rows))
            inside = [release for release in inside if release in accepting]
    return tuple(inside)


def older(launch: Launch) -> Older | None:
    """The oldest release that a stated range allows; else the last one that names were written for which are gone.

    None where neither is older than the release in force.
    """
    details = details_in(launch)
    now = (details.trl, details.transformers)
    order = releases()
    span = allowed(launch)
    if span and order.position(span[0]) < order.position(details.trl):
        because = f"which trl {launch.versions['trl'].specifier} allows"
        return _older(launch, (span[0], now[1]), because, ranged=True)
    for stray in details.strays:
        pair = _written_for(stray, details)
        if pair is not None and pair != now:
            return _older(launch, pair, f"for which {stray.setting.name.lstrip('-')} was written", ranged=False)
    return None


def _older(launch: Launch, pair: Pair, because: str, *, ranged: bool) -> Older:
    details = details_in(launch)
    if pair[0] == details.trl:  # the name tells of a release of transformers itself
        return Older(pair, because, ranged, (pair[1],))
    beside = may_be_beside(pair[0], launch.versions.get("transformers"), details.transformers)
    return Older((pair[0], beside[-1]), because, ranged, beside)


def _written_for(stray: Stray, details: Details) -> Pair | None:
    """The last pair of releases before those in force that takes a name."""
    name = stray.setting.name.lstrip("-").replace("-", "_")
    if stray.trainer:
        found = next((one for one in reversed(_before(details.trl)) if _parameter(stray, name, one)), None)
        return (found, details.transformers) if found is not None else None
    rows = _rows(details, name)
    if rows:
        accepting = set(releases().within(rows))
        found = next((one for one in reversed(_before(details.trl)) if one in accepting), None)
        return (found, details.transformers) if found is not None else None
    order = transformers_releases()
    accepting = set(order.within(interval for interval, _ in history(BASE, name)))
    before = order[: order.position(details.transformers)]
    last = next((one for one in reversed(before) if one in accepting), None)
    return (details.trl, last) if last is not None else None


def _before(release: str) -> tuple[str, ...]:
    return releases()[: releases().position(release)]


def _parameter(stray: Stray, name: str, release: str) -> bool:
    key = key_at(stray.owner.rpartition(":")[2], release)
    try:
        return key is not None and name in trainer_parameters(key, release)
    except KeyError:
        return False


def _rows(details: Details, name: str) -> tuple[Interval, ...]:
    """When the classes of a launch have an option that they do not inherit; none for one of transformers'."""
    if history(BASE, name):
        return ()
    owners: Iterable[str] = (details.config,) if details.form == "python" else (details.config, *BESIDE)
    return tuple(interval for owner in owners if owner for interval, _ in history(owner, name))
