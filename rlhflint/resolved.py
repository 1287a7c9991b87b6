"""What each setting of a launch comes to: as given, in the terms of today where it was replaced, or by default."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from rlhflint.given import Given
from rlhflint.model import Group
from rlhflint.records import dataclass
from rlhflint.value import Known, OneOf, Unknown, Value

if TYPE_CHECKING:
    from rlhflint.launch import Launch, Setting
    from rlhflint.model import ProgramModel


_OBJECT = "it is an object made elsewhere"


@dataclass(frozen=True, slots=True)
class Resolved:
    """The value of one setting, by its canonical name.

    `setting` is what gives it, None for one that is not given. `follows`: it is neither given under this name nor a
    plain default, but what other settings come to, given or not.
    """

    name: str
    value: Value
    setting: Setting | None = None
    follows: bool = False


def resolved(model: ProgramModel) -> dict[str, Resolved]:
    """Every setting that the launch's program has at the release in force, with its value.

    A setting that was replaced by others counts as those, as far as its value can be said with them.
    """
    session = model.session
    launch = session.launch
    found: dict[str, Resolved] = {}
    for name, value in _leaves(model):
        setting = launch.given(name) if name in launch.values else None
        if setting is not None or session.has(name):
            follows = setting is None and name not in session.defaults and isinstance(value, Known)
            found[name] = Resolved(name, value, setting, follows)
    for name, raw in launch.values.items():
        if name not in found:
            value = _converted(raw)
            told = not isinstance(value, Known) or _plain(value.value)
            found[name] = Resolved(name, value if told else Unknown(_OBJECT), launch.given(name))
    for name, default in session.defaults.items():
        if name not in found and not launch.more:
            found[name] = Resolved(name, Known(default))
    return {name: one for name, one in sorted(found.items()) if not _replaced(one, launch, found)}


def _leaves(group: Group, prefix: str = "") -> Iterator[tuple[str, Value]]:
    """The fields that were filled in, and those that were taken out because they are not known."""
    for name in type(group).model_fields:
        canonical = f"{prefix}{name}"
        if name in group._unknown:
            yield canonical, Unknown(group._unknown[name][1])
            continue
        value = group.__dict__[name]
        if isinstance(value, Group):
            yield from _leaves(value, f"{prefix}{name}.")
        elif name in group.model_fields_set:
            yield canonical, Known(value) if _plain(value) else Unknown(_OBJECT)


def _plain(value: object) -> bool:
    """Whether a value is more than the mark of an object of which only that it is there is known."""
    if isinstance(value, Mapping):
        return all(map(_plain, value.values()))
    if isinstance(value, (list, tuple)):
        return all(map(_plain, value))
    return value is None or isinstance(value, (bool, int, float, str))


def _replaced(one: Resolved, launch: Launch, found: dict[str, Resolved]) -> bool:
    """Whether a setting is also there under the names of today."""
    setting = one.setting or launch.given(one.name)
    if setting is None or one.name == setting.canonical[0]:
        return False
    return all(name in found for name in setting.canonical[:-1])


def _converted(raw: Given | Value) -> Value:
    if isinstance(raw, (Known, OneOf, Unknown)):
        return raw
    try:
        return Known(raw.convert(raw.raw))
    except ValueError as error:
        return Unknown(f"it {error}")
