"""What a launch relies on without saying so: written out, or told."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING

from rlhflint.call import Origin
from rlhflint.frameworks.trl.migration.conversion import creatable
from rlhflint.frameworks.trl.migration.defaults import ReliedOn, ended, relied_on
from rlhflint.frameworks.trl.migration.pins import Where, places, proposal
from rlhflint.frameworks.trl.session import details_in
from rlhflint.mapping import Entry
from rlhflint.proposal import Proposal, Remove, Replace
from rlhflint.value import Known

if TYPE_CHECKING:
    from rlhflint.finding import Finding
    from rlhflint.frameworks.trl.migration.ends import Ends
    from rlhflint.frameworks.trl.migration.notes import Notes
    from rlhflint.launch import Launch
    from rlhflint.migration import Targets


_OF_RULES = ("vllm_mode",)
"""Options whose changed default a rule at the end tells of: TR601."""


class Relied:
    """The changed defaults under one launch."""

    def __init__(self, launch: Launch, ends: Ends, targets: Targets, written: Collection[str]) -> None:
        self.launch = launch
        self.ends = ends
        self.targets = targets
        self.every = relied_on(launch, ends, written)
        self._pinned: list[ReliedOn] = []
        self.in_new_call: list[tuple[str, object]] = []
        """What belongs into a configuration that is not there yet."""

    def written_out(self, made: Sequence[Proposal]) -> list[Proposal]:
        """The proposal to write old defaults out, where that is wanted and can be done; `made` are the others."""
        if not self.targets.pin_defaults or _open(self.launch):
            return []
        changes = [change for one in made for change in one.changes]
        where = places(self.launch, [one.setting for one in changes if isinstance(one, (Remove, Replace))])
        if where is None and creatable(self.launch, self.ends):
            self._pinned = [one for one in self.every if Where(anew=True).takes(one)]
            self.in_new_call = [(one.name, one.old.value) for one in self._pinned if isinstance(one.old, Known)]
            return []
        self._pinned = [one for one in self.every if where is not None and where.takes(one)]
        return [proposal(self._pinned, where)] if where is not None and self._pinned else []

    def findings(self, notes: Notes) -> Iterator[Finding]:
        """What there is to say of the others, and of options that are gone."""
        for one in self.every:
            told = one.name in _OF_RULES and one.certain and not self.launch.more
            if one not in self._pinned and not told and (one.certain or self.targets.pin_defaults):
                yield notes.changed(one, can_be_pinned=not self.targets.pin_defaults)
        for gone in ended(self.launch, self.ends):
            yield notes.ended(gone)


def unseen(launch: Launch) -> bool:
    """Whether the configuration as a whole lies elsewhere, so that nothing can be told of what is not given."""
    if not launch.more:
        return False
    if details_in(launch).form == "python":
        return details_in(launch).config_call is None
    words = launch.start.arguments if launch.start is not None else ()
    file = any(isinstance(setting.origin, Entry) for setting in launch.settings)
    return any(word.text == "--config" for word in words) and not file


def _open(launch: Launch) -> bool:
    """Whether an option may be given out of sight, so that giving it as well would be an error."""
    call = details_in(launch).config_call
    several = call is not None and any(one.origin is Origin.POSITION and one.position != 0 for one in call.arguments)
    return details_in(launch).form == "python" and (bool(launch.more) or several)
