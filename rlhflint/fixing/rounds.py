"""Files that share texts, changed together round by round until there is nothing left to change."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field, replace
from typing import TYPE_CHECKING

from rlhflint.fixing.edits import compatible
from rlhflint.fixing.guard import launches_of, objection, unmended
from rlhflint.fixing.holding import Held, Hold
from rlhflint.fixing.making import places_written, texts_after
from rlhflint.fixing.plan import Planned, Withheld, not_made, of_findings, of_wishes
from rlhflint.fixing.rules import not_fixed
from rlhflint.fixing.sharing import separated
from rlhflint.fixing.standing import Standing, Tries, standing
from rlhflint.fixing.told import moved, with_more
from rlhflint.fixing.uses import uses_of
from rlhflint.proposal import Add
from rlhflint.records import dataclass
from rlhflint.result import FileResult
from rlhflint.text import Span

if TYPE_CHECKING:
    from rlhflint.check import Checker
    from rlhflint.finding import Finding
    from rlhflint.fixing.migration import Mover
    from rlhflint.project.discovery import Candidate
    from rlhflint.source import Source

MOST_ROUNDS = 10


@dataclass(slots=True)
class Settled:
    """What became of some files.

    `texts` are the new ones of those that changed, by path as shown. `results` say what is left to find, in the texts
    as they are now; `fixed` counts what was done, by code and title. Where ten rounds did not settle it, no text is
    changed.
    """

    results: list[FileResult]
    texts: dict[str, str] = field(default_factory=dict)
    fixed: Counter[tuple[str, str]] = field(default_factory=Counter)
    settled: bool = True


@dataclass(frozen=True, slots=True)
class _Trial:
    """Some fixes made: the new texts, what they were read and judged as, and what speaks against them."""

    chosen: Sequence[Planned]
    texts: dict[str, str]
    now: Sequence[FileResult]
    judged: Sequence[FileResult]
    reason: str


@dataclass(slots=True)
class Rounds:
    """Changes of files that share texts.

    `mover` moves launches to another release; without it the fixes of findings are made. Where something speaks against
    a fix the others are made; a launch is moved as a whole or not at all.
    """

    checker: Checker
    members: Sequence[Candidate]
    unsafe: bool = False
    mover: Mover | None = None
    _texts: dict[str, str] = field(default_factory=dict)
    """The texts in work, by path as shown."""
    _fixed: Counter[tuple[str, str]] = field(default_factory=Counter)
    _notes: list[Finding] = field(default_factory=list)
    _tries: Tries = field(default_factory=Tries)
    _held: Held = field(default_factory=Held)

    def run(self, results: Sequence[FileResult], judged: Sequence[FileResult]) -> Settled:
        """Change the files until nothing is left to change.

        `results` are those of the texts as they are; `judged` the same as they are judged in the end, at the releases
        moved to.
        """
        while True:
            try:
                return self._settled(results, self._left(judged))
            except Hold as hold:
                self._held.add(hold)
                self._texts, self._fixed, self._notes = {}, Counter(), []

    def _settled(self, first: Sequence[FileResult], first_judged: Sequence[FileResult]) -> Settled:
        """All rounds. Raises `Hold`."""
        now, judged = first, first_judged
        for number in range(MOST_ROUNDS + 1):
            planned, withheld, before = self._plan(now, judged, number == 0)
            trial, refused = self._round(planned, before, now)
            if trial is None:
                trial = self._unused_taken_out(first, now, judged)
            if trial is None:
                told = [*(one.finding for one in withheld), *(not_made(*one) for one in refused), *self._held.told(now)]
                return Settled(with_more(judged, told, self._notes), dict(self._texts), self._fixed)
            if number < MOST_ROUNDS:
                self._accept(trial)
                now, judged = trial.now, trial.judged
        about = not_fixed(_start(first[0]), f"nothing is changed: {MOST_ROUNDS} rounds of fixes did not come to an end")
        return Settled(with_more(first_judged, [about], []), settled=False)

    def _plan(
        self, now: Sequence[FileResult], judged: Sequence[FileResult], first: bool
    ) -> tuple[list[Planned], list[Withheld], Sequence[FileResult]]:
        """What is to be done, what is left alone, and the results that it was made of. Raises `Hold`."""
        if self.mover is None:
            kept, shared = separated(of_findings(now, self.unsafe), uses_of(now))
            return kept, shared, now
        launches = [launch for result in now for launch in launches_of(result)]
        wishes, notes = self.mover.wishes(self._held.others(now, judged), first=first)
        self._notes += notes
        planned, withheld = of_wishes(wishes, launches, _sources(now))
        kept, shared = separated(planned, uses_of(now))
        self._held.hold_refused([*withheld, *shared])
        if kept:
            return self._held.without(kept), [*withheld, *shared], _as_broken(now, judged)
        moving = self.mover.moving(judged)
        kept, more = separated(of_findings(moving, self.unsafe), uses_of(judged))
        return self._held.without(kept), [*withheld, *shared, *more], judged

    def _round(
        self, planned: Sequence[Planned], before: Sequence[FileResult], now: Sequence[FileResult]
    ) -> tuple[_Trial | None, list[tuple[Planned, str]]]:
        """What can be done of what is planned, if anything; else what was tried, with the reasons against it.

        Once the text is another one it is tried anew. Raises `Hold`.
        """
        refused: dict[Planned, str] = {}
        while chosen := _chosen([one for one in planned if one not in refused]):
            groups = [(one,) for one in chosen] if self.mover is None else self._held.together(chosen)
            found = self._standing(groups, before, now)
            if self.mover is not None:
                self._held.hold(found.refused)
            refused |= {one: reason for group, reason in found.refused for one in group}
            if found.trial is not None:
                return found.trial, list(refused.items())
        return None, list(refused.items())

    def _standing(
        self, groups: Sequence[tuple[Planned, ...]], before: Sequence[FileResult], now: Sequence[FileResult]
    ) -> Standing[tuple[Planned, ...], _Trial]:
        """Which groups of fixes can be made."""
        sources = _sources(now)

        def attempt(some: Sequence[tuple[Planned, ...]]) -> _Trial:
            chosen = [one for group in some for one in group]
            texts = {**self._texts, **texts_after(chosen, sources)}
            after, judged = self._check(texts)
            return _Trial(chosen, texts, after, judged, self._objection(before, after, judged, chosen))

        return standing(groups, attempt, self._tries)

    def _unused_taken_out(
        self, first: Sequence[FileResult], now: Sequence[FileResult], judged: Sequence[FileResult]
    ) -> _Trial | None:
        """Imports taken out when everything else is done, since the fixes took away what used them."""
        if not self._texts:
            return None
        from rlhflint.fixing.leftovers import left_unused

        unused = left_unused(_sources(first), _sources(now))
        return self._standing([(one,) for one in unused], judged, now).trial if unused else None

    def _check(self, texts: Mapping[str, str]) -> tuple[list[FileResult], list[FileResult]]:
        """The files with other texts, and as they are judged in the end."""
        held = {**self.checker.texts, **{os.path.abspath(path): text for path, text in texts.items()}}
        if self.mover is None:
            found = _checked(self.checker.holding(held), self.members)
            return found, found
        reader, judge = self.mover.checkers(self.checker, held)
        return _checked(reader, self.members), self._left(_checked(judge, self.members))

    def _left(self, judged: Sequence[FileResult]) -> list[FileResult]:
        return list(judged) if self.mover is None else self.mover.left(judged)

    def _objection(
        self,
        before: Sequence[FileResult],
        after: Sequence[FileResult],
        judged: Sequence[FileResult],
        chosen: Sequence[Planned],
    ) -> str:
        rewrites = any(one.rewrites for one in chosen)
        changes = None if rewrites else [change for one in chosen for change in one.changes]
        written = None if self.mover is None else places_written(chosen)
        found = (
            objection(old, new, changes, written, read) for old, new, read in zip(before, judged, after, strict=True)
        )
        return next(filter(None, found), "") or unmended(
            [finding for result in before for finding in result.findings],
            [finding for result in judged for finding in result.findings],
            [one.finding for one in chosen if one.rewrites and one.finding is not None],
            {edit for one in chosen for edit in one.edits},
        )

    def _accept(self, trial: _Trial) -> None:
        edits = {edit for one in trial.chosen for edit in one.edits}
        self._notes += [note for one in trial.chosen for note in one.notes]
        self._notes = [replace(note, span=moved(note.span, edits)) for note in self._notes]
        self._texts = trial.texts
        for one in trial.chosen:
            code = one.finding.code if one.finding is not None else ""
            self._fixed[(code, one.title)] += 1


def _as_broken(now: Sequence[FileResult], judged: Sequence[FileResult]) -> list[FileResult]:
    """The results of files that were only read, broken where the same files are when they are judged."""
    return [replace(one, broken=one.broken or other.broken) for one, other in zip(now, judged, strict=True)]


def _chosen(planned: Sequence[Planned]) -> list[Planned]:
    """What is done in one round: changes of settings first, other rewriting when none of them is left.

    Which defaults a launch relied on is only known while it is as its owner wrote it: what is added cannot wait.
    """
    settings = [one for one in planned if not one.rewrites]
    if any(one.rewrites and _adds(one) for one in planned):
        settings = [one for one in planned if _adds(one)]
    return compatible([(one, one.edits) for one in settings or planned], now=_adds)


def _adds(planned: Planned) -> bool:
    return planned.finding is None and any(isinstance(change, Add) for change in planned.changes)


def _checked(checker: Checker, members: Iterable[Candidate]) -> list[FileResult]:
    return [checker.check_file(member) or FileResult(member.path) for member in members]


def _sources(results: Iterable[FileResult]) -> dict[str, Source]:
    return {path: source for result in results for path, source in result.sources.items()}


def _start(result: FileResult) -> Span:
    return Span(result.path, 0, 0)
