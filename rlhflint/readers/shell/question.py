"""Questions made and put together: of a script's conditions, and of ways that meet."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from typing import TypeAlias

from rlhflint.readers.shell.decision import Compound, Decision, Region, Test
from rlhflint.records import dataclass
from rlhflint.text import Span

_MOST_LEAVES = 16
"""Sets of answers that are remembered to lead to the answer of another question."""
_MOST_ANSWERS = 64
"""Answers in all these sets."""


@dataclass(slots=True)
class Register:
    """The questions of one script; the same question about the same unknown is one object."""

    _tests: dict[tuple[object, ...], Decision] = field(default_factory=dict)

    def test(self, kind: str, subject: tuple[object, ...], value: str, span: Span, yes: str, no: str) -> Decision:
        """The question whether an unknown text stands in a relation to a value."""
        key = (kind, subject, value)
        found = self._tests.get(key)
        if found is None:
            found = self._tests[key] = Test(span, yes, no, kind=kind, subject=subject, value=value)
        return found

    def success(self, key: tuple[object, ...], span: Span, command: str) -> Decision:
        """The question whether a command succeeds; `key` tells its occurrences apart."""
        found = self._tests.get(key)
        if found is None:
            found = self._tests[key] = Decision(span, f"`{command}` succeeds", f"`{command}` fails", expected=True)
        return found


Condition: TypeAlias = "bool | tuple[Decision, bool]"
"""A plain answer, or a question together with the answer to it that means yes."""


def condition(leaves: Iterable[tuple[Mapping[Decision, bool], bool]], span: Span, words: str) -> Condition:
    """The condition that the leaves make together: each is a set of answers and what the condition comes to then."""
    found = [(dict(leaf), leads) for leaf, leads in leaves]
    if len({leads for _, leads in found}) == 1:
        return found[0][1]
    if len(found) == 2 and all(len(leaf) == 1 for leaf, _ in found) and found[0][0].keys() == found[1][0].keys():
        ((decision, answer),) = found[0][0].items()
        return decision, answer is found[0][1]
    return question(found, span, words), True


def question(leaves: Iterable[tuple[Mapping[Decision, bool], bool]], span: Span, words: str) -> Decision:
    """The question that the leaves answer together."""
    found = tuple((without_implied(leaf), leads) for leaf, leads in leaves)
    if len(found) > _MOST_LEAVES or sum(len(leaf) for leaf, _ in found) > _MOST_ANSWERS:
        return Decision(span, words, f"not ({words})")
    return Compound(span, words, f"not ({words})", leaves=found)


def without_implied(answers: Mapping[Decision, bool]) -> dict[Decision, bool]:
    """The answers without "it is not a" where "it is b" is among them."""
    settled = {
        decision.subject
        for decision, answer in answers.items()
        if answer and isinstance(decision, Test) and decision.kind == "equals"
    }
    return {
        decision: answer
        for decision, answer in answers.items()
        if answer or not (isinstance(decision, Test) and decision.kind == "equals" and decision.subject in settled)
    }


def simplified(terms: list[dict[Decision, bool]]) -> list[dict[Decision, bool]]:
    """Terms that differ in the answer to one question alone become one, until none do."""
    unique = {frozenset(term.items()): term for term in terms}
    changed = True
    while changed:
        changed = False
        for key, term in list(unique.items()):
            for decision, answer in term.items():
                partner = (key - {(decision, answer)}) | {(decision, not answer)}
                if partner in unique and key in unique:
                    smaller = {one: value for one, value in term.items() if one is not decision}
                    del unique[key], unique[partner]
                    unique[frozenset(smaller.items())] = smaller
                    changed = True
                    break
    return list(unique.values())


def region(answers: Sequence[Mapping[Decision, bool]], span: Span) -> dict[Decision, bool]:
    """What is known on ways that meet: the answers that all of them share, and that it is one of these ways."""
    common = shared(answers)
    terms = simplified([{one: answer for one, answer in way.items() if one not in common} for way in answers])
    if len(terms) == 1:
        return {**common, **terms[0]}
    if not all(terms) or len(terms) > _MOST_LEAVES or sum(map(len, terms)) > _MOST_ANSWERS:
        return common
    return {**common, Region(span, "", "", leaves=tuple((term, True) for term in terms)): True}


def shared(answers: Sequence[Mapping[Decision, bool]]) -> dict[Decision, bool]:
    """The answers that all ways share."""
    first, *others = answers
    return {one: answer for one, answer in first.items() if all(other.get(one) is answer for other in others)}


def told(decision: Decision, answer: bool) -> tuple[tuple[Decision, bool], ...]:
    """What to say of an answer: of a question that other ones answer in one way only, their answers."""
    if isinstance(decision, Compound):
        fitting = [leaf for leaf, leads in decision.leaves if leads is answer]
        if len(fitting) == 1:
            return tuple(fitting[0].items())
    return ((decision, answer),)
