"""OpenRLHF for the engine: commands to launches, launches to typed models, rules by topic."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from rlhflint.arguments import Reading, read_arguments
from rlhflint.catalog.terms import carried_forward
from rlhflint.frameworks import Framework
from rlhflint.frameworks.openrlhf.catalog import openrlhf
from rlhflint.frameworks.openrlhf.programs import program_of
from rlhflint.frameworks.openrlhf.releases import judged_by
from rlhflint.frameworks.openrlhf.session import Details, OpenRLHFSession, details_in
from rlhflint.frameworks.openrlhf.settings import settings_of
from rlhflint.launch import Launch
from rlhflint.launchers import start_of
from rlhflint.launchers.environment import environment_of
from rlhflint.value import Known, Unknown, Value
from rlhflint.words import held_value

if TYPE_CHECKING:
    from rlhflint.command import Command, Script
    from rlhflint.document import Document
    from rlhflint.frameworks.openrlhf.edition import Edition
    from rlhflint.launchers import Start
    from rlhflint.migration import Migration, Targets
    from rlhflint.model import ProgramModel
    from rlhflint.plan import Plan
    from rlhflint.proposal import Change
    from rlhflint.site import Site


class OpenRLHF(Framework):
    """OpenRLHF, as `rlhflint.frameworks.Framework` wants it."""

    name = "openrlhf"
    moves = ("openrlhf",)

    def launches(self, document: Document, site: Site) -> Iterator[Launch]:
        """The launches in the shell texts of a file."""
        for script in document.scripts:
            for command in script.commands:
                start = start_of(command)
                if start is not None and not start.uncertain and (program := program_of(start)) is not None:
                    yield self._launch(program, start, command, script, site)

    def _launch(self, program: str, start: Start, command: Command, script: Script, site: Site) -> Launch:
        catalog = openrlhf()
        words = start.arguments
        judged = judged_by(program, (word.text for word in words), catalog, site)
        edition = judged.edition
        reading = read_arguments(words, edition.options) if edition.options else Reading()
        place = start.span or command.span
        made = settings_of(reading, edition, catalog, place)
        return Launch(
            program=f"{self.name}:{program}",
            path=script.path,
            span=place,
            settings=tuple(made.settings),
            versions=judged.versions,
            choices=command.choices,
            more=reading.more if edition.options else "the release in force does not have the program",
            command=command,
            start=start,
            script=script,
            reading=reading,
            environment=environment_of(start, command, script).values,
            values=made.values,
            refused=tuple(made.refused),
            details=Details(edition, tuple(made.strangers), reading, catalog),
        )

    def model(self, launch: Launch, site: Site) -> ProgramModel:
        """The typed model of a launch."""
        from rlhflint.frameworks.openrlhf.models import model_of
        from rlhflint.model import ProgramModel, build

        details = details_in(launch)
        name, defaults = details.edition.name, details.edition.defaults
        kind = model_of(name) if name in details.catalog.programs else ProgramModel
        values = {**launch.values, **_in_newer_terms(launch, details.edition)}
        model, refused = build(kind, values, defaults, more=launch.more)
        refused = () if details.edition.copy else refused  # a copy may take other types than upstream's
        model._session = OpenRLHFSession(launch, site, refused, defaults)
        return model

    def migration(self, launch: Launch, targets: Targets) -> Migration:
        """What a launch takes to get to other releases."""
        from rlhflint.frameworks.openrlhf.migration import migration

        return migration(launch, targets)

    def programs(self) -> tuple[str, ...]:
        """The programs of all releases."""
        from rlhflint.frameworks.openrlhf.editor_schema import programs

        return programs()

    def schema(self, name: str, releases: Mapping[str, str]) -> dict[str, Any]:
        """The JSON Schema of a program's options."""
        from rlhflint.frameworks.openrlhf.editor_schema import schema

        return schema(name, releases)

    def release_of(self, package: str, version: str) -> str:
        """The listed release of OpenRLHF that stands for a version or specifier."""
        from rlhflint.editor_schema import listed

        return listed(package, version, {self.name: openrlhf().releases})

    def plan(self, model: ProgramModel) -> Plan:
        """Placement and memory of a launch."""
        from rlhflint.frameworks.openrlhf.plan import plan

        return plan(model)

    def rehearsals(self, model: ProgramModel) -> Iterator[tuple[Change, ...]]:
        """Changes that make a launch a trial of itself."""
        from rlhflint.frameworks.openrlhf.rehearsal import rehearsals

        return rehearsals(model)


def _in_newer_terms(launch: Launch, edition: Edition) -> dict[str, Value]:
    """What options that were replaced since say in the options of today, so that rules need to know only those."""
    if edition.program is None:
        return {}
    held: dict[str, object] = dict(edition.defaults)
    if launch.more:
        held = dict.fromkeys(held, Unknown(launch.more))
    held |= {name: held_value(value) for name, value in launch.values.items()}
    newer = carried_forward(edition.program, held, edition.release)
    return {
        name: value if isinstance(value, Unknown) else Known(value) for name, value in newer.items() if name not in held
    }


FRAMEWORK = OpenRLHF()
