"""What a script's state is where several ways through it meet."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile

from rlhflint.readers.shell.decision import Answers, Split
from rlhflint.readers.shell.question import region, shared
from rlhflint.readers.shell.state import State, differing
from rlhflint.text import Span

_NOWHERE = Span("", 0, 0)
_MOST_ANSWERS = 12
"""Answers by which two values are told apart."""


def merge(states: Sequence[State], *, told_apart: bool = False) -> State:
    """One state for several ways that meet: values that differ become splits.

    `told_apart`: the caller has a question that tells these ways from all others, and answers it.
    """
    first = states[0]
    if len(states) == 1:
        return first
    merged = first.copy()
    merged.partial = any(state.partial for state in states)
    answers = [state.answers for state in states]
    side_by_side = zip(*(state.reached for state in states), strict=False)
    merged.reached = tuple(steps[0] for steps in takewhile(_alike, side_by_side))
    merged.answers = Answers(shared(answers) if told_apart else region(answers, _NOWHERE))
    keys = dict.fromkeys(key for state in states for key in state.values)
    for key in keys:
        values = [state.values.get(key) for state in states]
        if all(_same(value, values[0]) for value in values[1:]):
            continue
        pairs = [(state.answers, value) for state, value in zip(states, values, strict=True)]
        merged.values[key] = _split(pairs, Answers(), key)
    return merged


def _alike(steps: Sequence[object]) -> bool:
    return all(step == steps[0] for step in steps)


def _same(one: object, other: object) -> bool:
    return one is other or one == other


def _split(pairs: list[tuple[Answers, object]], known: Answers, key: str) -> object:
    """A value that gives each of the ways its own, told apart by the questions they answer differently."""
    first = pairs[0][1]
    if all(_same(value, first) for _, value in pairs[1:]):
        return first
    for decision in dict.fromkeys(decision for answers, _ in pairs for decision in answers):
        if decision in known or len(known) > _MOST_ANSWERS:
            continue
        yes = [pair for pair in pairs if pair[0].truth(decision) is not False]
        no = [pair for pair in pairs if pair[0].truth(decision) is not True]
        if len(yes) < len(pairs) and len(no) < len(pairs):
            sides = (_split(side, known.assume(decision, one), key) for one, side in ((True, yes), (False, no)))
            return Split(decision, *sides)
    return differing(next(value for _, value in pairs if value is not None), key)


def negated(status: object) -> object:
    """What `!` makes of a status."""
    if isinstance(status, Split):
        return Split(status.decision, negated(status.yes), negated(status.no))
    return not status if isinstance(status, bool) else None
