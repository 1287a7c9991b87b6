"""What to write at one release for settings that were written for another: names, values, and what is lost.

Used for flags that the release in force refuses, and for moving a launch to another release.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from rlhflint.catalog.changes import Kind
from rlhflint.catalog.succession import Succession, kind_of
from rlhflint.frameworks.openrlhf.stages import Item, Track, advance
from rlhflint.proposal import Change, Remove, Rename, Replace
from rlhflint.records import dataclass

if TYPE_CHECKING:
    from rlhflint.catalog.program import Program
    from rlhflint.launch import Setting


@dataclass(frozen=True, slots=True)
class Successor:
    """A flag to write. `words` are its value; None for the value of the setting it replaces, as it is written."""

    flag: str
    words: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class Rewriting:
    """What becomes of one setting: `by` are the flags to write in its place, empty where it simply goes.

    `lost` says what cannot be carried over; the setting then has to be looked at by its owner. Those of one `bundle`
    have to be rewritten together or not at all.
    """

    setting: Setting
    succession: Succession
    by: tuple[Successor, ...] = ()
    lost: str = ""
    bundle: int = 0


def rewritten(
    program: Program,
    settings: Sequence[Setting],
    release: str,
    *,
    since: str | None = None,
    flags: Mapping[str, str] | None = None,
) -> list[Rewriting]:
    """What becomes of those of `settings` (named by flag) that have to be written otherwise at `release`.

    A flag that no release of the program has is left out, and so is one that is only not there yet.

    Args:
        program: the program, which `release` has.
        settings: all settings of the launch, in their order.
        release: a listed release.
        since: the listed release that the settings were written for, as far as it accepts them. Without it they are
            taken as written for `release` where that accepts them, else for the nearest one that does.
        flags: the flag that is meant by each name that is written in short.
    """
    meant = [(flags or {}).get(setting.name, setting.name) for setting in settings]
    outdated = {
        index: succession
        for index, flag in enumerate(meant)
        if (succession := program.successors(flag, release)) is not None
    }
    position = program.releases.position
    if since is not None and position(release) < position(since):
        found = _earlier(program, settings, meant, outdated, release, since)
    else:
        found = _later(program, settings, meant, outdated, release, since or release)
    return _without_clashes(_in_full(found, settings, meant, program, release), settings)


# To a later release


def _later(
    program: Program,
    settings: Sequence[Setting],
    meant: Sequence[str],
    outdated: Mapping[int, Succession],
    release: str,
    since: str,
) -> dict[int, Rewriting]:
    position, last = program.releases.position, program.releases.position(release)
    tracks: dict[int, Track] = {}
    found: dict[int, Rewriting] = {}
    for index, (setting, flag) in enumerate(zip(settings, meant, strict=True)):
        succession = outdated.get(index)
        if succession is not None and succession.backward:
            found[index] = _backward(setting, succession, index)
        elif program.history(flag):
            at = last if succession is None else position(succession.last)
            if program.accepts(flag, since):
                at = min(at, position(since))
            tracks[index] = Track(tuple(text.text for text in setting.text), [Item(flag, None, at)])
    advance(program, list(tracks.values()), release)
    bundles = _bundles(tracks)
    for index, track in tracks.items():
        flag = meant[index]
        track.items = [
            replace(item, gone=None) if program.accepts(item.flag, release) else item for item in track.items
        ]
        written = [(item.flag, item.words) for item in track.items if item.gone is None]
        if index not in outdated and not track.lost and written == [(flag, None)]:
            continue
        succession = outdated.get(index) or _succession(flag, release, track, since)
        rewriting = _along(settings[index], succession, track)
        found[index] = replace(rewriting, bundle=bundles[index])
    return dict(sorted(found.items()))


def _along(setting: Setting, succession: Succession, track: Track) -> Rewriting:
    """What a track has come to."""
    gone = [item.gone for item in track.items if item.gone is not None]
    lost = track.lost or next((step.note or "nothing replaces it" for step in gone if not step.dead), "")
    if lost:
        return Rewriting(setting, succession, lost=lost)
    return Rewriting(
        setting, succession, tuple(Successor(item.flag, item.words) for item in track.items if item.gone is None)
    )


def _succession(flag: str, release: str, track: Track, last: str) -> Succession:
    """The way of a flag that `release` accepts by its name, and means otherwise."""
    flags = tuple(dict.fromkeys(item.flag for item in track.items if item.gone is None))
    steps = tuple(dict.fromkeys(track.steps))
    return Succession(flag, release, kind_of(steps, flags, backward=False), flags, steps, last)


def _bundles(tracks: Mapping[int, Track]) -> dict[int, int]:
    """A number for each track, the same for those that hang together."""
    numbers = {index: index for index in tracks}
    owners: dict[int, int] = {}
    for index, track in tracks.items():
        for replacement in track.bound:
            first = owners.setdefault(id(replacement), index)
            old, new = numbers[index], numbers[first]
            numbers = {one: new if number == old else number for one, number in numbers.items()}
    return numbers


# To an earlier release


def _earlier(
    program: Program,
    settings: Sequence[Setting],
    meant: Sequence[str],
    outdated: Mapping[int, Succession],
    release: str,
    since: str,
) -> dict[int, Rewriting]:
    found = {index: _backward(settings[index], succession, index) for index, succession in outdated.items()}
    remade = {step.flag: step for steps in program.steps.values() for step in steps if step.flag in step.to}
    position = program.releases.position
    for index, flag in enumerate(meant):
        step = remade.get(flag)
        if index not in found and step and position(release) < position(step.release) <= position(since):
            track = Track((), [Item(flag, None, position(release))], [step])
            succession = _succession(flag, release, track, since)
            lost = f"it means something else before {step.release}"
            found[index] = Rewriting(settings[index], succession, lost=lost, bundle=index)
    for index, rewriting in found.items():
        if rewriting.succession.kind is Kind.JOINED and not rewriting.lost:
            found[index] = _joined(rewriting, index, found)
    return found


def _backward(setting: Setting, succession: Succession, bundle: int) -> Rewriting:
    """A flag that is newer than the release."""
    if succession.kind is Kind.REMOVED:
        return Rewriting(setting, succession, lost=succession.note or "nothing stands for it", bundle=bundle)
    if succession.kind in (Kind.RENAMED, Kind.SPLIT, Kind.JOINED):
        return Rewriting(setting, succession, tuple(map(Successor, succession.flags)), bundle=bundle)
    lost = f"{setting.name} has no single counterpart before {succession.steps[-1].release}"
    return Rewriting(setting, succession, lost=lost, bundle=bundle)


def _joined(rewriting: Rewriting, index: int, found: Mapping[int, Rewriting]) -> Rewriting:
    """Several flags that were one: all of them have to be given, with the same value."""
    step = next(step for step in rewriting.succession.steps if len(step.to) > 1)
    partners = {other: one for other, one in found.items() if step in one.succession.steps and one.succession.flags}
    names = {one.succession.flag for one in partners.values()}
    values = {tuple(text.text for text in one.setting.text) for one in partners.values()}
    (flag,) = rewriting.succession.flags[:1]
    if not set(step.to) <= names or len(values) > 1:
        return replace(rewriting, by=(), lost=f"{flag} sets {' and '.join(step.to)}, which differ here")
    first = min(partners)
    return replace(rewriting, by=rewriting.by if index == first else (), bundle=first)


# Both ways


def _in_full(
    found: dict[int, Rewriting], settings: Sequence[Setting], meant: Sequence[str], program: Program, release: str
) -> dict[int, Rewriting]:
    """Besides, names written in short that the release would take for something else, or for nothing."""
    options = program.options(release)
    for index, (setting, flag) in enumerate(zip(settings, meant, strict=True)):
        if index in found or setting.name == flag or flag not in options:
            continue
        fitting = [name for name in options if name.startswith(setting.name)]
        if setting.name not in options and {options[name].flag for name in fitting} != {flag}:
            succession = Succession(flag, release, Kind.RENAMED, (flag,), (), release)
            found[index] = Rewriting(setting, succession, (Successor(flag),), bundle=index)
    return dict(sorted(found.items()))


def _without_clashes(found: Mapping[int, Rewriting], settings: Sequence[Setting]) -> list[Rewriting]:
    """The rewritings, except those that would give a flag that is given otherwise as well."""
    kept = {setting.name for index, setting in enumerate(settings) if index not in found}
    writers: dict[str, set[str]] = {}
    for rewriting in found.values():
        for one in rewriting.by:
            writers.setdefault(one.flag, set()).add(rewriting.setting.name)
    clashing: dict[int, str] = {}
    for rewriting in found.values():
        for one in rewriting.by:
            others = (writers[one.flag] - {rewriting.setting.name}) | ({one.flag} & kept)
            if others:
                clashing.setdefault(rewriting.bundle, f"{min(others)} gives {one.flag} as well")
    return [
        replace(one, by=(), lost=one.lost or clashing[one.bundle]) if one.bundle in clashing and one.by else one
        for one in found.values()
    ]


def changes(bundle: Sequence[Rewriting]) -> tuple[Change, ...]:
    """What to change for rewritings that hang together; nothing where one of them is lost."""
    if any(one.lost for one in bundle):
        return ()
    return tuple(map(_change, bundle))


def _change(rewriting: Rewriting) -> Change:
    if not rewriting.by:
        return Remove(rewriting.setting)
    if all(one.words is None for one in rewriting.by):
        return Rename(rewriting.setting, tuple(one.flag for one in rewriting.by))
    return Replace(rewriting.setting, tuple((one.flag, one.words) for one in rewriting.by))


def bundled(rewritings: Sequence[Rewriting]) -> list[list[Rewriting]]:
    """The rewritings, those together that have to be made together."""
    groups: dict[int, list[Rewriting]] = {}
    for rewriting in rewritings:
        groups.setdefault(rewriting.bundle, []).append(rewriting)
    return list(groups.values())
