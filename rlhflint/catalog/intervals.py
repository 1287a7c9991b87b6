"""Runs of releases in which something stayed as it was, and the order of releases they are counted in."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from enum import Enum
from functools import cached_property
from typing import TYPE_CHECKING, Any, overload

from rlhflint.records import dataclass

if TYPE_CHECKING:
    from packaging.version import Version


@dataclass(frozen=True, slots=True)
class Interval:
    """One state of one thing, from release `since` to release `until`, both inclusive.

    `until` is None where the newest release of the catalog still has this state, which says nothing of later ones.
    """

    since: str
    until: str | None
    state: Mapping[str, Any] = field(default_factory=dict)

    def to_row(self) -> dict[str, Any]:
        """The form in the data files: `{"since": …, "until": …, **state}`."""
        return {"since": self.since, "until": self.until, **self.state}

    @classmethod
    def from_row(cls, row: Mapping[str, Any]) -> Interval:
        """Reads what `to_row` gives."""
        state = {key: value for key, value in row.items() if key not in ("since", "until")}
        return cls(row["since"], row["until"], state)


class Standing(Enum):
    """How a version stands to the releases of a catalog."""

    LISTED = "listed"
    """It is one of them."""
    POST = "post"
    """It is not, but a .postN of it is: 0.3.6 was tagged, and only 0.3.6.post1 to post3 are on the index."""
    BETWEEN = "between"
    """It is not; the newest release not above it is taken."""
    OLDER = "older"
    """It is below the oldest, which is taken."""
    NEWER = "newer"
    """It is above the newest, which is taken."""


@dataclass(frozen=True, slots=True)
class Place:
    """The release of a catalog that stands for a version."""

    release: str
    standing: Standing


class Releases(Sequence[str]):
    """The releases of a catalog, oldest first.

    Versions that are written as the catalog writes them are found without importing `packaging`.
    """

    def __init__(self, releases: Iterable[str]) -> None:
        self._order = tuple(releases)
        self._positions = {release: index for index, release in enumerate(self._order)}

    def __len__(self) -> int:
        return len(self._order)

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[str, ...]: ...
    def __getitem__(self, index: int | slice) -> str | tuple[str, ...]:
        return self._order[index]

    def __contains__(self, release: object) -> bool:
        return release in self._positions

    def __repr__(self) -> str:
        return f"Releases({list(self._order)!r})"

    @property
    def newest(self) -> str:
        """The last one."""
        return self._order[-1]

    @property
    def oldest(self) -> str:
        """The first one."""
        return self._order[0]

    def position(self, release: str) -> int:
        """How many releases are older. Raises KeyError for a version that is not listed; see `place`."""
        return self._positions[release]

    def place(self, version: str) -> Place:
        """The release that stands for `version`.

        A version that is not listed (a tag that never reached the index, a fork's own number, a nightly build) is
        looked up as its own lowest .postN, else as the newest release not above it; `standing` says which. The local
        part (`+cu121`) does not count. Raises ValueError for text that is no version.
        """
        if version in self._positions:
            return Place(version, Standing.LISTED)
        from packaging.version import InvalidVersion, Version

        try:
            wanted = Version(version)
        except InvalidVersion:
            raise ValueError(f"not a version: {version!r}") from None
        wanted = Version(wanted.public)
        below = [index for index, known in enumerate(self._versions) if known <= wanted]
        if below and self._versions[below[-1]] == wanted:
            return Place(self._order[below[-1]], Standing.LISTED)
        if not (wanted.is_prerelease or wanted.is_postrelease):
            for index, known in enumerate(self._versions):
                if known.is_postrelease and known.release == wanted.release:
                    return Place(self._order[index], Standing.POST)
        if not below:
            return Place(self.oldest, Standing.OLDER)
        newer = below[-1] == len(self._order) - 1
        return Place(self._order[below[-1]], Standing.NEWER if newer else Standing.BETWEEN)

    def at(self, intervals: Iterable[Interval], release: str) -> Interval | None:
        """The interval that `release` (a listed one) lies in."""
        position = self._positions[release]
        for interval in intervals:
            first, last = self.bounds(interval)
            if first <= position <= last:
                return interval
        return None

    def row_at(self, rows: Iterable[Mapping[str, Any]], release: str) -> Mapping[str, Any] | None:
        """The same, of rows of a data file as they stand there."""
        position = self._positions[release]
        for row in rows:
            if self._positions[row["since"]] <= position and (
                row["until"] is None or position <= self._positions[row["until"]]
            ):
                return row
        return None

    def bounds(self, interval: Interval) -> tuple[int, int]:
        """The positions of the first and the last release of an interval."""
        last = len(self._order) - 1 if interval.until is None else self._positions[interval.until]
        return self._positions[interval.since], last

    def within(self, intervals: Iterable[Interval]) -> tuple[str, ...]:
        """The releases that lie in any of the intervals, oldest first."""
        bounds = [self.bounds(interval) for interval in intervals]
        positions = {position for first, last in bounds for position in range(first, last + 1)}
        return tuple(self._order[position] for position in sorted(positions))

    def before(self, release: str) -> str | None:
        """The release before `release`."""
        position = self._positions[release]
        return self._order[position - 1] if position else None

    def after(self, release: str) -> str | None:
        """The release after `release`."""
        position = self._positions[release]
        return self._order[position + 1] if position + 1 < len(self._order) else None

    @cached_property
    def _versions(self) -> tuple[Version, ...]:
        from packaging.version import Version

        return tuple(Version(release) for release in self._order)
