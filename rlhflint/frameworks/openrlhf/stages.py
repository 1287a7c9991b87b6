"""The flags of a launch taken from release to release, each change made at the release that brought it.

What a launch becomes over several releases is therefore what it becomes when it is moved one release at a time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from typing import TYPE_CHECKING

from rlhflint.catalog.changes import Kind
from rlhflint.conversion import converter
from rlhflint.records import dataclass
from rlhflint.text import HOLE

if TYPE_CHECKING:
    from rlhflint.catalog.changes import Replacement, Step
    from rlhflint.catalog.program import Program


@dataclass(frozen=True, slots=True)
class Item:
    """One flag as it is written for the release at position `at`.

    `words` are its value; None for the value of the flag that was given, as it is written. `gone` is the step that
    took it away, unless the flag comes back later.
    """

    flag: str
    words: tuple[str, ...] | None
    at: int
    gone: Step | None = None


@dataclass(slots=True)
class Track:
    """One flag that was given, what stands for it by now, and the steps that led there."""

    words: tuple[str, ...]
    items: list[Item]
    steps: list[Step] = field(default_factory=list)
    lost: str = ""
    bound: set[Replacement] = field(default_factory=set)
    """The groups of options by which it hangs together with others."""

    def text(self, item: Item) -> tuple[str, ...]:
        """The words of an item's value."""
        return self.words if item.words is None else item.words


def advance(program: Program, tracks: Sequence[Track], release: str) -> None:
    """Take the tracks on to `release`, one release after the other."""
    last = program.releases.position(release)
    first = min((item.at for track in tracks for item in track.items), default=last)
    releases = {step.release for steps in program.steps.values() for step in steps}
    releases |= {since for _, since, _ in program.revalued}
    for position in sorted(map(program.releases.position, releases)):
        if first < position <= last:
            _Stage(program, tracks, position).run()


class _Stage:
    """What one release changes."""

    def __init__(self, program: Program, tracks: Sequence[Track], position: int) -> None:
        self.program = program
        self.tracks = tracks
        self.position = position
        self.release = program.releases[position]

    def run(self) -> None:
        """Make every change of this release."""
        done: set[Replacement] = set()
        for track in self.tracks:
            for item in list(track.items):
                step = self.step(item)
                if step is None:
                    continue
                if step.replacement is None:
                    self.follow(track, item, step)
                elif step.replacement not in done:
                    done.add(step.replacement)
                    self.replace(step.replacement)
        self.revalue()

    def step(self, item: Item) -> Step | None:
        """What this release does to an item."""
        if item.at >= self.position:
            return None
        steps = [step for step in self.program.steps.get(item.flag, ()) if step.release == self.release]
        return next((step for step in steps if step.kind is not Kind.REMOVED), steps[0] if steps else None)

    def follow(self, track: Track, item: Item, step: Step) -> None:
        """A flag that got another name, or several, or none."""
        track.steps.append(step)
        at = track.items.index(item)
        if step.to:
            track.items[at : at + 1] = [Item(flag, item.words, self.position) for flag in step.to]
        else:
            track.items[at] = replace(item, gone=step)

    def replace(self, replacement: Replacement) -> None:
        """Options that others took the place of, all that are given together."""
        given: dict[str, tuple[Track, Item]] = {}
        every: list[tuple[Track, Item]] = []
        for track in self.tracks:
            for item in track.items:
                if item.flag in replacement.pairs and item.at < self.position:
                    given[item.flag] = track, item
                    every.append((track, item))
        values = self.values(replacement, given)
        new = None if values is None else replacement.convert(values)
        shares = {} if values is None or new is None else self.shares(replacement, given, values, new)
        for track, item in every:
            track.steps += [step for step in self.program.steps.get(item.flag, ()) if step.replacement is replacement]
            if len(given) > 1:
                track.bound.add(replacement)
            if new is None:
                track.lost = track.lost or self.why(replacement, values)
                continue
            at = track.items.index(item)
            counts = given[item.flag] == (track, item)
            track.items[at : at + 1] = shares[item.flag] if counts else []

    def why(self, replacement: Replacement, values: Mapping[str, object] | None) -> str:
        """Why no new values mean the same."""
        if values is None:
            return "its value is not known"
        case = replacement.case(values)
        return case.inexact if case is not None and case.inexact else "no values mean the same"

    def values(self, replacement: Replacement, given: Mapping[str, tuple[Track, Item]]) -> dict[str, object] | None:
        """The values in force of the old flags; None if one is not known."""
        before = self.program.releases.before(self.release) or self.release
        values: dict[str, object] = {}
        for flag in replacement.pairs:
            option = self.program.option(flag, before)
            if option is None:
                continue
            if flag not in given:
                values[flag] = option.default
                continue
            track, item = given[flag]
            words = track.text(item)
            if track.lost or any(HOLE in word for word in words):
                return None
            try:
                values[flag] = converter(option)(words)
            except (ValueError, IndexError):
                return None
        return values

    def shares(
        self,
        replacement: Replacement,
        given: Mapping[str, tuple[Track, Item]],
        values: Mapping[str, object],
        new: Mapping[str, object],
    ) -> dict[str, list[Item]]:
        """The new flags that each old one writes.

        Each old flag that is given writes the first of the new ones that speak of the same thing, and others that are
        not at their default; what no given flag speaks of is written by the first.
        """
        written: dict[str, list[Item]] = {flag: [] for flag in given}
        spoken: set[str] = set()
        for flag in given:
            for place, target in enumerate(replacement.pairs[flag]):
                if target in new and target not in spoken:
                    spoken.add(target)
                    leads = place == 0 and not replacement.inverted
                    if leads or not self.is_default(target, new[target]):
                        written[flag].append(self.item(flag, target, given, values, new))
        first = next(iter(given))
        for target, value in new.items():
            if target not in spoken and not self.is_default(target, value):
                written[first].append(self.item(first, target, given, values, new))
        return written

    def item(
        self,
        writer: str,
        target: str,
        given: Mapping[str, tuple[Track, Item]],
        values: Mapping[str, object],
        new: Mapping[str, object],
    ) -> Item:
        """A new flag with its value: as the old one is written where it is the same."""
        value = new[target]
        if not isinstance(value, bool) and value is values[writer]:
            return Item(target, given[writer][1].words, self.position)
        return Item(target, _words(value), self.position)

    def is_default(self, flag: str, value: object) -> bool:
        """Whether a flag of this release has a value anyway."""
        option = self.program.option(flag, self.release)
        return option is not None and option.default == value

    def revalue(self) -> None:
        """Options of which this release writes values otherwise."""
        for flag, since, values in self.program.revalued:
            if since != self.release:
                continue
            for track in self.tracks:
                for at, item in enumerate(track.items):
                    words = track.text(item)
                    if item.flag == flag and item.at < self.position and len(words) == 1 and words[0] in values:
                        track.items[at] = Item(flag, (values[words[0]],), self.position)


def _words(value: object) -> tuple[str, ...]:
    if value is True:
        return ()
    if isinstance(value, (list, tuple)):
        return tuple(str(item) for item in value)
    return (str(value),)
