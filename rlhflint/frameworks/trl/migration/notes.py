"""What is told of a move: what is lost, what means something else, which defaults changed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rlhflint.frameworks.trl.catalog.changes import behaviours
from rlhflint.frameworks.trl.migration.loading import LOADED, relies_on
from rlhflint.frameworks.trl.session import details_in
from rlhflint.migration import lost, told
from rlhflint.value import Known

if TYPE_CHECKING:
    from rlhflint.finding import Finding
    from rlhflint.frameworks.trl.catalog.changes import Behaviour
    from rlhflint.frameworks.trl.migration.defaults import Ended, ReliedOn
    from rlhflint.frameworks.trl.migration.ends import Ends
    from rlhflint.launch import Launch, Setting
    from rlhflint.text import Span

_OF_RULES = ("train_dataset",)
"""Changed meanings that a rule judges by the data (TR602)."""
_SHOWN = {"trl": "TRL", "transformers": "transformers"}


class Notes:
    """The findings of one launch's move. `said` are those of settings, collected while it is worked out."""

    def __init__(self, launch: Launch, ends: Ends) -> None:
        self.launch = launch
        self.ends = ends
        self.said: list[Finding] = []

    @property
    def versions(self) -> dict[str, str]:
        """The releases at the end."""
        return {"trl": self.ends.to[0], "transformers": self.ends.to[1]}

    @property
    def _seen(self) -> str:
        return ", as far as can be seen" if self.launch.more else ""

    def lost(self, setting: Setting, message: str, *, mild: bool = False) -> None:
        """Note that a setting is not carried over."""
        self.said.append(self.gone(setting, message, mild=mild))

    def gone(self, setting: Setting, message: str, *, mild: bool = False) -> Finding:
        """What there is to say of a setting once it is taken out."""
        return lost(self.launch, setting, message, self.versions, mild=mild)

    def stranded(self, span: Span, message: str) -> None:
        """Note that an argument of the trainer is not carried over."""
        self.said.append(lost(self.launch, None, message, self.versions, span=span))

    def meanings(self) -> Iterator[Finding]:
        """Options that mean something else under the same name, as far as the launch gives them."""
        for behaviour in behaviours(self.ends.config, self.ends.since[0], self.ends.to[0]):
            setting = self.launch.given(behaviour.name)
            if behaviour.name in _OF_RULES or not self._concerned(behaviour, setting):
                continue
            said = (
                f"{behaviour.name} changed its meaning at TRL {behaviour.release}; before: {behaviour.before}; "
                f"now: {behaviour.after}"
            )
            yield lost(self.launch, setting, said, self.versions, settings=(behaviour.name,), mild=True)

    def counted(self, setting: Setting | None, message: str) -> Finding:
        """The finding for an option that counts something else, given or not."""
        return lost(self.launch, setting, message, self.versions)

    def _concerned(self, behaviour: Behaviour, setting: Setting | None) -> bool:
        if behaviour.name == LOADED:
            return relies_on(self.launch, setting, behaviour.release)
        return setting is not None and all(self._gives(name, value) for name, value in behaviour.when.items())

    def _gives(self, name: str, value: object) -> bool:
        setting = self.launch.given(name)
        return setting is not None and setting.value in (Known(value), Known(str(value).lower()), Known(str(value)))

    def changed(self, one: ReliedOn, *, can_be_pinned: bool) -> Finding:
        """The finding for a changed default; `can_be_pinned`: another option of the command would write it out."""
        from rlhflint.frameworks.trl.rules.changed_defaults import default_changed

        change = one.change
        since = self.ends.since[0 if change.package == "trl" else 1]
        old = repr(one.old.value) if isinstance(one.old, Known) else change.old
        new = repr(one.new.value) if isinstance(one.new, Known) else change.new
        known = isinstance(one.old, Known)
        pinned = " (--pin-defaults does)" if can_be_pinned else ""
        said = f"its default was {old} at {_SHOWN[change.package]} {since} and is {new} from {change.release} on"
        if self.ends.converted and change.before.owner.startswith("transformers:"):
            said = f"its default is {old} in TrainingArguments and {new} in {self.ends.config.rpartition(':')[2]}"
        return told(
            default_changed,
            self.launch,
            f"{one.name} is not given{self._seen}; {said}",
            self.versions,
            settings=(change.name,),
            help=f"write {one.name}={old} to keep it{pinned}" if known else f"give {one.name} a value",
            mild=bool(self.launch.more) or change.effect == "logging" or not one.certain,
        )

    def ended(self, one: Ended) -> Finding:
        """The finding for an option that is not given and did something all the same."""
        details = details_in(self.launch)
        said = (
            f"{one.name} is not given{self._seen}; it was {one.default!r} at TRL {details.trl}, and TRL "
            f"{self.ends.to[0]} has no such option: use {one.removal.advice}"
        )
        return lost(self.launch, None, said, self.versions, settings=(one.name,), mild=True)
