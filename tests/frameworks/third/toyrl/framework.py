"""toyrl for the engine: commands to launches, launches to the typed model."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

from rlhflint.arguments import Mistake, read_arguments
from rlhflint.catalog.store import FrameworkCatalog
from rlhflint.editor_schema import document as schema_of
from rlhflint.editor_schema import listed
from rlhflint.frameworks import Framework
from rlhflint.launch import Launch, Version
from rlhflint.launchers import start_of
from rlhflint.model import ProgramModel, build
from rlhflint.session import Session
from rlhflint.words import setting_of, value_for

if TYPE_CHECKING:
    from rlhflint.command import Command, Script
    from rlhflint.document import Document
    from rlhflint.launchers import Start
    from rlhflint.site import Site


@cache
def catalog() -> FrameworkCatalog:
    """What releases of toyrl accept."""
    return FrameworkCatalog("toyrl")


class Train(ProgramModel):
    """`python -m toyrl.train`."""

    program = "toyrl:train"
    model: str | None = None
    lr: float = 1e-6
    batch: int = 8
    micro: int = 1


class ToyRL(Framework):
    """toyrl, as `rlhflint.frameworks.Framework` wants it."""

    name = "toyrl"

    def launches(self, document: Document, site: Site) -> Iterator[Launch]:
        """The launches in the shell texts of a file."""
        for script in document.scripts:
            for command in script.commands:
                start = start_of(command)
                if start is not None and not start.uncertain and start.module == "toyrl.train":
                    yield self._launch(start, command, script, site)

    def _launch(self, start: Start, command: Command, script: Script, site: Site) -> Launch:
        releases, place = catalog().releases, start.span or command.span
        version = site.declared.resolve(self.name, releases)
        version = version or Version(self.name, releases.newest, "the newest known release", stated=False)
        options = catalog().program("train").options(releases.place(version.value).release)
        reading = read_arguments(start.arguments, options)
        flags = [(one.option.flag[2:], one) for one in reading.arguments]
        wrong = [one for one in reading.troubles if one.mistake is Mistake.UNKNOWN]
        refused = tuple(setting_of(one.word, one.values, (), place) for one in wrong)
        return Launch(
            program=Train.program,
            path=script.path,
            span=place,
            settings=(*(setting_of(one.name, one.values, (name,), place) for name, one in flags), *refused),
            versions={self.name: version},
            choices=command.choices,
            more=reading.more,
            command=command,
            start=start,
            script=script,
            reading=reading,
            values={name: value_for(one.option, one.values) for name, one in flags},
            refused=refused,
        )

    def model(self, launch: Launch, site: Site) -> ProgramModel:
        """The typed model of a launch."""
        defaults = catalog().program("train").defaults(launch.versions[self.name].value)
        model, refused = build(Train, launch.values, defaults, more=launch.more)
        model._session = Session(launch, site, refused, defaults)
        return model

    def programs(self) -> tuple[str, ...]:
        """The one program."""
        return (Train.program,)

    def schema(self, name: str, releases: Mapping[str, str]) -> dict[str, Any]:
        """The JSON Schema of its settings."""
        return schema_of("toyrl.train", "Flags.", {name: {} for name in Train.model_fields})

    def release_of(self, package: str, version: str) -> str:
        """The listed release that stands for a version."""
        return listed(package, version, {self.name: catalog().releases})


FRAMEWORK = ToyRL()
