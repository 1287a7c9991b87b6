"""Texts that several commands share: which fixes would change one that did not ask for them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate
from typing import TYPE_CHECKING

from rlhflint.fixing.plan import Planned, Withheld, not_done
from rlhflint.fixing.rules import not_fixed
from rlhflint.records import dataclass

if TYPE_CHECKING:
    from rlhflint.finding import Edit, Finding
    from rlhflint.launch import Launch


@dataclass(frozen=True, slots=True)
class Use:
    """A place in a file that makes a word of a command: of a launch, or of something else by its name."""

    start: int
    end: int
    launch: Launch | None
    name: str

    def touches(self, edit: Edit) -> bool:
        """Whether an edit changes the word."""
        if edit.span.start == edit.span.end:
            return self.start < edit.span.start <= self.end
        return edit.span.start < self.end and self.start < edit.span.end


class Uses:
    """The uses in one file, found by the place of an edit."""

    def __init__(self, uses: Iterable[Use]) -> None:
        self._uses = sorted(uses, key=lambda use: (use.start, use.end))
        self._starts = [use.start for use in self._uses]
        self._ends = list(accumulate((use.end for use in self._uses), max))
        """For each use the last end of those up to it."""

    def touched(self, edit: Edit) -> Iterator[Use]:
        """The uses that an edit changes."""
        index = bisect_right(self._starts, edit.span.end) - 1
        while index >= 0 and self._ends[index] >= edit.span.start:
            if self._uses[index].touches(edit):
                yield self._uses[index]
            index -= 1


def separated(planned: Sequence[Planned], uses: Mapping[str, Uses]) -> tuple[list[Planned], list[Withheld]]:
    """The fixes that change only launches that ask for them, and every other one as what is not done.

    `uses` are the places that make words, by path.
    """
    kept: list[Planned] = []
    withheld: list[Withheld] = []
    told: dict[object, Finding] = {}
    for one in planned:
        user = None if one.rewrites else next(_strangers(one, uses), None)
        if user is None:
            kept.append(one)
            continue
        span = one.edits[0].span
        why = f"`{user.name}` uses this text as well" if user.launch is None else _sharing(one, user)
        finding = told.setdefault((span, why), not_fixed(span, f"{not_done(one.title)}, since {why}", _REMEDY))
        withheld.append(Withheld(one.changes, one.wishers, why, finding))
    return kept, withheld


_REMEDY = "give each command a text of its own"


def _strangers(planned: Planned, uses: Mapping[str, Uses]) -> Iterator[Use]:
    """The words that a fix would change without being asked to."""
    for edit in planned.edits:
        if edit.span.path in uses:
            for use in uses[edit.span.path].touched(edit):
                if use.launch is None or id(use.launch) not in planned.wishers:
                    yield use


def _sharing(planned: Planned, user: Use) -> str:
    launch = planned.finding.launch if planned.finding is not None else None
    own = launch.program.partition(":")[2] if launch is not None else ""
    if own == user.name:
        return f"another launch of {user.name}, or another way to it, shares this text and needs a different one"
    return f"{user.name} shares this text and needs it written differently"
