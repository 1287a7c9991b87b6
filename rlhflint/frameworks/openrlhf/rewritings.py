"""What becomes of one setting at another release: the flags to write in its place, and what is lost."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rlhflint.catalog.changes import Kind
from rlhflint.catalog.succession import Succession, kind_of
from rlhflint.records import dataclass

if TYPE_CHECKING:
    from rlhflint.frameworks.openrlhf.stages import Track
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


def under_its_name(flag: str, release: str, track: Track, last: str) -> Succession:
    """The way of a flag that `release` accepts by its name, and means otherwise."""
    flags = tuple(dict.fromkeys(item.flag for item in track.items if item.gone is None))
    steps = tuple(dict.fromkeys(track.steps))
    return Succession(flag, release, kind_of(steps, flags, backward=False), flags, steps, last)


def newer(setting: Setting, succession: Succession, bundle: int) -> Rewriting:
    """A flag that is newer than the release."""
    if succession.kind is Kind.REMOVED:
        return Rewriting(setting, succession, lost=succession.note or "nothing stands for it", bundle=bundle)
    if succession.kind in (Kind.RENAMED, Kind.SPLIT, Kind.JOINED):
        return Rewriting(setting, succession, tuple(map(Successor, succession.flags)), bundle=bundle)
    lost = f"{setting.name} has no single counterpart before {succession.steps[-1].release}"
    return Rewriting(setting, succession, lost=lost, bundle=bundle)
