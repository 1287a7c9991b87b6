"""Which release a launch was written for, judging by its flags."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rlhflint.catalog.program import Program


@dataclass(frozen=True, slots=True)
class Guess:
    """The releases that accept most of the flags, from `since` to `until` without a gap; `until` is taken.

    `complete`: they accept all flags that any release of the program has.
    """

    since: str
    until: str
    complete: bool

    @property
    def source(self) -> str:
        """In words that fit behind "from"."""
        releases = self.until if self.since == self.until else f"{self.since}–{self.until}"
        return f"the flags used (written for {releases})"


def guess(program: Program, flags: Iterable[str], within: Sequence[str]) -> Guess:
    """The newest of the releases `within` that accept most of `flags`.

    Args:
        program: of the launch.
        flags: as written; those that no release has do not count.
        within: releases of the catalog, oldest first; those without the program do not count. Not empty.
    """
    accepted: Counter[str] = Counter()
    known = [flag for flag in dict.fromkeys(flags) if program.history(flag)]
    for flag in known:
        accepted.update(program.releases_accepting(flag))
    having = [release for release in within if program.exists(release)] or list(within)
    best = max(accepted[release] for release in having)
    newest = max(index for index, release in enumerate(having) if accepted[release] == best)
    first = newest
    while first > 0 and accepted[having[first - 1]] == best:
        first -= 1
    return Guess(having[first], having[newest], best == len(known))
