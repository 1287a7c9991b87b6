"""Which releases of TRL and transformers are in force for a launch."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from rlhflint.frameworks.trl.catalog.imports import ClassRef, Module, Other, Shim, class_at
from rlhflint.frameworks.trl.catalog.over_releases import parameter_history, taking
from rlhflint.frameworks.trl.catalog.store import releases
from rlhflint.frameworks.trl.transformers_beside import (
    Use,
    inside,
    transformers_beside,
    working_with,
    written_for_older,
)
from rlhflint.launch import Version
from rlhflint.packages.names import PACKAGES
from rlhflint.written_for import Span, written_for

if TYPE_CHECKING:
    from rlhflint.frameworks.trl.catalog.imports import Resolved
    from rlhflint.site import Site

NAME = "trl"


def versions_for(uses: Iterable[Use], site: Site, paths: Iterable[str] = ()) -> dict[str, Version]:
    """The releases in force.

    Args:
        uses: every option the file gives, to judge the release by where none is stated, or a range.
        site: of the file.
        paths: dotted import paths of TRL in the file, to judge by likewise.
    """
    order = releases()
    uses = list(dict.fromkeys(uses))
    older = written_for_older(uses)
    stated = site.declared.resolve(NAME, order)
    if stated is not None and not stated.specifier:
        trl = stated
    else:
        within = inside(stated.specifier, order) if stated is not None else list(order)
        found = _written_for(uses, paths, working_with(older, within or list(order)))
        source = found.source("options")
        if stated is not None:
            both = f"{stated.source} and {source}"
            trl = Version(NAME, found.until, both, stated.stated, stated.specifier, stated.source)
        else:
            trl = Version(NAME, found.until, source, stated=False)
    versions = {NAME: trl, "transformers": transformers_beside(trl.value, site, older)}
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
    """Whether one release of each package is stated, so that names need not tell for which ones they were written."""
    return all(versions[name].stated and not versions[name].specifier for name in (NAME, "transformers"))


def _written_for(uses: Iterable[Use], paths: Iterable[str], within: Sequence[str]) -> Span:
    """The newest run of releases that accept most of the options and imports."""
    imports = [[release for release in within if works(class_at(path, release))] for path in dict.fromkeys(paths)]
    options = [_accepting((name,) if isinstance(name, str) else name, option) for name, option in uses]
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
