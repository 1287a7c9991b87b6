"""Which releases a launch was written for, judging by the names it uses."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from rlhflint.records import dataclass


@dataclass(frozen=True, slots=True)
class Span:
    """The newest run of releases that accept most of the names, `since` to `until` without a gap; `until` is taken.

    `complete`: they accept all of them.
    """

    since: str
    until: str
    complete: bool

    def source(self, what: str) -> str:
        """In words that fit behind "from": "the flags used (written for 0.8.0–0.9.1)"; `what` is "flags"."""
        releases = self.until if self.since == self.until else f"{self.since}–{self.until}"
        return f"the {what} used (written for {releases})"


def written_for(accepting: Iterable[Iterable[str]], within: Sequence[str]) -> Span:
    """The newest of the releases `within` that accept most of some names.

    Args:
        accepting: for each name the releases that accept it.
        within: the releases to choose from, oldest first. Not empty.
    """
    every = [tuple(releases) for releases in accepting]
    accepted = Counter(release for releases in every for release in releases)
    best = max(accepted[release] for release in within)
    newest = max(index for index, release in enumerate(within) if accepted[release] == best)
    first = newest
    while first > 0 and accepted[within[first - 1]] == best:
        first -= 1
    return Span(within[first], within[newest], best == len(every))
