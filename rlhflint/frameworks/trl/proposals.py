"""The changes that rules propose most: a setting removed or set."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rlhflint.frameworks.trl.session import details_of
from rlhflint.proposal import UNSAFE, Add, Proposal, Remove, SetValue

if TYPE_CHECKING:
    from rlhflint.finding import Applicability
    from rlhflint.launch import Setting
    from rlhflint.model import ProgramModel


def put(launch: ProgramModel, setting: str, value: object, applicability: Applicability = UNSAFE) -> Proposal | None:
    """Give a setting of the configuration a value; None where it would have to be added and there is no place for it.

    A setting that is not given can be added to a call, and to the words of a command.
    """
    given = launch.session.setting(setting)
    name = launch.session.spelling(setting)
    shown = repr(value)
    if given is not None:
        return Proposal(f"Set {name} to {shown}", applicability, (SetValue(given, value),))
    details = details_of(launch)
    if details.form == "command":
        return Proposal(f"Give {name}={shown}", applicability, (Add(f"--{name}", value),))
    beside = _last_of_configuration(launch)
    return Proposal(f"Give {name}={shown}", applicability, (Add(name, value, beside),)) if beside else None


def _last_of_configuration(launch: ProgramModel) -> Setting | None:
    """The last argument of the call that makes the configuration; arguments of the trainer do not belong to it."""
    call = details_of(launch).config_call
    own = {id(argument) for argument in call.arguments} if call is not None else set()
    return next((one for one in reversed(launch.session.launch.settings) if id(one.origin) in own), None)


def remove(launch: ProgramModel, setting: str, applicability: Applicability = UNSAFE) -> Proposal | None:
    """Take a setting out; None where it is not given."""
    given = launch.session.setting(setting)
    return Proposal(f"Remove {given.name}", applicability, (Remove(given),)) if given is not None else None
