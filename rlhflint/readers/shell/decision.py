"""Questions that a script's ways hang on: tests of what is not known."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from rlhflint.command import Choice
from rlhflint.records import dataclass
from rlhflint.text import Span


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
            open_: set[bool] = set()
            for leaf, leads in decision.leaves:
                if leads not in open_ and self._fits(leaf):
                    open_.add(leads)
                if len(open_) > 1:
                    return None
            return open_.pop() if open_ else None
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
            if isinstance(decision, Compound) and test.subject in decision.subjects:
                found = self._agreed(decision, answer, test)
                if found is not None:
                    return found
        return found

    def _agreed(self, compound: Compound, answer: bool, test: Test) -> bool | None:
        """What all leaves say of a test that may have led to the answer of a compound question."""
        agreed: bool | None = None
        for leaf, leads in compound.leaves:
            if leads is answer and all(self.get(part, value) is value for part, value in leaf.items()):
                said = _implied_by(leaf, test)
                if said is None or (agreed is not None and said is not agreed):
                    return None
                agreed = said
        return agreed


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
