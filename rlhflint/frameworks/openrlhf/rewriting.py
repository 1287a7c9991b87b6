"""What to write at one release for settings that were written for another: names, values, and what is lost.

Used for flags that the release in force refuses, and for moving a launch to another release.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rlhflint.catalog.changes import Kind
from rlhflint.conversion import converter
from rlhflint.text import HOLE

if TYPE_CHECKING:
    from rlhflint.catalog.changes import Replacement, Step
    from rlhflint.catalog.program import Program
    from rlhflint.catalog.succession import Succession
    from rlhflint.launch import Setting


@dataclass(frozen=True, slots=True)
class Successor:
    """A flag to write. `words` are its value; None for the value of the setting it replaces, as it is written."""

    flag: str
    words: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class Rewriting:
    """What becomes of one setting: `by` are the flags to write in its place, empty where it simply goes.

    `lost` says what cannot be carried over; the setting then has to be looked at by its owner.
    """

    setting: Setting
    succession: Succession
    by: tuple[Successor, ...] = ()
    lost: str = ""


def rewritten(program: Program, settings: Sequence[Setting], release: str) -> list[Rewriting]:
    """What becomes of those of `settings` (named by flag) that `release` does not accept.

    A flag that no release of the program has is left out, and so is one that is only not there yet.
    """
    successions: dict[int, Succession] = {}
    for index, setting in enumerate(settings):
        succession = program.successors(setting.name, release)
        if succession is not None:
            successions[index] = succession
    groups = _Groups(program, settings, successions, release)
    return [
        _rewriting(program, settings[index], succession, groups, release) for index, succession in successions.items()
    ]


def _rewriting(program: Program, setting: Setting, succession: Succession, groups: _Groups, release: str) -> Rewriting:
    if succession.kind is Kind.REMOVED:
        return Rewriting(setting, succession, lost="" if succession.dead else succession.note or "nothing replaces it")
    if succession.kind in (Kind.RENAMED, Kind.SPLIT, Kind.JOINED):
        return Rewriting(
            setting,
            succession,
            tuple(Successor(flag, _revalued(program, setting, succession)) for flag in succession.flags),
        )
    step = next((step for step in succession.steps if step.replacement is not None), None)
    if step is None or step.replacement is None:
        return Rewriting(setting, succession, lost=succession.note or "its meaning changed")
    return groups.replaced(setting, succession, step, step.replacement)


def _revalued(program: Program, setting: Setting, succession: Succession) -> tuple[str, ...] | None:
    """The value under the new name where values are written otherwise there; None where it stays."""
    word = setting.text[0].text if len(setting.text) == 1 else ""
    if succession.backward:
        return None
    position = program.releases.position
    for flag, since, values in program.revalued:
        named = flag in (succession.flag, *succession.flags)
        if named and word in values and position(since) <= position(succession.release):
            return (values[word],)
    return None


class _Groups:
    """Flags that were replaced together, so that the new values hang on all of the old ones."""

    def __init__(
        self, program: Program, settings: Sequence[Setting], successions: Mapping[int, Succession], release: str
    ) -> None:
        self._program = program
        self._release = release
        self._settings = settings
        self._steps = {
            id(settings[index]): step
            for index, succession in successions.items()
            for step in succession.steps
            if step.replacement is not None
        }

    def replaced(self, setting: Setting, succession: Succession, step: Step, replacement: Replacement) -> Rewriting:
        """What becomes of a setting whose flag was replaced at `step`."""
        if succession.backward:
            return Rewriting(
                setting, succession, lost=f"{setting.name} has no single counterpart before {step.release}"
            )
        given = self._given(replacement)
        old = self._values(replacement, given)
        if old is None:
            return Rewriting(setting, succession, lost="its value is not known")
        new = replacement.convert(old)
        if new is None:
            case = replacement.case(old)
            lost = case.inexact if case is not None and case.inexact else "no values mean the same"
            return Rewriting(setting, succession, lost=lost)
        return Rewriting(setting, succession, self._share(setting, given, replacement, new))

    def _given(self, replacement: Replacement) -> dict[str, Setting]:
        """The settings that give the old flags, by the flag's name just before it was replaced; the last one counts."""
        found: dict[str, Setting] = {}
        for setting in self._settings:
            step = self._steps.get(id(setting))
            if step is not None and step.replacement == replacement:
                found[step.flag] = setting
            elif step is None and setting.name in replacement.pairs:
                found[setting.name] = setting
        return found

    def _values(self, replacement: Replacement, given: Mapping[str, Setting]) -> dict[str, object] | None:
        """The values in force of the old flags; None if one is not known."""
        before = self._program.releases.before(replacement.release) or replacement.release
        values: dict[str, object] = {}
        for flag in replacement.pairs:
            option = self._program.option(flag, before)
            if option is None:
                continue
            setting = given.get(flag)
            if setting is None:
                values[flag] = option.default
            elif any(HOLE in text.text for text in setting.text):
                return None
            else:
                try:
                    values[flag] = converter(option)([text.text for text in setting.text])
                except (ValueError, IndexError):
                    return None
        return values

    def _share(
        self, setting: Setting, given: Mapping[str, Setting], replacement: Replacement, new: Mapping[str, object]
    ) -> tuple[Successor, ...]:
        """The new flags that this setting writes.

        Each old flag that is given writes the first of the new ones that speak of the same thing, and others that are
        not at their default; what no given flag speaks of is written by the first.
        """
        written: dict[str, list[Successor]] = {flag: [] for flag in given}
        spoken: set[str] = set()
        for flag in given:
            for place, target in enumerate(replacement.pairs[flag]):
                if target in new and target not in spoken:
                    spoken.add(target)
                    leads = place == 0 and not replacement.inverted
                    if leads or not self._default(target, new[target]):
                        written[flag] += self._now(target, new[target])
        first = next(iter(given))
        for target, value in new.items():
            if target not in spoken and not self._default(target, value):
                written[first] += self._now(target, value)
        return tuple(one for flag, giving in given.items() if giving is setting for one in written[flag])

    def _now(self, flag: str, value: object) -> list[Successor]:
        """A flag of the release of the replacement, as the release to write for spells it."""
        succession = self._program.successors(flag, self._release)
        flags = (flag,) if succession is None else succession.flags
        return [Successor(one, _words(value)) for one in flags]

    def _default(self, flag: str, value: object) -> bool:
        succession = self._program.successors(flag, self._release)
        names = (flag,) if succession is None else succession.flags
        options = [self._program.option(one, self._release) for one in names]
        return bool(options) and all(option is not None and option.default == value for option in options)


def _words(value: object) -> tuple[str, ...]:
    if value is True:
        return ()
    if isinstance(value, (list, tuple)):
        return tuple(str(item) for item in value)
    return (str(value),)
