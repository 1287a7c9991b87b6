"""Settings rewritten for a later release than the one they were written for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from rlhflint.catalog.succession import Succession
from rlhflint.frameworks.openrlhf.rewritings import Rewriting, Successor, newer, under_its_name
from rlhflint.frameworks.openrlhf.stages import Item, Track, advance

if TYPE_CHECKING:
    from rlhflint.catalog.program import Program
    from rlhflint.launch import Setting


def later(
    program: Program,
    settings: Sequence[Setting],
    meant: Sequence[str],
    outdated: Mapping[int, Succession],
    release: str,
    since: str,
) -> dict[int, Rewriting]:
    """What becomes of the settings that have to be written otherwise, by their places; see `rewritten`.

    Args:
        program: the program, which `release` has.
        settings: all settings of the launch, in their order.
        meant: the flag that each of them is.
        outdated: what stands for those that `release` does not accept.
        release: the later release.
        since: the release they were written for.
    """
    position, last = program.releases.position, program.releases.position(release)
    tracks: dict[int, Track] = {}
    found: dict[int, Rewriting] = {}
    for index, (setting, flag) in enumerate(zip(settings, meant, strict=True)):
        succession = outdated.get(index)
        if succession is not None and succession.backward:
            found[index] = newer(setting, succession, index)
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
        succession = outdated.get(index) or under_its_name(flag, release, track, since)
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
