"""The ways through a script put together again: what holds of a launch, whichever way leads to it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from typing import TypeAlias

from rlhflint.command import Choice
from rlhflint.finding import Finding

Way: TypeAlias = tuple[Choice, ...]


def merge(found: Sequence[tuple[Way, Sequence[Finding]]], *, complete: bool = True) -> list[Finding]:
    """The findings of one launch over all ways to it, each once.

    A finding that does not hold on every way stays if one choice alone brings it about: all ways that take it have the
    finding. Rounds of a loop all happen, so one round is enough. A finding that takes several independent choices is
    dropped: they may never be made together. So is every one that does not hold on all of `found` where there are more
    ways (not `complete`): what would bring it about cannot be told.
    """
    if len(found) == 1:
        return _once(found[0][1])
    holders: dict[tuple[object, ...], list[int]] = defaultdict(list)
    first: dict[tuple[object, ...], Finding] = {}
    for index, (_, findings) in enumerate(found):
        for finding in _once(findings):
            key: tuple[object, ...] = (finding.code, finding.span, finding.settings, finding.severity)
            first.setdefault(key, finding)
            holders[key].append(index)
    ways = [way for way, _ in found]
    kept = []
    for key, finding in first.items():
        if len(holders[key]) == len(ways):
            kept.append(finding)
        elif complete and (because := _sufficient(ways, holders[key])) is not None:
            kept.append(replace(finding, message=f"{finding.message} (when {because})") if because else finding)
    return kept


def _once(findings: Sequence[Finding]) -> list[Finding]:
    return list({(one.code, one.span, one.settings, one.message): one for one in findings}.values())


def _sufficient(ways: Sequence[Way], holding: Sequence[int]) -> str | None:
    """In words, the choices that bring about what holds on the ways `holding`; None if no single one does."""
    rounds: dict[frozenset[tuple[object, str]], bool] = {}
    held = set(holding)
    for index, way in enumerate(ways):
        outside = frozenset((choice.span, choice.taken) for choice in way if not choice.certain)
        rounds[outside] = rounds.get(outside, False) or index in held
    loops = [[choice.taken for choice in ways[index] if choice.certain] for index in holding]
    words = [taken for taken in loops[0] if all(taken in other for other in loops)] or loops[0]
    if all(rounds.values()):
        return " and ".join(words)
    for span, taken in dict.fromkeys(pair for index in holding for pair in _outside(ways[index])):
        deciding = [holds for outside, holds in rounds.items() if (span, taken) in outside]
        if all(deciding):
            return " and ".join([taken, *words])
    return None


def _outside(way: Way) -> list[tuple[object, str]]:
    return [(choice.span, choice.taken) for choice in way if not choice.certain]
