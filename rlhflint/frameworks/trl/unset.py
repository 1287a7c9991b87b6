"""What the settings come to that a launch does not give: defaults, what upstream works out, and what is not there."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING

from rlhflint.catalog.fields import Missing
from rlhflint.frameworks.trl.catalog.changes import effective_default
from rlhflint.frameworks.trl.catalog.lookup import trainer_parameters
from rlhflint.frameworks.trl.catalog.over_releases import history
from rlhflint.frameworks.trl.catalog.programs import config_key, trainer_key
from rlhflint.frameworks.trl.catalog.unset import unset_value
from rlhflint.frameworks.trl.session import newest_name
from rlhflint.given import Given
from rlhflint.value import Known, Unknown, Value

if TYPE_CHECKING:
    from rlhflint.catalog.fields import Fields
    from rlhflint.frameworks.trl.session import Details
    from rlhflint.launch import Launch
    from rlhflint.model import ProgramModel

_BASE = "transformers:TrainingArguments"
_NEVER = "its trainer does not stand with it"
_DEEPEST = 5
"""How often the value of an unset option is followed to that of another one."""


def unset_values(
    launch: Launch, details: Details, kind: type[ProgramModel]
) -> tuple[dict[str, object], dict[str, Value]]:
    """Defaults by canonical name, and the values that hold instead of a default.

    The second are known where the other settings decide them (`bf16` is true unless `fp16` is), or where the release
    does not have the setting and that means it is off; the rest of them is unknown, with the reason.
    """
    if details.fields is None:
        absent = f"the configuration of {launch.program} at TRL {details.trl} is not known"
        return {}, {name: Unknown(absent) for name in names_of(kind)}
    defaults, instead = _Unset(launch, details, details.fields).all()
    there = {newest_name(details.config, name, details.trl) for name in details.fields}
    # mypy compares `Hashable` with the hash of an instance, not of the class
    absent_values = _absent(launch.program, details.config, details.trl, kind)  # type: ignore[arg-type]
    for name, value in absent_values.items():
        if name not in there and name not in launch.values:
            instead[name] = value
    if details.form != "python" or details.trainer_call is None:
        for name in _keywords(launch.program, details.trl):
            if name not in details.fields and name not in launch.values:
                instead[name] = Unknown(_NEVER)
    return defaults, instead


def is_nothing(given: Given | Value) -> bool:
    """Whether None is given, in Python or in a file: upstream fills some options in then, as if nothing were given."""
    return given.raw is None if isinstance(given, Given) else given == Known(None)


def names_of(kind: type[ProgramModel]) -> tuple[str, ...]:
    """The canonical names of the settings of a model."""
    return tuple(kind.model_fields)


class _Unset:
    """The values of the options of one launch that are not given."""

    def __init__(self, launch: Launch, details: Details, fields: Fields) -> None:
        self.launch, self.details, self.fields = launch, details, fields

    def all(self) -> tuple[dict[str, object], dict[str, Value]]:
        """Defaults, and what holds instead of them."""
        defaults: dict[str, object] = {}
        instead: dict[str, Value] = {}
        for name, field in self.fields.items():
            canonical = self._canonical(name)
            if canonical != name and canonical in self.fields:
                continue  # an older name beside its successor, whose default it does not change
            effective = effective_default(self.details.config, name, self.details.trl)
            if effective is not None:
                defaults[canonical] = effective[0]
            elif field.default is Missing.COMPUTED or (field.default is None and field.becomes):
                if self.launch.more:
                    continue  # it may be given out of sight
                if field.default is Missing.COMPUTED and canonical in self.launch.values:
                    continue
                instead[canonical] = unset_value(field, lambda other: self._in_force(other, 1))
            elif field.default is not Missing.REQUIRED:
                defaults[canonical] = field.default
        return defaults, instead

    def _canonical(self, name: str) -> str:
        return newest_name(self.details.config, name, self.details.trl)

    def _in_force(self, name: str, depth: int) -> Value:
        """The value of another option, given or not."""
        given = self.launch.values.get(self._canonical(name))
        if given is not None and is_nothing(given):
            given = None
        if isinstance(given, Given):
            try:
                return Known(given.convert(given.raw))
            except ValueError as error:
                return Unknown(f"{name} {error}")
        if given is not None:
            return given
        if self.launch.more:
            return Unknown(self.launch.more)
        field = self.fields.get(name)
        if field is None or depth > _DEEPEST:
            return Unknown(f"{name} is not known")
        effective = effective_default(self.details.config, name, self.details.trl)
        if effective is not None:
            return Known(effective[0])
        return unset_value(field, lambda other: self._in_force(other, depth + 1))


@lru_cache(maxsize=64)
def _keywords(program: str, trl: str) -> tuple[str, ...]:
    """The canonical names of what a program's trainer is given besides its configuration."""
    key = trainer_key(program, trl)
    try:
        found = trainer_parameters(key, trl) if key is not None else ()
    except KeyError:
        found = ()
    return tuple(newest_name(key or "", name, trl) for name in found if name != "args")


@lru_cache(maxsize=64)
def _absent(program: str, config: str, trl: str, kind: type[ProgramModel]) -> Mapping[str, Value]:
    """The settings of a model that a program does not have at a release.

    Off where there is such a value: false, or None for an option that may be None. An option that an inherited or an
    accompanying class might give all the same is unknown.
    """
    keywords = set(_keywords(program, trl))
    found: dict[str, Value] = {}
    own = config == config_key(program, trl)
    for canonical, field in kind.model_fields.items():
        if canonical in keywords:
            continue
        lived = bool(history(_BASE, canonical)) or (own and bool(history(config, canonical)))
        if "Any" in field.types:
            off: Value = Known(None)
        elif lived:
            off = _off(field.types, canonical, trl)
        else:
            off = Unknown(f"{canonical} is no option of this configuration")
        found[canonical] = off
    return found


def _off(types: tuple[str, ...], name: str, trl: str) -> Value:
    if types == ("bool",):
        return Known(False)
    if "None" in types:
        return Known(None)
    return Unknown(f"TRL {trl} has no {name}")
