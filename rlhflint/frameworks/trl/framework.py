"""TRL for the engine: calls, files and commands to launches, launches to typed models, rules by topic."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from rlhflint.frameworks import Framework
from rlhflint.frameworks.trl.session import TRLSession, details_in
from rlhflint.launch import Launch

if TYPE_CHECKING:
    from rlhflint.document import Document
    from rlhflint.given import Given
    from rlhflint.migration import Migration, Targets
    from rlhflint.model import ProgramModel
    from rlhflint.plan import Plan
    from rlhflint.proposal import Change
    from rlhflint.site import Site
    from rlhflint.value import Value


class TRL(Framework):
    """TRL, as `rlhflint.frameworks.Framework` wants it."""

    name = "trl"
    moves = ("trl", "transformers")
    moved_by_rules = ("TR103", "TR111", "TR605")
    """Rules whose fixes belong to a move: of imports, and of what a parser takes otherwise."""
    told_by_moves = ("TR604",)
    """Rules whose findings a move tells itself: of defaults that changed under a launch."""

    def watches(self, path: str) -> bool:
        """Whether a dotted path in Python is of interest."""
        from rlhflint.frameworks.trl.python_launches import watched

        return watched(path)

    def launches(self, document: Document, site: Site) -> Iterator[Launch]:
        """The launches in a file."""
        if document.module is not None:
            from rlhflint.frameworks.trl import python_launches

            yield from python_launches.launches(document.module, site)
        if document.scripts:
            from rlhflint.frameworks.trl import command_launches

            yield from command_launches.launches(document.scripts, site, document.sources)
        if document.keys is not None:
            from rlhflint.frameworks.trl import recipes

            yield from recipes.launches(document, site)

    def model(self, launch: Launch, site: Site) -> ProgramModel:
        """The typed model of a launch."""
        from rlhflint.frameworks.trl.models import model_of
        from rlhflint.frameworks.trl.unset import is_nothing, names_of, unset_values
        from rlhflint.model import ProgramModel, build
        from rlhflint.value import Known

        details = details_in(launch)
        try:
            kind = model_of(launch.program)
        except KeyError:
            kind = ProgramModel
        defaults, worked_out = unset_values(launch, details, kind)
        names = set(names_of(kind))
        given = {
            name: value
            for name, value in launch.values.items()
            if not is_nothing(value) or not isinstance(worked_out.get(name), Known)
        }
        values: dict[str, Given | Value] = {**worked_out, **given}
        model, refused = build(
            kind,
            {name: value for name, value in values.items() if name in names},
            {name: value for name, value in defaults.items() if name in names},
            more=launch.more,
        )
        model._session = TRLSession(launch, site, refused, defaults)
        return model

    def programs(self) -> tuple[str, ...]:
        """The programs of all releases."""
        from rlhflint.frameworks.trl.editor_schema import programs

        return programs()

    def schema(self, name: str, releases: Mapping[str, str]) -> dict[str, Any]:
        """The JSON Schema of a program's configuration file or class."""
        from rlhflint.frameworks.trl.editor_schema import schema

        return schema(name, releases)

    def release_of(self, package: str, version: str) -> str:
        """The listed release of TRL or transformers that stands for a version or specifier."""
        from rlhflint.editor_schema import listed
        from rlhflint.frameworks.trl.catalog.store import releases, transformers_releases

        return listed(package, version, {self.name: releases(), "transformers": transformers_releases()})

    def migration(self, launch: Launch, targets: Targets) -> Migration:
        """What a launch takes to get to other releases of TRL and transformers."""
        from rlhflint.frameworks.trl.migration import migration

        return migration(launch, targets)

    def plan(self, model: ProgramModel) -> Plan:
        """Placement and memory of a launch."""
        from rlhflint.frameworks.trl.plan import plan

        return plan(model)

    def rehearsals(self, model: ProgramModel) -> Iterator[tuple[Change, ...]]:
        """Changes that make a launch a trial of itself."""
        from rlhflint.frameworks.trl.rehearsal import rehearsals

        return rehearsals(model)


FRAMEWORK = TRL()
