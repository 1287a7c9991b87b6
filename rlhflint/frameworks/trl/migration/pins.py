"""Old defaults written out: where in a launch, and in which words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rlhflint.frameworks.trl.migration.values import word
from rlhflint.frameworks.trl.session import details_in
from rlhflint.mapping import Entry
from rlhflint.migration import UNQUOTED
from rlhflint.proposal import SAFE, Add, Proposal
from rlhflint.records import dataclass
from rlhflint.value import Known

if TYPE_CHECKING:
    from rlhflint.call import Call
    from rlhflint.frameworks.trl.migration.defaults import ReliedOn
    from rlhflint.launch import Launch, Setting

_PLAIN = (str, bool, int, float, list, type(None))


@dataclass(frozen=True, slots=True)
class Where:
    """The place for more options: a call, an entry of a file to stand behind, or the end of a command."""

    call: Call | None = None
    after: Setting | None = None
    anew: bool = False
    """The call is yet to be written."""

    @property
    def words(self) -> bool:
        """They are words of a command."""
        return self.call is None and self.after is None and not self.anew

    def takes(self, one: ReliedOn) -> bool:
        """Whether the old default can be written there."""
        if not isinstance(one.old, Known) or not isinstance(one.old.value, _PLAIN):
            return False
        if not self.words:
            return True
        return one.old.value is not None and all(UNQUOTED.fullmatch(text) for text in _texts(one.old.value))

    def add(self, name: str, value: object) -> Add:
        """The change that writes an option."""
        if self.words:
            texts = _texts(value)
            return Add(f"--{name}", texts if len(texts) > 1 else texts[0])
        return Add(name, value, self.after, self.call)


def places(launch: Launch, removed: Sequence[Setting]) -> Where | None:
    """Where options can be added; None where there is no configuration to add them to."""
    details = details_in(launch)
    if details.form == "python":
        return Where(call=details.config_call) if details.config_call is not None else None
    gone = {id(setting) for setting in removed}
    entries = [one for one in launch.settings if isinstance(one.origin, Entry) and id(one) not in gone]
    if entries:
        return Where(after=max(entries, key=lambda one: one.name_span.start))
    return Where() if any(one.origin is None for one in launch.settings) else None


def proposal(pinned: Sequence[ReliedOn], where: Where) -> Proposal:
    """The proposal to write old defaults out."""
    names = " and ".join(one.name for one in pinned)
    made = tuple(where.add(one.name, one.old.value) for one in pinned if isinstance(one.old, Known))
    return Proposal(f"Write the old default of {names}", SAFE, made)


def _texts(value: object) -> list[str]:
    return [word(item) for item in value] if isinstance(value, list) else [word(value)]
