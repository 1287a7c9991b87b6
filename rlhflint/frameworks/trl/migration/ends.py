"""Both ends of a move: the releases of TRL and transformers, and what the classes of a launch take at each."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from rlhflint.frameworks.trl.catalog.commands import command_fields, script_at
from rlhflint.frameworks.trl.catalog.lookup import config_fields, trainer_parameters
from rlhflint.frameworks.trl.catalog.programs import config_key, key_at
from rlhflint.frameworks.trl.catalog.store import releases, transformers_releases
from rlhflint.frameworks.trl.migration.names import lead
from rlhflint.frameworks.trl.releases import NAME
from rlhflint.frameworks.trl.session import details_in
from rlhflint.frameworks.trl.strays import BASE, BESIDE
from rlhflint.frameworks.trl.transformers_beside import newest_transformers
from rlhflint.records import dataclass

if TYPE_CHECKING:
    from rlhflint.catalog.fields import Fields
    from rlhflint.frameworks.trl.catalog.lookup import Parameters
    from rlhflint.frameworks.trl.session import Details
    from rlhflint.launch import Launch
    from rlhflint.migration import Targets

Pair = tuple[str, str]
"""A listed release of TRL and one of transformers."""
TRANSFORMERS = "transformers"
_OF_TRANSFORMERS = "transformers:"


@dataclass(frozen=True, slots=True)
class Ends:
    """Where a launch comes from and where it goes.

    `was` is the key of its configuration now. `config` and `trainer` are the keys of its classes at the end, `fields`
    and `parameters` what they take there;
    `accepted` are the names of all options there.
    """

    since: Pair
    to: Pair
    was: str
    config: str
    fields: Fields
    accepted: Collection[str]
    trainer: str = ""
    parameters: Parameters | None = None

    @property
    def converted(self) -> bool:
        """Whether a TrainingArguments becomes the configuration of the program's own class."""
        return self.was.startswith(_OF_TRANSFORMERS) and not self.config.startswith(_OF_TRANSFORMERS)

    @property
    def later(self) -> bool:
        """Whether neither package goes to an earlier release, and one to a later one."""
        trl, transformers = releases().position, transformers_releases().position
        steps = (trl(self.to[0]) - trl(self.since[0]), transformers(self.to[1]) - transformers(self.since[1]))
        return min(steps) >= 0 and max(steps) > 0


def ends_of(launch: Launch, targets: Targets) -> Ends | None:
    """The ends of a launch's move; None where it does not move, or where the end does not have its classes."""
    if NAME not in targets.releases and TRANSFORMERS not in targets.releases:
        return None
    details = details_in(launch)
    to = pair_at(launch, details, targets)
    config = _config(launch, details, to)
    try:
        fields = _fields(details, config, to) if config is not None else None
    except KeyError:
        return None
    if config is None or fields is None:
        return None
    trainer = key_at(details.trainer, to[0]) if details.trainer else ""
    if trainer is None:
        return None
    parameters = trainer_parameters(trainer, to[0]) if trainer else None
    accepted = set(fields) | _of_others(details) if details.by == "own" else set(fields)
    return Ends((details.trl, details.transformers), to, details.config, config, fields, accepted, trainer, parameters)


def pair_at(launch: Launch, details: Details, targets: Targets) -> Pair:
    """The releases at the end: those asked for, the ones that are stated, and the newest that goes with TRL's."""
    trl = releases().place(targets.releases.get(NAME, details.trl)).release
    order = transformers_releases()
    if TRANSFORMERS in targets.releases:
        return trl, order.place(targets.releases[TRANSFORMERS]).release
    stated = launch.versions.get(TRANSFORMERS)
    if NAME not in targets.releases or (stated is not None and stated.stated):
        return trl, details.transformers
    return trl, newest_transformers(trl)


def _config(launch: Launch, details: Details, to: Pair) -> str | None:
    if details.config.startswith(_OF_TRANSFORMERS):
        own = config_key(launch.program, to[0])
        return own if own is not None and _has_options_of_its_trainer(details, own, to) else details.config
    if details.config:
        return key_at(details.config, to[0])
    return config_key(launch.program, to[0])


def _has_options_of_its_trainer(details: Details, config: str, to: Pair) -> bool:
    """Whether the trainer is given an option that is one of its configuration in the end."""
    call, key = details.trainer_call, key_at(details.trainer, to[0]) if details.trainer else None
    if call is None or key is None:
        return False
    parameters, fields = trainer_parameters(key, to[0]), config_fields(config, *to)
    names = [one.name for one in call.arguments if one.name and one.name not in parameters]
    return any(lead(name, (config, BASE), fields, to).name for name in names)


def _fields(details: Details, config: str, to: Pair) -> Fields | None:
    """What may be given at the end. Raises KeyError where a class is not there."""
    if details.form == "python":
        return config_fields(config, *to)
    script = script_at(f"trl.scripts.{details.word}", to[0]) if details.by != "own" and details.word else None
    if script is not None:
        return command_fields(script.classes, *to)
    if details.by != "own" and details.word and details.form == "command":
        return None
    beside = [key for name in _beside(details) if (key := key_at(name, to[0])) is not None]
    return command_fields((*beside, config), *to)


def _beside(details: Details) -> list[str]:
    """The classes besides the configuration whose options the launch takes."""
    owners = {field.owner.rpartition(":")[2] for field in (details.fields or {}).values()}
    return [name for name in BESIDE if name in owners or details.by != "own"]


def _of_others(details: Details) -> set[str]:
    """The options of classes that are neither TRL's nor transformers'."""
    known = {details.config.rpartition(":")[2], *BESIDE, BASE.rpartition(":")[2]}
    return {
        name
        for name, field in (details.fields or {}).items()
        if field.owner.rpartition(":")[2] not in known and not field.owner.startswith(("trl", "experimental", BASE))
    }
