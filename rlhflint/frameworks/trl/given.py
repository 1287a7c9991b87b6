"""The settings of a launch with the fields they fill."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rlhflint.catalog.fields import Field, Fields
from rlhflint.frameworks.trl.session import details_of
from rlhflint.mapping import Entry
from rlhflint.proposal import Proposal, SetValue

if TYPE_CHECKING:
    from rlhflint.finding import Applicability
    from rlhflint.launch import Setting
    from rlhflint.model import ProgramModel


def settings_with_fields(launch: ProgramModel) -> Iterator[tuple[Setting, Field]]:
    """The settings in force of the configuration and of the classes beside it, each with its field."""
    fields = details_of(launch).fields or Fields({})
    for setting in launch.session.launch.settings:
        field = fields.get(setting.name.lstrip("-").replace("-", "_"))
        if field is not None and all(launch.session.setting(name) is setting for name in setting.canonical):
            yield setting, field


def by_words(setting: Setting, launch: ProgramModel) -> bool:
    """Whether a setting stands on a command line."""
    return details_of(launch).form == "command" and not isinstance(setting.origin, Entry)


def set_to(setting: Setting, value: object, applicability: Applicability) -> Proposal:
    """The proposal to give a setting that stands in the file another value."""
    return Proposal(f"Set {setting.name} to {value!r}", applicability, (SetValue(setting, value),))
