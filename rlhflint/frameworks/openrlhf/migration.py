"""An OpenRLHF launch moved from the release in force to another one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from rlhflint.catalog.changes import Kind
from rlhflint.finding import Finding
from rlhflint.frameworks.openrlhf.default_changes import ChangedDefault, changed_defaults
from rlhflint.frameworks.openrlhf.meanings import meanings
from rlhflint.frameworks.openrlhf.rewriting import bundled, changes, rewritten
from rlhflint.frameworks.openrlhf.rewritings import Rewriting
from rlhflint.frameworks.openrlhf.session import details_in
from rlhflint.migration import UNQUOTED, Migration, Targets, lost, told
from rlhflint.proposal import SAFE, UNSAFE, Add, Change, Proposal, Remove
from rlhflint.text import HOLE
from rlhflint.value import Unknown
from rlhflint.words import held_value

if TYPE_CHECKING:
    from rlhflint.catalog.program import Program
    from rlhflint.frameworks.openrlhf.edition import Edition
    from rlhflint.launch import Launch, Setting

NAME = "openrlhf"
_ESTIMATOR = "algo.advantage.estimator"
"""What decides whether a critic is built: only `gae` has one (cli/train_ppo_ray.py@0.5.1, @0.11.2)."""


def migration(launch: Launch, targets: Targets) -> Migration:
    """What a launch takes to get to the release asked for; nothing where none is, or where it has no such program."""
    details = details_in(launch)
    edition, program = details.edition, details.edition.program
    if NAME not in targets.releases or program is None:
        return Migration()
    to = details.catalog.releases.place(targets.releases[NAME]).release
    if not program.exists(to):
        return Migration()
    return _Move(launch, edition, program, to, targets).migration()


class _Move:
    """One launch on its way to one release."""

    def __init__(self, launch: Launch, edition: Edition, program: Program, to: str, targets: Targets) -> None:
        self.launch = launch
        self.edition = edition
        self.program = program
        self.since = edition.release
        self.to = to
        self.targets = targets
        self.flags = {one.name.text: one.option.flag for one in details_in(launch).reading.arguments}
        position = program.releases.position
        self.later = position(to) > position(self.since)

    def migration(self) -> Migration:
        """The proposals, and what there is to say besides."""
        settings = [one for one in self.launch.settings if one.name.lstrip("-") not in self.edition.extra]
        critic = not self._without_critic()
        found = rewritten(self.program, settings, self.to, since=self.since, flags=self.flags, critic=critic)
        found = [] if self._fits() else found
        proposals, notes = list[Proposal](), list[Finding]()
        for bundle in bundled(found):
            proposals += self._proposals(bundle)
            notes += self._losses(bundle)
        if self.later:
            notes += meanings(self.launch, self.program, settings, self.since, self.to)
        if self.later and self.targets.defaults and not self._moved(settings):
            relied = changed_defaults(self.program, self._given(), self.since, self.to, self._written(found))
            pinned = [one for one in relied if self.targets.pin_defaults and self._can_be_written(one)]
            notes += [self._changed(one) for one in relied if one not in pinned]
            if pinned:
                proposals.append(self._pinned(pinned))
        return Migration(tuple(proposals), tuple(notes))

    def _moved(self, settings: Sequence[Setting]) -> bool:
        """Whether the launch was moved before, at least in part, and only the statement of the release is the old one.

        What it relied on then can no longer be told: a switch that became the default has left no trace.
        """
        flags = (self.flags.get(setting.name, setting.name) for setting in settings)
        return any(self.program.accepts(flag, self.to) and not self.program.accepts(flag, self.since) for flag in flags)

    def _without_critic(self) -> bool:
        """Whether it is certain, on every way to the launch, that none is built, whatever the estimator's flag is."""
        estimator = held_value(self.launch.values[_ESTIMATOR]) if _ESTIMATOR in self.launch.values else "gae"
        place = setting.value_span if (setting := self.launch.given(_ESTIMATOR)) is not None else None
        command = self.launch.command
        own = place is not None and command is not None and command.says(place)
        return isinstance(estimator, str) and estimator != "gae" and (own or not self.launch.choices)

    def _fits(self) -> bool:
        """Whether the release takes the words of the launch as they are, whatever is stated about releases."""
        from rlhflint.arguments import read_arguments
        from rlhflint.conversion import converter

        if self.launch.start is None:
            return False
        reading = read_arguments(self.launch.start.arguments, self.program.options(self.to))
        if reading.troubles or any(one.abbreviated for one in reading.arguments):
            return False
        try:
            for argument in reading.arguments:
                if argument.values and not any(HOLE in value.text for value in argument.values):
                    converter(argument.option)([value.text for value in argument.values])
        except (ValueError, IndexError):
            return False
        return True

    def _proposals(self, bundle: Sequence[Rewriting]) -> Iterator[Proposal]:
        dropped = self._dropped(bundle)
        made: tuple[Change, ...] = tuple(map(Remove, dropped)) if dropped else changes(bundle)
        if any(isinstance(change, Remove) and self._open_behind(change.setting) for change in made):
            return
        if made:
            names = " and ".join(dict.fromkeys(one.flag for rewriting in bundle for one in rewriting.by))
            title = f"Write {names}" if names else f"Remove {' and '.join(one.setting.name for one in bundle)}"
            yield Proposal(title, UNSAFE if dropped else SAFE, made, tuple(map(self._gone, bundle)) if dropped else ())

    def _dropped(self, bundle: Sequence[Rewriting]) -> list[Setting]:
        """What goes although something is lost, where that was allowed."""
        live = [one for one in bundle if one.lost and one.succession.kind is Kind.REMOVED]
        if not self.targets.unsafe or len(live) < len(bundle) or any(self._open_behind(one.setting) for one in live):
            return []
        return [one.setting for one in live]

    def _open_behind(self, setting: Setting) -> bool:
        """Whether a word follows that is not known, and may be meant as the value of a switch."""
        words = self.launch.start.arguments if self.launch.start is not None else ()
        for word, following in pairwise(words):
            if word.span == setting.name_span and not setting.text and following.text.startswith(HOLE):
                return not any(mark in following.because for mark in ("$@", "$*", "[@]", "[*]"))
        return False

    def _losses(self, bundle: Sequence[Rewriting]) -> Iterator[Finding]:
        """What is lost and stays; of what the release moved to refuses, without anything in its place, it says so."""
        for one in bundle if not self._dropped(bundle) else ():
            name = one.setting.name
            if one.lost and self.program.accepts(name, self.to):
                yield self._lost(one.setting, f"{name} is left as it is, and means something else there: {one.lost}")
            elif one.lost and one.succession.kind is not Kind.REMOVED:
                yield self._lost(one.setting, f"{name} is left as it is, and is refused there: {one.lost}")

    def _gone(self, one: Rewriting) -> Finding:
        """What is lost with a setting that is taken out."""
        return self._lost(one.setting, f"{one.setting.name} is taken out, and what it did is lost: {one.lost}")

    def _lost(self, setting: Setting, message: str) -> Finding:
        return lost(self.launch, setting, message, self._versions())

    def _given(self) -> dict[str, object]:
        """Field → value in force for what the launch gives."""
        return {name: held_value(value) for name, value in self.launch.values.items()}

    def _written(self, found: Sequence[Rewriting]) -> set[str]:
        """The fields that are given in the end."""
        moved = {id(one.setting) for one in found}
        flags = {one.flag for rewriting in found for one in rewriting.by}
        flags |= {self.flags.get(one.name, one.name) for one in self.launch.settings if id(one) not in moved}
        return {name for flag in flags for name in self.program.fields(flag, self.to)}

    def _can_be_written(self, changed: ChangedDefault) -> bool:
        """Whether words give the old value that need no quotes, and that the release takes."""
        from rlhflint.conversion import converter

        option = self.program.option(changed.flag, self.to)
        words = changed.words
        if words is None or option is None or not all(UNQUOTED.fullmatch(word) for word in words):
            return False
        try:
            return bool(converter(option)(words) == changed.old)
        except (ValueError, IndexError):
            return False

    def _pinned(self, changed: Sequence[ChangedDefault]) -> Proposal:
        names = " and ".join(one.flag for one in changed)
        return Proposal(f"Write the old default of {names}", SAFE, tuple(map(_addition, changed)))

    def _changed(self, changed: ChangedDefault) -> Finding:
        from rlhflint.frameworks.openrlhf.rules.changed_defaults import flag_default_changed

        effect = f": {changed.effect}" if changed.effect else ""
        was = "" if isinstance(changed.old, Unknown) else f" was {changed.old!r} at OpenRLHF {self.since} and"
        said = f"the default of {changed.flag}{was} is {changed.new!r} at {self.to}"
        if not was:
            said += f", which means something else than leaving it out did at OpenRLHF {self.since}"
        words = changed.words
        pinned = "" if self.targets.pin_defaults else " (--pin-defaults does)"
        help_ = f"write {' '.join([changed.flag, *words])} to keep it{pinned}" if words is not None else ""
        return told(
            flag_default_changed,
            self.launch,
            said + effect,
            self._versions(),
            settings=(changed.name,),
            help=help_,
            mild=bool(self.launch.more),
        )

    def _versions(self) -> dict[str, str]:
        return {NAME: self.to}


def _addition(changed: ChangedDefault) -> Add:
    words = changed.words or ()
    return Add(changed.flag, True if not words else words if len(words) > 1 else words[0])
