"""Loops: over known values round by round, over others once with what changes in them unknown."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from rlhflint.readers.python.attributes import Place
from rlhflint.readers.python.branches import two_ways
from rlhflint.readers.python.conditions import Conditions, Test, on
from rlhflint.readers.python.decisions import decide
from rlhflint.readers.python.run import Run
from rlhflint.readers.python.store import ABSENT, Writes
from rlhflint.readers.python.values import Abstract, Entry, Items, Open, Sure, Table

MOST_ROUNDS = 64
"""Rounds of loops inside one another that are followed one by one."""
MOST_ROUNDS_ASIDE = 8
"""The same, where nothing watched is in the loop."""
_CHANGES = "it changes in a loop"


def for_loop(run: Run, node: ast.For | ast.AsyncFor) -> bool:
    """`for`."""
    from rlhflint.readers.python.statements import assign

    value = run.evaluate(run, node.iter)
    because = f"{run.source.words(node.target)} takes several values in a loop"
    probe = value.probe if isinstance(value, Open) else ""

    def bind(one: Abstract | None = None) -> None:
        assign(run, node.target, run.unknown(because, probe=probe) if one is None else one, place)

    place = Place(run.source.span(node.target), run.source.span(node.iter))
    entries = _rounds(run, value)
    if entries is not None:
        relevant = node in run.relevance.parts
        if run.rounds * max(len(entries), 1) <= (MOST_ROUNDS if relevant else MOST_ROUNDS_ASIDE):
            return _round_by_round(run, node, entries, bind)
        if relevant and isinstance(node.iter, ast.List | ast.Tuple):
            message = f"more than {MOST_ROUNDS} rounds of loops: they are not followed one by one"
            run.report("too-many-ways", run.source.span(node.iter), message)
    return _any_number(run, node, bind)


def while_loop(run: Run, node: ast.While) -> bool:
    """`while`."""
    if decide(run, node.test) is False:
        return run.execute(run, node.orelse)

    def bind() -> None:
        decide(run, node.test)

    endless = isinstance(node.test, ast.Constant)
    return _any_number(run, node, bind, endless=endless)


def _rounds(run: Run, value: Abstract) -> list[Entry] | None:
    """What a loop runs over, if that is known."""
    state = run.behind(value)
    if isinstance(state, Table) and not state.more:
        entries = [slot for slot in state.slots.values() if isinstance(slot, Entry)]
        whole = len(entries) == len(state.slots)
        return (
            [Entry(one.name, Sure(one.name), one.span, value_span=one.name_span) for one in entries] if whole else None
        )
    if not isinstance(state, Items) or state.more:
        return None
    entries = [slot for slot in state.slots if isinstance(slot, Entry)]
    return entries if len(entries) == len(state.slots) else None


def _round_by_round(
    run: Run, node: ast.For | ast.AsyncFor, entries: Sequence[Entry], bind: Callable[..., None]
) -> bool:
    rounds, run.rounds = run.rounds, run.rounds * max(len(entries), 1)
    try:
        for number, entry in enumerate(entries, 1):
            conditions = _round(run, node, entry, number, len(entries))
            with run.on_way(conditions), run.leading("loop") as exits, run.store.layer() as writes:
                bind(entry.value)
                if run.execute(run, node.body):
                    exits.ways.append((tuple(exits.bars), writes, ABSENT))
            if not exits.ways:
                return False
            if 0 < exits.broken < len(exits.ways):
                # The loop may have ended here, or not: what follows is one of the other rounds, or none.
                run.store.blur([written for _, written, _ in exits.ways], _CHANGES)
                return _any_number(run, node, bind)
            run.join(exits, _CHANGES)
            if exits.broken:
                return True
    finally:
        run.rounds = rounds
    return run.execute(run, node.orelse)


def _round(run: Run, node: ast.For | ast.AsyncFor, entry: Entry, number: int, count: int) -> Conditions:
    if count == 1:
        return ()
    words = run.source.words(node.target)
    value = entry.value
    state = run.behind(value)
    if isinstance(state, Items) and isinstance(node.target, ast.Tuple):
        known = [slot.value.value for slot in state.slots if isinstance(slot, Entry) and isinstance(slot.value, Sure)]
        says = f"{words} is {', '.join(map(repr, known))}" if len(known) == len(state.slots) else ""
    else:
        says = f"{words} is {value.value!r}" if isinstance(value, Sure) else ""
    says = says or f"the loop over {words} is in round {number}"
    span = entry.value_span or run.source.span(node.iter)
    return (Test(run.number(), frozenset({True}), True, span, (says, ""), certain=True),)


def _any_number(
    run: Run, node: ast.For | ast.AsyncFor | ast.While, bind: Callable[[], None], *, endless: bool = False
) -> bool:
    """Follow a loop whose body runs any number of times; `endless`: until it is left.

    It is followed twice: what the first look finds to be changed is unknown at the start of the second.
    """
    # What leaves the body does so only if the loop begins: it bars nothing behind a loop that runs over nothing.
    begun = () if endless else (Test(run.number(), frozenset({True})),)
    with run.on_way(begun):
        if run.recording:
            with _on_trial(run):
                ended, _ = _once(run, bind, node.body)
            run.store.blur(ended, _CHANGES)
        ended, broken = _once(run, bind, node.body)
    run.store.blur(ended, _CHANGES)
    if endless or not (broken and node.orelse):
        return broken if endless else run.execute(run, node.orelse)
    words = " ".join(run.source.words(node.target if not isinstance(node, ast.While) else node.test).split())
    says = (f"the loop over {words} is not left by break", f"the loop over {words} is left by break")
    to_its_end = on(Test(run.number(), frozenset({True}), True, run.source.span(node.orelse[0]), says))
    return two_ways(run, to_its_end, lambda: run.execute(run, node.orelse), lambda: True)


@contextmanager
def _on_trial(run: Run) -> Iterator[None]:
    """While it lasts, nothing is written down; what leads away from here is forgotten after it."""
    before = [(exits, len(exits.ways), len(exits.bars), exits.broken, exits.blurred) for exits in run.exits]
    run.recording = False
    try:
        yield
    finally:
        run.recording = True
        for exits, ways, bars, broken, blurred in before:
            del exits.ways[ways:], exits.bars[bars:]
            exits.broken, exits.blurred = broken, blurred


def _once(run: Run, bind: Callable[[], None], body: Sequence[ast.stmt]) -> tuple[list[Writes], bool]:
    """What was written on each way that leads to the end of the body or out of it, and whether one breaks the loop."""
    with run.leading("loop") as exits, run.store.layer() as writes:
        bind()
        reached = run.execute(run, body)
    written = [ended for _, ended, _ in exits.ways]
    return [*written, writes] if reached else written, exits.broken > 0
