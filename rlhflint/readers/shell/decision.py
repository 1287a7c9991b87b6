"""Questions that a script's ways hang on: tests of what is not known."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeAlias

from rlhflint.command import Choice
from rlhflint.text import Span

_MOST_LEAVES = 16
"""Sets of answers that are remembered to lead to the answer of another question."""
_MOST_ANSWERS = 64
"""Answers in all these sets."""


@dataclass(frozen=True, eq=False)
class Decision:
    """A question with two answers; `yes` and `no` say them in words that fit behind "when".

    `expected`: the answer that is nothing to talk about, as a command in front of `&&` is expected to succeed.
    """

    span: Span
    yes: str
    no: str
    expected: bool | None = None

    def choice(self, answer: bool) -> Choice:
        """The way that the answer leads to."""
        return Choice(self.span, self.yes if answer else self.no, certain=False)


@dataclass(frozen=True, eq=False)
class Test(Decision):
    """A question about one unknown text: whether `subject` stands in the relation `kind` to `value`."""

    kind: str = ""
    subject: tuple[object, ...] = ()
    value: str = ""


@dataclass(frozen=True, eq=False)
class Compound(Decision):
    """A question answered by other ones: each leaf is a set of answers and the answer they lead to."""

    leaves: tuple[tuple[Mapping[Decision, bool], bool], ...] = ()

    @cached_property
    def about(self) -> frozenset[Decision]:
        """Every question whose answer bears on this one."""
        parts = {part for leaf, _ in self.leaves for part in leaf}
        return frozenset(parts.union(*(part.about for part in parts if isinstance(part, Compound))))

    @cached_property
    def subjects(self) -> frozenset[tuple[object, ...]]:
        """The unknown texts that its leaves ask about."""
        return frozenset(part.subject for leaf, _ in self.leaves for part in leaf if isinstance(part, Test))


@dataclass(frozen=True, eq=False)
class Region(Compound):
    """Whether the way is one of those that met at a place, each known by the answers it took. It is nothing to tell."""


class Answers(dict[Decision, bool]):
    """The answers in force on one way. Treated as immutable: `assume` gives a new one."""

    __slots__ = ("_found",)

    def __init__(self, answers: Mapping[Decision, bool] | None = None) -> None:
        super().__init__(answers or {})
        self._found: dict[Decision, bool | None] = {}
        """What followed for decisions that were asked for."""

    def assume(self, decision: Decision, answer: bool) -> Answers:
        """These answers and one more."""
        more = Answers(self)
        more[decision] = answer
        if isinstance(decision, Compound):
            fitting = [leaf for leaf, leads in decision.leaves if leads is answer]
            if len(fitting) == 1:
                for part, value in fitting[0].items():
                    if part not in more:
                        more = more.assume(part, value)
        return more

    def truth(self, decision: Decision) -> bool | None:
        """The answer that follows from these; None if none does."""
        if decision in self:
            return self[decision]
        if decision not in self._found:
            self._found[decision] = self._follows(decision)
        return self._found[decision]

    def _follows(self, decision: Decision) -> bool | None:
        if isinstance(decision, Region):
            if any(all(self.truth(part) is answer for part, answer in leaf.items()) for leaf, _ in decision.leaves):
                return True
            return None if any(self._fits(leaf) for leaf, _ in decision.leaves) else False
        if isinstance(decision, Compound):
            open_ = {leads for leaf, leads in decision.leaves if self._fits(leaf)}
            return open_.pop() if len(open_) == 1 else None
        return self._implied(decision) if isinstance(decision, Test) else None

    def open_part(self, decision: Decision) -> Decision:
        """The question to ask for the answer to `decision`: of a region a question that tells its ways apart."""
        if isinstance(decision, Region):
            for leaf, _ in decision.leaves:
                for part in leaf:
                    if self.truth(part) is None:
                        return self.open_part(part)
        return decision

    def possible(self, newest: Decision) -> bool:
        """No compound question that `newest` bears on is answered in a way that none of its leaves allows."""
        return all(
            any(leads is answer and self._fits(leaf) for leaf, leads in decision.leaves)
            for decision, answer in self.items()
            if isinstance(decision, Compound) and newest in decision.about and (answer or type(decision) is Compound)
        )

    def _fits(self, leaf: Mapping[Decision, bool]) -> bool:
        return all(self.truth(decision) in (None, answer) for decision, answer in leaf.items())

    def _implied(self, test: Test) -> bool | None:
        found = _implied_by(self, test)
        for decision, answer in self.items() if found is None else ():
            if not isinstance(decision, Compound) or test.subject not in decision.subjects:
                continue
            fitting = [
                leaf
                for leaf, leads in decision.leaves
                if leads is answer and all(self.get(part, value) is value for part, value in leaf.items())
            ]
            follows = {_implied_by(leaf, test) for leaf in fitting}
            if len(follows) == 1 and follows != {None}:
                return follows.pop()
        return found


def _implied_by(answers: Mapping[Decision, bool], test: Test) -> bool | None:
    """A text that equals one word equals no other, and is not empty unless that word is."""
    for known, answer in answers.items():
        if known is test:
            return answer
        if answer and isinstance(known, Test) and known.subject == test.subject and known.kind in ("equals", "number"):
            if known.kind == test.kind:
                return known.value == test.value
            if test.kind == "empty":
                return not known.value
    return None


@dataclass(frozen=True, slots=True)
class Split:
    """A value that depends on the answer to a question."""

    decision: Decision
    yes: object
    no: object


@dataclass
class Undecided(Exception):
    """The answer to a question is needed to go on."""

    decision: Decision


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
