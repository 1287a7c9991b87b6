"""Findings held against suppressions, and suppressions against findings."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

from rlhflint.suppress.find import directives
from rlhflint.suppress.suppression import Policy, Suppression
from rlhflint.tool_rules import BROKEN

if TYPE_CHECKING:
    from rlhflint.document import Document
    from rlhflint.finding import Finding
    from rlhflint.judged import Judged
    from rlhflint.rule import Rule
    from rlhflint.suppress.directive import Directive

_SCENES = {"script", "module"}
"""What rules look at that is not one launch."""


class Outcome(NamedTuple):
    """The findings that no suppression lets through, those that one does, and those about the suppressions."""

    kept: tuple[Finding, ...]
    suppressed: tuple[Finding, ...]
    own: tuple[Finding, ...]


def suppress(document: Document, findings: Iterable[Finding], policy: Policy) -> Outcome:
    """Let findings of a file through as the comments in it, and in the files it sources, say.

    Args:
        document: the file as it was read.
        findings: all that were found in it.
        policy: of the project and the run.
    """
    found: list[Directive] = []
    for path, source in document.sources.items():
        kind = document.kind if path == document.source.path else "shell"
        found += directives(source, kind, document)
    return apply(found, findings, policy, document.source.path)


def apply(found: Sequence[Directive], findings: Iterable[Finding], policy: Policy, path: str) -> Outcome:
    """Let findings through, and judge the suppressions; those outside the file at `path` are only obeyed.

    A finding about a suppression can itself be ignored, by another one or by the same. Nothing is called unused in a
    file that was not checked in full.
    """
    findings = tuple(findings)
    if any(finding.code in BROKEN for finding in findings):
        policy = replace(policy, decided=frozenset())
    suppressions = [Suppression(one, policy) for one in found if not one.loose or _names_rules(one, policy)]
    places = _Places(suppressions)
    kept, suppressed = _split(findings, places)
    own: list[Finding] = []
    for one in suppressions:
        finding = one.finding() if one.directive.span.path == path else None
        if finding is not None:
            (suppressed if one.lets_through(finding) else own).append(finding)
    told, ignored = _split(own, places)
    return Outcome(tuple(kept), (*suppressed, *ignored), tuple(told))


def decided(rules: Iterable[Rule], judged: Sequence[Judged], every: Iterable[Rule] = ()) -> frozenset[str]:
    """Codes of the rules that would have found what there is to find in the file.

    That are those that looked at a launch of the file and could be decided on all of them, and those that are about
    other programs than the launches are of.

    Args:
        rules: those that were run.
        judged: the launches of the file.
        every: the rules of all frameworks that are run on a file with launches of theirs.
    """
    from packaging.version import InvalidVersion, Version

    undecided = {one.code for launch in judged for one in launch.undecided}
    seen: set[tuple[str, Version | None]] = set()
    for launch in (one.launch for one in judged):
        release = launch.versions.get(launch.program.partition(":")[0])
        try:
            seen.add((launch.program, None if release is None else Version(release.value)))
        except InvalidVersion:
            continue
    looked = {
        rule.code
        for rule in rules
        for program, release in seen
        if (rule.looks_at(program) or not _SCENES.isdisjoint(rule.programs))
        and (release is None or rule.holds_for(release))
    }
    return frozenset(looked - undecided) | _foreign(every, {one.launch.program for one in judged})


def _foreign(rules: Iterable[Rule], programs: Collection[str]) -> frozenset[str]:
    """Codes of the rules that are about programs alone, and about none of these; none where there are no programs."""
    foreign: dict[str, bool] = {}
    for rule in rules if programs else ():
        about_launches = bool(rule.programs) and all(":" in one for one in rule.programs)
        here = not about_launches or any(rule.looks_at(program) for program in programs)
        foreign[rule.code] = foreign.get(rule.code, True) and not here
    return frozenset(code for code, is_foreign in foreign.items() if is_foreign)


def _names_rules(directive: Directive, policy: Policy) -> bool:
    return bool(directive.codes) and all(code.upper() in policy.names for code in directive.codes)


class _Places:
    """Finds the suppressions that cover a place, without asking all of them."""

    def __init__(self, suppressions: Iterable[Suppression]) -> None:
        self._files = [one for one in suppressions if one.directive.covers is None]
        placed = [(one.directive.covers, one) for one in suppressions if one.directive.covers is not None]
        self._local = sorted(placed, key=lambda pair: (pair[0].path, pair[0].start))
        self._starts = [(covers.path, covers.start) for covers, _ in self._local]
        self._ends = list(accumulate(((covers.path, covers.end) for covers, _ in self._local), max))

    def covering(self, finding: Finding) -> Iterator[Suppression]:
        yield from (one for one in self._files if one.covers(finding))
        span = finding.span
        at = bisect_left(self._starts, (span.path, max(span.end, span.start + 1)))
        while at > 0 and self._ends[at - 1] > (span.path, span.start):
            at -= 1
            if self._local[at][1].covers(finding):
                yield self._local[at][1]


def _split(findings: Iterable[Finding], places: _Places) -> tuple[list[Finding], list[Finding]]:
    kept: list[Finding] = []
    suppressed: list[Finding] = []
    for finding in findings:
        answers = [one.lets_through(finding) for one in places.covering(finding)]
        (suppressed if any(answers) else kept).append(finding)
    return kept, suppressed
