"""Fixing files: they are grouped by the texts they share, each group is settled, and nothing is written yet."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from rlhflint.finding import Finding
from rlhflint.fixing.rounds import Rounds, Settled
from rlhflint.reading import Readings
from rlhflint.records import dataclass
from rlhflint.result import FileResult, Result
from rlhflint.rule import registered
from rlhflint.tool_rules import CRASHED

if TYPE_CHECKING:
    from rlhflint.check import Checker
    from rlhflint.fixing.migration import Mover
    from rlhflint.project.discovery import Candidate


@dataclass(frozen=True, slots=True)
class Changed:
    """A file with another text: its path as shown, the old text and the new one."""

    path: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Group:
    """Files to write that make sense only together.

    `fixed` counts what is done in them, by code and title; `unfixed` is what there is to find as long as they are not
    written.
    """

    changed: tuple[Changed, ...]
    fixed: Counter[tuple[str, str]]
    unfixed: tuple[FileResult, ...]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What fixing came to. `result` is what is left to find once the files of `groups` are written."""

    groups: tuple[Group, ...]
    result: Result
    settled: bool = True
    text: str = ""
    """The text that was given instead of files, as it is now."""

    @property
    def changed(self) -> tuple[Changed, ...]:
        """The files with other texts, by path."""
        return tuple(sorted((one for group in self.groups for one in group.changed), key=lambda one: one.path))

    @property
    def fixed(self) -> Counter[tuple[str, str]]:
        """How often each thing was done, by code and title."""
        return sum((group.fixed for group in self.groups), Counter())

    def without(self, unwritten: Sequence[Group]) -> Outcome:
        """What it came to where some groups were not written."""
        unfixed = {result.path: result for group in unwritten for result in group.unfixed}
        return replace(
            self,
            groups=tuple(group for group in self.groups if not any(group is one for one in unwritten)),
            result=Result(tuple(unfixed.get(result.path, result) for result in self.result.files)),
        )


@dataclass(frozen=True, slots=True)
class _Found:
    """A file with something to look at: as it is, and as it is judged in the end."""

    candidate: Candidate
    result: FileResult
    judged: FileResult


@dataclass(slots=True)
class Fixer:
    """Makes the fixes of findings, or moves launches to other releases."""

    checker: Checker
    unsafe: bool = False
    mover: Mover | None = None

    def fix(self, paths: Iterable[str]) -> Outcome:
        """What becomes of the files under `paths`. Raises `ConfigError`."""
        results: dict[str, FileResult] = {}
        found: list[_Found] = []
        self.checker.readings = Readings()
        for candidate in self.checker.candidates(paths):
            if isinstance(candidate, FileResult):
                results[candidate.path] = candidate
                continue
            result, judged = self._checked(candidate)
            if result is not None and judged is not None:
                results[result.path] = judged
                if judged.findings or result.launches or judged.launches:
                    found.append(_Found(candidate, result, judged))
        return self._settle(found, results)

    def fix_text(self, candidate: Candidate, text: str) -> Outcome:
        """What becomes of a text that goes by a file's name."""
        self.checker = self.checker.holding({os.path.abspath(candidate.path): text})
        self.checker.readings = Readings()
        result, judged = self._checked(candidate)
        result, judged = result or FileResult(candidate.path), judged or FileResult(candidate.path)
        outcome = self._settle([_Found(candidate, result, judged)], {result.path: judged})
        return replace(outcome, text=next((one.after for one in outcome.changed if one.path == result.path), text))

    def _checked(self, candidate: Candidate) -> tuple[FileResult | None, FileResult | None]:
        """A file as it is, and as it is judged in the end: at the releases moved to."""
        if self.mover is None:
            result = self.checker.check_file(candidate)
            return result, result
        reader, judge = self.mover.checkers(self.checker, self.checker.texts)
        return reader.check_file(candidate), judge.check_file(candidate)

    def _settle(self, found: Sequence[_Found], results: dict[str, FileResult]) -> Outcome:
        groups: list[Group] = []
        settled = True
        for group in _sharing(found):
            rounds = Rounds(self.checker, [one.candidate for one in group], self.unsafe, self.mover)
            outcome = rounds.run([one.result for one in group], [one.judged for one in group])
            settled &= outcome.settled
            changed = self._changed(outcome, [result for one in group for result in (one.result, one.judged)])
            if changed:
                unfixed = [one.judged for one in group]
                unfixed = unfixed if self.mover is None else self.mover.left(unfixed)
                groups.append(Group(changed, outcome.fixed, tuple(map(self._selected, unfixed))))
            results |= {result.path: self._selected(result) for result in outcome.results}
        return Outcome(tuple(groups), Result(tuple(results.values())), settled)

    def _changed(self, outcome: Settled, before: Sequence[FileResult]) -> tuple[Changed, ...]:
        old = {path: source.text for result in before for path, source in result.sources.items()}
        return tuple(
            Changed(path, old[path], text) for path, text in sorted(outcome.texts.items()) if old[path] != text
        )

    def _selected(self, result: FileResult) -> FileResult:
        """A result without the findings that nobody wants to see: those of fixing itself, and of rules it needed."""
        path = os.path.abspath(result.path)
        config = self.checker.configurations.for_file(path)
        on = {rule.code: rule.on for rule in registered()} if result.findings else {}

        def wanted(finding: Finding) -> bool:
            return finding.code == CRASHED.code or config.enabled(
                finding.code, on=on.get(finding.code, True), path=path
            )

        return replace(result, findings=tuple(filter(wanted, result.findings)))


def _sharing(found: Sequence[_Found]) -> list[list[_Found]]:
    """The files in groups that have texts in common: those that source the same file, and that file itself."""
    leader: dict[str, str] = {}

    def top(path: str) -> str:
        while leader.setdefault(path, path) != path:
            leader[path] = path = leader[leader[path]]
        return path

    for one in found:
        for path in (*one.result.sources, *one.judged.sources):
            leader[top(path)] = top(one.result.path)
    groups: dict[str, list[_Found]] = {}
    for one in sorted(found, key=lambda one: one.result.path):
        groups.setdefault(top(one.result.path), []).append(one)
    return list(groups.values())
