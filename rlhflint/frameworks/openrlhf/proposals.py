"""The changes that rules propose most: a setting removed, renamed, set."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rlhflint.proposal import Add, Change, Remove, Rename, SetValue

if TYPE_CHECKING:
    from rlhflint.model import ProgramModel


def remove(launch: ProgramModel, *settings: str) -> tuple[Change, ...]:
    """Take out those of the settings that are given."""
    given = (launch.session.setting(name) for name in settings)
    return tuple(Remove(setting) for setting in given if setting is not None)


def rename(launch: ProgramModel, setting: str, *to: str) -> tuple[Change, ...]:
    """Write a setting as others, named canonically, in the spelling of the release in force."""
    given = launch.session.setting(setting)
    names = tuple(launch.session.spelling(name) for name in to)
    return (Rename(given, names),) if given is not None else ()


def put(launch: ProgramModel, setting: str, value: object) -> tuple[Change, ...]:
    """Give a setting a value, whether it is given or not; True is written as a bare switch."""
    given = launch.session.setting(setting)
    if given is None:
        return (Add(launch.session.spelling(setting), value),)
    return (SetValue(given, value),)
