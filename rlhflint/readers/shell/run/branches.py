"""Conditions and what hangs on them: the sides of `if`, `&&`, `||` and `case`, parted and brought together again."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from rlhflint.readers.shell import question as questions
from rlhflint.readers.shell import unknown
from rlhflint.readers.shell.decision import Decision
from rlhflint.readers.shell.merging import merge, negated
from rlhflint.readers.shell.run.cases import chosen
from rlhflint.readers.shell.run.mundane import is_notable
from rlhflint.readers.shell.state import STATUS, State
from rlhflint.readers.shell.syntax.tree import AndOr, Body, Case, Group, If, Negation, Simple, Statement
from rlhflint.records import dataclass

if TYPE_CHECKING:
    from rlhflint.readers.shell.run.interpreter import Interpreter


@dataclass(slots=True)
class Branches:
    """The states behind a condition that holds, and behind one that does not; None where that cannot be."""

    yes: State | None
    no: State | None


def condition(interpreter: Interpreter, state: State, body: Body) -> Branches:
    """The states behind the commands of a condition."""
    before = interpreter.body(state, body[:-1])
    if before is None or not body:
        return Branches(before, None)
    return tested(interpreter, before, body[-1])


def tested(interpreter: Interpreter, state: State, node: Statement) -> Branches:
    """The states behind a statement that succeeds, and behind one that fails."""
    match node:
        case Negation():
            inner = tested(interpreter, state, node.inner)
            for side in (inner.yes, inner.no):
                if side is not None:
                    side.values[STATUS] = negated(side.values.get(STATUS))
            return Branches(inner.no, inner.yes)
        case AndOr():
            return both(interpreter, state, node)
        case Group():
            return condition(interpreter, state, node.body)
        case Simple():
            ends = [end for end, _ in interpreter.simple(state, node) if end is not None]
        case _:
            after = interpreter.statement(state, node)
            ends = [after] if after is not None else []
    if all(end.values.get(STATUS) is None for end in ends):
        joined = join(state, ends)
        return Branches(None, None) if joined is None else distinguish(state, asked(interpreter, joined, node), node)
    outcomes: list[tuple[State, bool]] = []
    for end in ends:
        for way, status in interpreter.reading.explore(end, lambda way: way.get(STATUS), node.span):
            outcomes += [(way, status)] if isinstance(status, bool) else asked(interpreter, way, node)
    return distinguish(state, outcomes, node)


def asked(interpreter: Interpreter, state: State, node: Statement) -> list[tuple[State, bool]]:
    """A state on both sides of the question whether a command succeeds."""
    key = (node, interpreter.reading.calls, state.rounds)
    question = interpreter.reading.register.success(key, node.span, unknown.shortened(node.text))
    found = []
    for answer in (True, False):
        side = state.copy()
        side.answers = state.answers.assume(question, answer)
        found.append((side, answer))
    return found


def both(interpreter: Interpreter, state: State, node: AndOr) -> Branches:
    """The states behind `a && b` or `a || b` that succeeds, and behind one that fails."""
    first = tested(interpreter, state, node.left)
    goes_on, settled = (first.yes, first.no) if node.operator == "&&" else (first.no, first.yes)
    mark = len(interpreter.reading.records)
    second = tested(interpreter, goes_on, node.right) if goes_on is not None else Branches(None, None)
    outcomes = [(second.yes, True), (second.no, False), (settled, node.operator == "||")]
    found = distinguish(state, [(one, truth) for one, truth in outcomes if one is not None], node)
    if goes_on is not None and second.yes is None and second.no is None and speaks(interpreter, state, goes_on, mark):
        for side in (found.yes, found.no):
            if side is not None:
                side.lead(state, news(state, side).items(), past_an_end=True)
    return found


def distinguish(before: State, outcomes: Sequence[tuple[State, bool]], node: Statement) -> Branches:
    """The outcomes of a condition brought together on its two sides, told apart by one question."""
    sides = [[state for state, truth in outcomes if truth is side] for side in (True, False)]
    leaves = [(news(before, state), truth) for state, truth in outcomes]
    found = questions.condition(leaves, node.span, f"`{unknown.shortened(node.text)}` holds") if outcomes else True
    branches: list[State | None] = []
    for side, states in zip((True, False), sides, strict=True):
        if not states:
            branches.append(None)
            continue
        merged = merge(states, told_apart=True).copy()
        told: Iterable[tuple[Decision, bool]] = ()
        if not isinstance(found, bool):
            question, answer = found
            merged.answers = merged.answers.assume(question, answer is side)
            told = questions.told(question, answer is side)
        merged.lead(before, told)
        merged.values[STATUS] = side
        branches.append(merged)
    return Branches(*branches)


def news(before: State, after: State) -> dict[Decision, bool]:
    """The answers that came with a way."""
    return {decision: answer for decision, answer in after.answers.items() if decision not in before.answers}


def conditional(interpreter: Interpreter, state: State, node: If) -> State | None:
    """`if`."""
    branches: list[tuple[State | None, Body]] = []
    rest: State | None = state
    for tests, body in node.branches:
        if rest is None:
            break
        found = condition(interpreter, rest, tests)
        branches.append((found.yes, body))
        rest = found.no
    if rest is not None and not node.otherwise:
        rest.values[STATUS] = True
    branches.append((rest, node.otherwise or ()))
    return branched(interpreter, state, branches)


def branched(interpreter: Interpreter, before: State, branches: Iterable[tuple[State | None, Body]]) -> State | None:
    """The state behind alternatives.

    Where one of them ends the script, what follows is reached on the other ones alone: that may be a choice to tell.
    """
    ends: list[State | None] = []
    notable = False
    for state, body in branches:
        if state is None:
            continue
        mark = len(interpreter.reading.records)
        after = interpreter.body(state, body)
        ends.append(after)
        notable = notable or (after is None and speaks(interpreter, before, state, mark))
    joined = join(before, ends)
    if joined is not None and notable:
        joined.lead(before, news(before, joined).items(), past_an_end=True)
    return joined


def speaks(interpreter: Interpreter, before: State, ended: State, mark: int) -> bool:
    """Whether it is a choice to speak of that an alternative did not end the script; `mark`: where its records begin.

    It is if the alternative did more than complain, or is the one to expect.
    """
    expected = any(answer is decision.expected for decision, answer in news(before, ended).items())
    return expected or any(is_notable(record.command) for record in interpreter.reading.records[mark:])


def join(before: State, ends: Iterable[State | None]) -> State | None:
    """One state for the ways that are left, where `before` was one state."""
    left = [state for state in ends if state is not None]
    if not left:
        return None
    joined = merge(left).copy()
    joined.rounds = before.rounds
    joined.lead(before, ())
    return joined


def case(interpreter: Interpreter, state: State, node: Case) -> State | None:
    """`case`."""

    found = interpreter.reading.explore(state, lambda way: chosen(interpreter, way, node), node.span)
    choices = sorted({indices for _, indices in found}, key=lambda indices: indices or (len(node.items),))
    items = [asked_item(state, found, indices, node) for indices in choices]
    branches: list[tuple[State | None, Body]] = []
    for indices in choices:
        merged = merge([way for way, one in found if one == indices], told_apart=True).copy()
        for other, asked in zip(choices, items, strict=True):
            if asked is not None:
                merged.answers = merged.answers.assume(asked, other == indices)
        merged.lead(state, news(state, merged).items())
        body: Body = tuple(statement for index in indices for statement in node.items[index][1])
        if not body:
            merged.values[STATUS] = True
        branches.append((merged, body))
    return branched(interpreter, state, branches)


def asked_item(
    before: State, found: list[tuple[State, tuple[int, ...]]], indices: tuple[int, ...], node: Case
) -> Decision | None:
    """The question whether these items are chosen, where that takes more than one set of answers."""
    leaves = tuple((news(before, way), one == indices) for way, one in found)
    if sum(leads for _, leads in leaves) < 2 or all(leads for _, leads in leaves):
        return None
    patterns = node.items[indices[0]][0] if indices else ()
    words = f"{unknown.shortened(node.word.text)} is " + " or ".join(pattern.text for pattern in patterns[:4])
    return questions.question(leaves, node.span, words)
