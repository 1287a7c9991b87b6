"""Which releases of TRL and transformers are in force for a launch."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from rlhflint.catalog.trl import ClassRef, Module, Other, Shim, class_at, releases, transformers_releases
from rlhflint.catalog.trl.over_releases import parameter_history, taking
from rlhflint.catalog.trl.store import releases as trl_releases
from rlhflint.launch import Version
from rlhflint.packages.names import PACKAGES
from rlhflint.written_for import Span, written_for

if TYPE_CHECKING:
    from rlhflint.catalog.trl import Resolved
    from rlhflint.site import Site

NAME = "trl"
Use = tuple[str | tuple[str, ...], str]
"""An option by its name, and the class that has it, or the classes one of which has it."""
_TRANSFORMERS_5 = "0.29.0"
"""The first release of TRL that works with transformers 5 (upstream's own floor of its imports)."""


def versions_for(uses: Iterable[Use], site: Site, paths: Iterable[str] = ()) -> dict[str, Version]:
    """The releases in force.

    Args:
        uses: every option the file gives, to judge the release by where none is stated, or a range.
        site: of the file.
        paths: dotted import paths of TRL in the file, to judge by likewise.
    """
    order = releases()
    stated = site.declared.resolve(NAME, order)
    if stated is not None and not stated.specifier:
        trl = stated
    else:
        within = _inside(stated.specifier, order) if stated is not None else list(order)
        found = _written_for(uses, paths, within or list(order))
        source = found.source("options")
        if stated is not None:
            trl = Version(NAME, found.until, f"{stated.source} and {source}", True, stated.specifier, stated.source)
        else:
            trl = Version(NAME, found.until, source, stated=False)
    versions = {NAME: trl, "transformers": _transformers(trl, site)}
    for package in PACKAGES:
        if package not in versions and (version := site.declared.resolve(package)) is not None:
            versions[package] = version
    return versions


def exact_release(site: Site, since: str) -> str | None:
    """The release of TRL that a project states, as it is written there, if it is one from `since` on.

    None for a range of releases, and where nothing is stated.
    """
    version, order = versions_for((), site)[NAME], releases()
    if not version.stated or version.specifier:
        return None
    return version.value if order.position(order.place(version.value).release) >= order.position(since) else None


def settled(versions: dict[str, Version]) -> bool:
    """Whether one release of TRL is stated, so that names need not tell for which one they were written."""
    return versions[NAME].stated and not versions[NAME].specifier


def _transformers(trl: Version, site: Site) -> Version:
    order = transformers_releases()
    stated = site.declared.resolve("transformers", order)
    if stated is not None:
        return _works_with(stated, trl, order)
    value = newest_transformers(trl.value)
    return Version("transformers", value, f"the newest release known for trl {trl.value}", stated=False)


def _works_with(stated: Version, trl: Version, order: Sequence[str]) -> Version:
    """The newest release inside a stated range that works with a release of TRL, if there is one."""
    if not stated.specifier or order.index(newest_transformers(trl.value)) >= order.index(stated.value):
        return stated
    four = [release for release in _inside(stated.specifier, order) if release.startswith("4.")]
    if not four:
        return stated
    source = f"{stated.source} and trl {trl.value}"
    return replace(stated, value=four[-1], source=source, statement=stated.source)


def newest_transformers(trl: str) -> str:
    """The newest release of transformers that a release of TRL works with."""
    order = transformers_releases()
    five = trl_releases().position(trl_releases().place(trl).release) >= trl_releases().position(_TRANSFORMERS_5)
    return order.newest if five else next(one for one in reversed(order) if one.startswith("4."))


def _written_for(uses: Iterable[Use], paths: Iterable[str], within: Sequence[str]) -> Span:
    """The newest run of releases that accept most of the options and imports."""
    imports = [[release for release in within if works(class_at(path, release))] for path in dict.fromkeys(paths)]
    options = [_accepting((name,) if isinstance(name, str) else name, option) for name, option in dict.fromkeys(uses)]
    return written_for([*imports, *options], within)


def works(found: Resolved) -> bool:
    """Whether an import path leads to something, with or without a warning."""
    return isinstance(found, (ClassRef, Shim, Module, Other))


def _accepting(names: tuple[str, ...], option: str) -> tuple[str, ...]:
    """The releases in which one of the classes has an option, or one of the trainers a parameter."""
    trainers = [name for name in names if name.endswith("Trainer")]
    found = set(releases().within(one for name in trainers for one in parameter_history(name, option)))
    found.update(*(taking(name, option) for name in names if name not in trainers))
    return tuple(release for release in releases() if release in found)


def _inside(specifier: str, order: Sequence[str]) -> list[str]:
    from rlhflint.packages.ranges import releases_inside

    return releases_inside(specifier, order)
