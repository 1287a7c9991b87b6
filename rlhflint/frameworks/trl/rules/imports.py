"""Imports of TRL that do not work, or not for long, at the release in force."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from rlhflint.catalog.intervals import Standing
from rlhflint.frameworks.trl.catalog.imports import Deleted, Moved, NotYet, Shim, Unknown, class_at
from rlhflint.frameworks.trl.catalog.store import releases
from rlhflint.frameworks.trl.python_launches import trl_paths
from rlhflint.frameworks.trl.releases import NAME, versions_for
from rlhflint.proposal import SAFE, ImportBehind, Proposal, Reimport, Requalify
from rlhflint.rule import ERROR, STARTUP, WARNING, Draft, rule

if TYPE_CHECKING:
    from rlhflint.call import Import, Module
    from rlhflint.scene import Scene
    from rlhflint.text import Span


@rule("TR605", "trainer-moved", severity=ERROR, stage=STARTUP, programs="module", fix="safe")
def trainer_moved(scene: Scene) -> Iterator[Draft]:
    """A class has to be imported from where the release in force has it.

    What happens: ImportError when the script starts; in the releases in between a warning.

    Why: PPO, OnlineDPO, NashMD, XPO, ORPO, CPO, BCO, GKD, PRM and others moved to trl.experimental (shims with a
    warning in 0.26 to 0.28, gone from `trl` in 0.29); experimental.ppo was deleted in 1.13, nash_md, xpo, bco and prm
    in 1.14 (trl/__init__.py@0.29.0, @1.14.0).

    Example:
        # trl 0.29.1
        from trl import ORPOConfig, ORPOTrainer

    Use instead:
        # trl 0.29.1
        from trl.experimental.orpo import ORPOConfig, ORPOTrainer
    """
    module = scene.document.module
    if module is None:
        return
    used = _used(scene, module)
    paths = (*trl_paths(module), *(one.path for one in used))
    if not paths:
        return
    version = versions_for((), scene.site, paths)[NAME]
    place = releases().place(version.value)
    listed = place.standing is Standing.LISTED
    for one, package in [*((one, None) for one in module.imports), *used.items()]:
        if not one.path.startswith("trl.") or one.guards or one.path.endswith(("*", "__")):
            continue
        # A version between two releases, or after the last, may have what comes with the next.
        if listed or not isinstance(class_at(one.path, place.release), (NotYet, Unknown)):
            yield from _judged(scene, one, place.release, _moved(module, one, package, place.release, used))


def _judged(scene: Scene, one: Import, release: str, moved: Proposal | None) -> Iterator[Draft]:
    name = one.path.rpartition(".")[2]
    match class_at(one.path, release):
        case Moved(path=path, last=last):
            yield scene.finding(
                one.name_span,
                f"{one.module or 'trl'} of TRL {release} has no {name}: it went after {last} and is at {path} now",
                help=f"import it from {path.rpartition('.')[0]}",
                proposal=moved,
            )
        case Deleted(last_anywhere=last, advice=advice):
            instead = f"use {advice}" if advice else f"TRL {last} is the last release that has it"
            yield scene.finding(
                one.name_span,
                f"TRL {release} has no {name} any more: it was deleted, and {last} is the last release with it",
                help=instead,
            )
        case NotYet(since=since, path=path):
            yield scene.finding(
                one.name_span,
                f"TRL {release} has no {one.path}: it comes with {since}",
                help=f"import it from {path.rpartition('.')[0]}" if path else f"use TRL {since} or newer",
            )
        case Unknown(closed=True):
            yield scene.finding(one.name_span, f"no release of TRL has {name} in {one.module or 'trl'}")
        case Shim(target=target, warning=warning):
            yield scene.finding(
                one.name_span,
                f"{name} is at {target.path} since it moved; TRL {release} still finds it here, with a {warning}",
                help=f"import it from {target.path.rpartition('.')[0]}",
                severity=WARNING,
                proposal=moved,
            )


def _used(scene: Scene, module: Module) -> dict[Import, Import]:
    """The classes that are reached through the package (`trl.ORPOConfig(…)`), as if they were imported there.

    Each with the import of the package, or with the `from trl import *` that it comes by.
    """
    source = scene.document.source
    found: dict[Span, tuple[Import, Import]] = {}
    package = next((one for one in module.imports if one.path == "trl" and not one.guards), None)
    star = next((one for one in module.imports if one.path == "trl.*" and not one.guards), None)
    named = {one.path for one in module.imports}
    for call in module.calls:
        span = call.name_span
        if call.guards or span.path != source.path:
            continue
        written, target = source.text[span.start : span.end], call.target
        if package is not None and written == f"{package.bound}{target.removeprefix('trl')}":
            found[span] = replace(package, path=target, span=span, name_span=span), package
        elif star is not None and target == f"trl.{written}" and target not in named:
            found[span] = replace(star, path=target, span=span, name_span=span), star
    return dict(found.values())


def _moved(
    module: Module, one: Import, package: Import | None, release: str, used: dict[Import, Import]
) -> Proposal | None:
    """The names of a statement imported from where they are; what is reached through the package, reached there."""
    home = _home(one.path, release)
    if home is None:
        return None
    if package is not None and package.path.endswith("*"):
        homes = dict.fromkeys(_home(other.path, release) for other, its in used.items() if its is package)
        behind = tuple(ImportBehind(package, path) for path in homes if path is not None)
        return Proposal(f"Import from {home.rpartition('.')[0]}", SAFE, behind)
    if package is not None:
        return Proposal(f"Use {home}", SAFE, (Requalify(package, one.path, home),))
    together = [other for other in module.imports if other.statement == one.statement]
    changes = tuple(Reimport(other, path) for other in together if (path := _home(other.path, release)) is not None)
    return Proposal(f"Import from {home.rpartition('.')[0]}", SAFE, changes) if changes else None


def _home(path: str, release: str) -> str | None:
    """The path that something has to be imported by; None where it is right as it is."""
    match class_at(path, release):
        case Moved(path=path):
            return path
        case Shim(target=target):
            return target.path
    return None
