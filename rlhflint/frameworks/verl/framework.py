"""verl for the engine: commands to launches. Experimental: names and types of settings alone are looked at."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from rlhflint.frameworks import Framework
from rlhflint.frameworks.verl.catalog import PLAIN, verl
from rlhflint.frameworks.verl.launches import NAME, PROGRAM, launch_of, starts_it
from rlhflint.frameworks.verl.session import VerlSession

if TYPE_CHECKING:
    from rlhflint.document import Document
    from rlhflint.launch import Launch
    from rlhflint.model import ProgramModel
    from rlhflint.site import Site

_TYPES = {"int": "integer", "float": "number", "bool": "boolean", "str": "string", "list": "array", "group": "object"}


class Verl(Framework):
    """verl, as `rlhflint.frameworks.Framework` wants it."""

    name = NAME

    def launches(self, document: Document, site: Site) -> Iterator[Launch]:
        """The launches in the shell texts of a file."""
        from rlhflint.launchers import start_of

        for script in document.scripts:
            for command in script.commands:
                start = start_of(command)
                if start is not None and not start.uncertain and starts_it(start):
                    yield launch_of(start, command, script, site)

    def model(self, launch: Launch, site: Site) -> ProgramModel:
        """A model without fields: rules ask the session for what was given."""
        from rlhflint.model import ProgramModel, build

        model, refused = build(ProgramModel, {}, {})
        model._session = VerlSession(launch, site, refused)
        return model

    def programs(self) -> tuple[str, ...]:
        """The one program."""
        return (PROGRAM,)

    def schema(self, name: str, releases: Mapping[str, str]) -> dict[str, Any]:
        """The JSON Schema of the settings of the plain configuration, by dotted name."""
        from rlhflint.editor_schema import NoSuchProgram, document

        if f"{self.name}:{name}" != PROGRAM:
            raise NoSuchProgram(f"there is no program {self.name}:{name}")
        release = releases.get(self.name, verl().releases.newest)
        properties = {
            setting: {} if kind == "any" else {"type": _TYPES[kind]}
            for setting, kind in verl().kinds(release, PLAIN).items()
        }
        return document(f"verl.trainer.main_ppo of verl {release}", "Overrides by their dotted names.", properties)

    def release_of(self, package: str, version: str) -> str:
        """The listed release of verl that stands for a version or specifier."""
        from rlhflint.editor_schema import listed

        return listed(package, version, {self.name: verl().releases})


FRAMEWORK = Verl()
