"""What the rules of TRL may ask about a launch besides what every framework's may."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from rlhflint.catalog.intervals import Standing
from rlhflint.frameworks.trl.catalog.over_releases import canonical, spelling
from rlhflint.frameworks.trl.catalog.store import releases
from rlhflint.session import Session

if TYPE_CHECKING:
    from rlhflint.call import Argument, Call, Import
    from rlhflint.catalog.fields import Fields
    from rlhflint.frameworks.trl.catalog.lookup import Parameters
    from rlhflint.launch import Launch, Setting
    from rlhflint.launchers.processes.world import World
    from rlhflint.mapping import Entry
    from rlhflint.model import ProgramModel

Form = Literal["python", "yaml", "command"]


@dataclass(frozen=True, slots=True)
class Present:
    """An object handed to a trainer of which only that it is there is known: a model, a reference, a data set.

    `argument` is how it was given, None where a command or file says it.
    """

    argument: Argument | None = None


@dataclass(frozen=True, slots=True)
class Stray:
    """A name that neither the configuration nor the trainer has at the releases in force.

    `owner` is the key of the class it was given to, `trainer`: that is the trainer. `fields` are those of the owner
    where it is a class beside the configuration.
    """

    setting: Setting
    owner: str
    trainer: bool
    fields: Fields | None = None


@dataclass(frozen=True, slots=True)
class Details:
    """What the framework keeps with a launch.

    `trl` and `transformers` are releases of the catalog. `config` and `trainer` are keys of classes, empty where there
    is none; `fields` and `parameters` what they take. `strays` are names they do not take.
    """

    form: Form
    trl: str
    transformers: str
    config: str = ""
    trainer: str = ""
    fields: Fields | None = None
    parameters: Parameters | None = None
    strays: tuple[Stray, ...] = ()
    config_call: Call | None = None
    trainer_call: Call | None = None
    companions: tuple[Call, ...] = ()
    """Calls of the classes beside the configuration (`ModelConfig`), kept with the first launch of a module."""
    uses: tuple[Call, ...] = ()
    """Calls of the trainer's methods, in the order of the file."""
    variables: tuple[Argument, ...] = ()
    """Environment variables that the module sets itself, in the order of the file."""
    imports: tuple[Import, ...] = ()
    """What its module imports."""
    by: Literal["", "trl", "script", "own"] = ""
    """Whose parser reads a command: that of `trl WORD`, of a script of TRL's, of the user's own script."""
    word: str = ""
    """The subcommand, or the name of TRL's script."""
    repeated: tuple[tuple[Setting, Entry], ...] = ()
    """Settings of a YAML file whose key stands there before, with the earlier entry, which does not count."""
    open: str = ""
    """Why a name that is not known may be taken all the same."""

    @property
    def own_config(self) -> str:
        """The key of the configuration's class if TRL defines it, so that it changes with TRL's releases; else ""."""
        return "" if self.config.startswith("transformers:") else self.config


def details_in(launch: Launch) -> Details:
    """What the framework keeps with a launch of its own. Raises TypeError for a launch of another framework."""
    if not isinstance(launch.details, Details):
        raise TypeError(f"{launch.program} is no program of TRL")
    return launch.details


def details_of(model: ProgramModel) -> Details:
    """The same, for the typed model of a launch."""
    return details_in(model.session.launch)


@dataclass(frozen=True)
class TRLSession(Session):
    """A launch of one of TRL's programs."""

    @property
    def details(self) -> Details:
        """Classes, fields and names that nobody takes."""
        return details_in(self.launch)

    @cached_property
    def world(self) -> World:
        """The processes, with what accelerate's options and files say where `trl WORD` hands them on."""
        from rlhflint.frameworks.trl.launching import world_of

        return world_of(self)

    @cached_property
    def _names(self) -> frozenset[str]:
        details = self.details
        fields = (newest_name(details.config, name, details.trl) for name in details.fields or ())
        return frozenset((*fields, *(newest_name(details.trainer, name) for name in details.parameters or ())))

    def has(self, canonical: str) -> bool:
        """Whether the configuration or the trainer has a setting at the releases in force."""
        return canonical in self._names

    @property
    def _standing(self) -> Standing:
        stated = self.launch.versions["trl"].value
        return releases().place(stated).standing

    @property
    def newer(self) -> bool:
        """Whether the release in force is newer than the catalog."""
        return self._standing is Standing.NEWER

    @property
    def newest(self) -> str:
        """The newest release that the catalog knows."""
        return releases().newest

    @property
    def nightly(self) -> bool:
        """Whether it lies between two releases of the catalog, and may have what comes with the later one."""
        return self._standing is Standing.BETWEEN

    def spelling(self, canonical_name: str) -> str:
        """The name of a setting at the releases in force; its newest where the class has it no longer."""
        details = self.details
        found = spelling(details.config, canonical_name, details.trl, details.transformers) if details.config else None
        return found or canonical_name


def newest_name(owner: str, name: str, trl: str | None = None) -> str:
    """The canonical name of an option of a class, or of a parameter of a trainer."""
    return canonical(owner, name, None if owner.startswith("transformers:") else trl)
