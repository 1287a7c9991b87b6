"""The text of a launch with a handful of samples, for a trial: changed as fixes change it, and judged by the rules."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING

from rlhflint.finding import Severity
from rlhflint.fixing.edits import applied, compatible
from rlhflint.fixing.guard import objection
from rlhflint.fixing.plan import Planned, Wish, of_wishes
from rlhflint.fixing.sharing import separated
from rlhflint.fixing.uses import uses_of
from rlhflint.frameworks import framework
from rlhflint.project.discovery import Candidate
from rlhflint.records import dataclass

if TYPE_CHECKING:
    from rlhflint.check import Checker
    from rlhflint.finding import Finding
    from rlhflint.judged import Judged
    from rlhflint.launch import Launch
    from rlhflint.proposal import Change
    from rlhflint.result import FileResult

TITLE = "Make the launch a trial"
_MOST_TRIES = 24


class NoRehearsal(Exception):
    """A launch cannot be made a trial; the message says why."""


@dataclass(frozen=True, slots=True)
class Rehearsal:
    """The text of a file with launches made small, and what was written: name as spelt → value, launch by launch."""

    text: str
    written: tuple[tuple[str, tuple[tuple[str, object], ...]], ...]


def rehearsal(checker: Checker, candidate: Candidate, numbers: Iterable[int]) -> Rehearsal:
    """The file with those of its launches made small that have these numbers, counted from 0.

    Raises `NoRehearsal` where a launch has no sizes that its rules let pass, or where a size is written in a place
    that cannot be changed for certain.
    """
    written = []
    result = _read(checker, candidate)
    for number in numbers:
        judged = result.launches[number]
        changes, result = _first(checker, candidate, result, judged)
        written.append((judged.launch.program, _said(changes)))
    return Rehearsal(result.sources[result.path].text, tuple(written))


def _read(checker: Checker, candidate: Candidate) -> FileResult:
    result = checker.check_file(candidate)
    if result is None:
        raise NoRehearsal(f"{candidate.path} is of no kind that holds launches")
    return result


def _first(
    checker: Checker, candidate: Candidate, now: FileResult, judged: Judged
) -> tuple[tuple[Change, ...], FileResult]:
    """The first changes that the rules let pass, and the file with them."""
    because = ""
    for changes in _tries(checker, now, judged):
        try:
            return changes[0], _tried(checker, candidate, now, judged, changes)
        except NoRehearsal as error:
            because = because or str(error)
    raise NoRehearsal(because or f"{judged.launch.program} has no trial: it is no training that can be made small")


def _tries(checker: Checker, now: FileResult, judged: Judged) -> Iterator[tuple[tuple[Change, ...], ...]]:
    """Changes to try, for every way to the launch."""
    chosen = framework(judged.launch.program.partition(":")[0])
    ways = [chosen.rehearsals(checker.model(now, launch)) for launch in judged.every or (judged.launch,)]
    return islice(zip(*ways, strict=False), _MOST_TRIES)


def _tried(
    checker: Checker, candidate: Candidate, now: FileResult, judged: Judged, changes: Sequence[tuple[Change, ...]]
) -> FileResult:
    """The file with changes made for each way to a launch. Raises `NoRehearsal` where that is not right."""
    every = judged.every or (judged.launch,)
    planned = _planned(now, [Wish(launch, TITLE, some) for launch, some in zip(every, changes, strict=True)])
    edits = {edit for one in compatible([(one, one.edits) for one in planned]) for edit in one.edits}
    if strange := next((edit.span.path for edit in edits if edit.span.path != now.path), None):
        raise NoRehearsal(f"its sizes are written in {strange}: {_by_hand(changes[0])}")
    text = applied(now.sources[now.path].text, edits)
    after = _read(checker.holding({os.path.abspath(candidate.path): text}), candidate)
    reason = objection(now, after, [change for one in planned for change in one.changes], written=())
    if reason:
        raise NoRehearsal(f"{reason}; {_by_hand(changes[0])}")
    if fresh := next(_fresh(now.findings, after.findings), None):
        raise NoRehearsal(f"no sizes were found that go with its groups of GPUs ({fresh.code}: {fresh.message})")
    return after


def _planned(now: FileResult, wishes: Sequence[Wish]) -> list[Planned]:
    launches: list[Launch] = [one for judged in now.launches for one in judged.every or (judged.launch,)]
    planned, withheld = of_wishes(wishes, launches, now.sources)
    kept, shared = separated(planned, uses_of([now]))
    if reasons := [*withheld, *shared]:
        raise NoRehearsal(f"{reasons[0].reason}: {_by_hand(wishes[0].changes)}")
    return kept


def _fresh(before: Sequence[Finding], after: Sequence[Finding]) -> Iterator[Finding]:
    """What speaks against sizes: errors that were not there before, and whatever is found of batches.

    What was there before comes first, since no sizes may help against it.
    """
    known = {(one.code, one.settings) for one in before}
    for one in sorted(after, key=lambda one: (one.code, one.settings) not in known):
        of_batches = one.code[2:3] == "3" and one.severity is not Severity.ADVICE
        if of_batches or (one.severity is Severity.ERROR and (one.code, one.settings) not in known):
            yield one


def _said(changes: Iterable[Change]) -> tuple[tuple[str, object], ...]:
    """What changes write: each name as it is spelt, and its value."""
    found: list[tuple[str, object]] = []
    for change in changes:
        name = getattr(change, "name", None) or change.setting.name  # type: ignore[union-attr]
        found.append((name, getattr(change, "value", True)))
    return tuple(found)


def _by_hand(changes: Iterable[Change]) -> str:
    return "write " + " ".join(f"{name} {value}" for name, value in _said(changes)) + " yourself"
