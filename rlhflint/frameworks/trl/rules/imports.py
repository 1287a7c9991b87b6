"""Imports of TRL that do not work, or not for long, at the release in force."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from rlhflint.catalog.intervals import Standing
from rlhflint.catalog.trl import Deleted, Moved, NotYet, Shim, class_at, releases
from rlhflint.catalog.trl.imports import Unknown
from rlhflint.expressions import expression
from rlhflint.frameworks.trl.python_launches import trl_paths
from rlhflint.frameworks.trl.releases import NAME, versions_for
from rlhflint.proposal import SAFE, Change, Proposal, Rewrite
from rlhflint.rule import ERROR, STARTUP, WARNING, Draft, rule
from rlhflint.text import Span

if TYPE_CHECKING:
    from rlhflint.call import Import, Module
    from rlhflint.scene import Scene


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
    used = tuple(_used(scene, module))
    paths = (*trl_paths(module), *(one.path for one in used))
    if not paths:
        return
    version = versions_for((), scene.site, paths)[NAME]
    place = releases().place(version.value)
    listed = place.standing is Standing.LISTED
    for one in (*module.imports, *used):
        if not one.path.startswith("trl.") or one.guards or one.path.endswith(("*", "__")):
            continue
        # A version between two releases, or after the last, may have what comes with the next.
        if listed or not isinstance(class_at(one.path, place.release), (NotYet, Unknown)):
            yield from _judged(scene, module, one, place.release)


def _judged(scene: Scene, module: Module, one: Import, release: str) -> Iterator[Draft]:
    name = one.path.rpartition(".")[2]
    match class_at(one.path, release):
        case Moved(path=path, last=last):
            yield scene.finding(
                one.name_span,
                f"{one.module or 'trl'} of TRL {release} has no {name}: it went after {last} and is at {path} now",
                help=f"import it from {path.rpartition('.')[0]}",
                proposal=_moved(scene, module, one, release),
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
                proposal=_moved(scene, module, one, release),
            )


def _used(scene: Scene, module: Module) -> Iterator[Import]:
    """The classes that are reached through the package (`trl.ORPOConfig(…)`), as if they were imported there."""
    source = scene.document.source
    seen: set[Span] = set()
    for call in module.calls:
        package = next((one for one in module.imports if one.path == "trl" and not one.guards), None)
        span = call.name_span
        if package is None or call.guards or span in seen or span.path != source.path:
            continue
        if source.text[span.start : span.end] == f"{package.bound}{call.target.removeprefix('trl')}":
            seen.add(span)
            yield replace(package, path=call.target, span=span, name_span=span)


def _written_out(module: Module, one: Import, path: str) -> Proposal:
    """A class reached through the package written with the module it moved to, which is imported besides."""
    home = path.rpartition(".")[0]
    changes: list[Change] = [Rewrite(one.name_span, one.bound + path.removeprefix("trl"))]
    if not any(other.path == home for other in module.imports):
        behind = Span(one.statement.path, one.statement.end, one.statement.end)
        changes.append(Rewrite(behind, f"\nimport {home}"))
    return Proposal(f"Use {path}", SAFE, tuple(changes))


def _moved(scene: Scene, module: Module, one: Import, release: str) -> Proposal | None:
    """The statement put right: the new module where all its names moved there, a second statement for some of them."""
    if one.span == one.name_span and one.module_span is None and one.path != "trl":
        home = _home(one.path, release)
        return _written_out(module, one, f"{home}.{one.path.rpartition('.')[2]}") if home is not None else None
    together = [other for other in module.imports if other.statement == one.statement]
    homes = {other.path: _home(other.path, release) for other in together}
    mine = homes[one.path]
    if mine is None or one.module_span is None:
        return None
    if all(home == mine for home in homes.values()):
        return Proposal(f"Import from {mine}", SAFE, (Rewrite(one.module_span, mine),))
    changes = _split(scene, together, homes)
    return Proposal(f"Import from {mine}", SAFE, changes) if changes else None


def _split(scene: Scene, together: list[Import], homes: dict[str, str | None]) -> tuple[Change, ...]:
    """The names that moved leave the statement and stand in new ones on the next lines, with the same indentation."""
    source = scene.document.source
    statement = together[0].statement
    text = source.text[statement.start : statement.end]
    if "\\" in text or ";" in source.line_at(statement.start) or ("#" in text and "(" not in text):
        return ()
    indent = source.line_at(statement.start)
    indent = indent[: len(indent) - len(indent.lstrip())]
    end = "\r\n" if "\r\n" in source.text else "\n"
    stay = [one for one in together if homes[one.path] is None]
    first, last = together[0].span, together[-1].span
    kept = ", ".join(source.text[one.span.start : one.span.end] for one in stay)
    lines = []
    for home in dict.fromkeys(filter(None, homes.values())):
        names = [source.text[one.span.start : one.span.end] for one in together if homes[one.path] == home]
        lines.append(f"{end}{indent}from {home} import {', '.join(names)}")
    behind = Rewrite(Span(statement.path, statement.end, statement.end), "".join(lines))
    if "(" not in text:
        return (Rewrite(first.to(last), kept), behind)
    taken = [_taken_out(source.text, one.span) for one in together if homes[one.path] is not None]
    return (*(Rewrite(span, "") for span in taken if span is not None), behind) if None not in taken else ()


_COMMA = expression(r"[ \t]*,[ \t]*")


def _taken_out(text: str, span: Span) -> Span | None:
    """What goes with a name between brackets: its line where it is alone there, else its comma; a comment stays."""
    line = text.rfind("\n", 0, span.start) + 1
    comma = _COMMA.match(text, span.end)
    end = comma.end() if comma is not None else span.end
    if not text[line : span.start].strip():
        rest = re.compile(r"[ \t]*\r?\n").match(text, end)
        return Span(span.path, line, rest.end()) if rest is not None else Span(span.path, span.start, end)
    if comma is not None:
        return Span(span.path, span.start, end)
    before = re.compile(r",\s*\Z").search(text, max(0, span.start - 200), span.start)
    return Span(span.path, before.start(), span.end) if before is not None else None


def _home(path: str, release: str) -> str | None:
    """The module a path has to be imported from; None where it is right as it is."""
    match class_at(path, release):
        case Moved(path=path):
            return path.rpartition(".")[0]
        case Shim(target=target):
            return target.path.rpartition(".")[0]
    return None
