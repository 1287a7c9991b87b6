"""Which release of OpenRLHF, and of what it runs on, is in force for a launch."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING

from rlhflint.catalog.accepted import Accepted, accepted_at, accepted_by_copy
from rlhflint.catalog.intervals import Standing
from rlhflint.frameworks.openrlhf.edition import Edition
from rlhflint.frameworks.openrlhf.inference import guess
from rlhflint.launch import Version
from rlhflint.packages.names import PACKAGES
from rlhflint.project.places import inside, shown
from rlhflint.records import dataclass
from rlhflint.versions.requirement import Origin

if TYPE_CHECKING:
    from rlhflint.catalog.program import Program
    from rlhflint.catalog.store import FrameworkCatalog
    from rlhflint.site import Site

NAME = "openrlhf"


@dataclass(frozen=True, slots=True)
class Judged:
    """The edition a launch is judged by, and the releases in force around it."""

    edition: Edition
    versions: dict[str, Version]


def judged_by(program: str, flags: Iterable[str], catalog: FrameworkCatalog, site: Site) -> Judged:
    """The edition of `program` and the releases in force for a launch with these flags (as written)."""
    known = catalog.program(program) if program in catalog.programs else None
    flags = [flag.partition("=")[0] for flag in flags if flag.startswith("--")]
    copied = _copy(program, known, catalog, site)
    if copied is not None:
        return Judged(copied[0], _versions(copied[1], site, catalog))
    version = _version(known, flags, catalog, site)
    placed = catalog.releases.place(version.value)
    edition = Edition(
        name=program,
        accepted=Accepted(None, placed.release, {}) if known is None else accepted_at(known, placed.release),
        newer=placed.standing is Standing.NEWER,
        extra=site.extra(f"{NAME}:{program}"),
    )
    return Judged(edition, _versions(version, site, catalog))


def _version(known: Program | None, flags: Iterable[str], catalog: FrameworkCatalog, site: Site) -> Version:
    """The release in force: stated; else, or inside a stated range, the one the flags were written for."""
    stated = site.declared.resolve(NAME, catalog.releases)
    if stated is not None and not stated.specifier:
        return stated
    if known is None:
        return stated or Version(NAME, catalog.newest, "the newest release known", stated=False)
    within: list[str] = list(catalog.releases)
    if stated is not None:
        from rlhflint.packages.ranges import releases_inside

        within = releases_inside(stated.specifier, catalog.releases) or [catalog.releases.place(stated.value).release]
    found = guess(known, flags, within)
    if stated is not None:
        source = f"{stated.source} and {found.source('flags')}"
        return Version(NAME, found.until, source, stated.stated, stated.specifier, stated.source)
    return Version(NAME, found.until, found.source("flags"), stated=False)


def _copy(program: str, known: Program | None, catalog: FrameworkCatalog, site: Site) -> tuple[Edition, Version] | None:
    """The program of the nearest copy in the tree, if it has one whose parser can be read."""
    vendored = site.declared.vendored(NAME)
    if vendored is None or not _nearer(os.path.dirname(vendored.folder), site):
        return None
    from rlhflint.frameworks.openrlhf.source_copy import (
        SourceCopy,  # what reads source takes longer to load than a launch to judge
    )

    source, where = SourceCopy(vendored.folder), shown(vendored.folder)
    reading = source.program(program)
    if reading is not None and reading.broken:
        return None
    if reading is None:
        accepted = Accepted(known, catalog.newest, {}, copied=True)
    else:
        accepted = accepted_by_copy(reading, known, catalog.newest)
    said = vendored.release
    if said is not None and said.exact is not None:
        version = Version(NAME, said.exact, f"the copy in {where} ({said.source})", stated=True)
    else:
        version = Version(NAME, accepted.release, f"the copy in {where}, judging by its flags", stated=False)
    edition = Edition(name=program, accepted=accepted, copy=where, extra=site.extra(f"{NAME}:{program}"))
    return edition, version


def _nearer(folder: str, site: Site) -> bool:
    """Whether a copy in `folder` is meant rather than what is stated about releases.

    A copy is the launch's own if the launch lies in the same folder or below; then only a statement in a deeper folder
    counts for more. One that lies elsewhere in the tree counts where nothing is stated.
    """
    stated = site.declared.get(NAME)
    if stated is None or stated.origin is Origin.VENDORED:
        return True
    if stated.origin in (Origin.OPTION, Origin.CONFIGURATION, Origin.OWN_FILE) or not inside(site.path, folder):
        return False
    said = os.path.dirname(os.path.abspath(stated.place.path))
    return not (inside(said, folder) and said != folder)


def _versions(version: Version, site: Site, catalog: FrameworkCatalog) -> dict[str, Version]:
    """All releases in force: stated ones, and the pins of the OpenRLHF release where nothing is stated."""
    found = {NAME: version}
    companions = catalog.companions(catalog.releases.place(version.value).release)
    for package in PACKAGES:
        if package == NAME:
            continue
        stated = site.declared.resolve(package)
        if stated is not None:
            found[package] = stated
            continue
        specifier = companions.specifier(package) or ""
        if specifier.startswith("==") and "," not in specifier:
            source = f"the pin of OpenRLHF {version.value}"
            found[package] = Version(package, specifier.removeprefix("=="), source, stated=False)
    return found
