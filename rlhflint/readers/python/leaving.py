"""What is done at the end of a block however it is left: `finally`, and the `__exit__` of a manager."""

from __future__ import annotations

from collections.abc import Callable

from rlhflint.readers.python.conditions import Conditions
from rlhflint.readers.python.run import Run
from rlhflint.readers.python.store import Writes


def through(run: Run, body: Callable[[], bool], at_end: Callable[[], bool]) -> bool:
    """Follow a block, and once what is done at its end: on the way that comes there and on those that leave it.

    `return`, `break`, `continue` and `raise` in the block lead to where they led, after the end; one at the end takes
    their place.
    """
    before = [(exits, len(exits.ways), len(exits.bars), exits.broken) for exits in run.exits]
    with run.leading("end") as left, run.store.layer() as writes:
        reached = body()
    if reached and not left.ways:
        run.store.absorb(writes)
        return at_end()
    # The end is come by on every way, so that none of them is barred there.
    barred = [exits.bars[bars:] for exits, _, bars, _ in before]
    for exits, _, bars, _ in before:
        del exits.bars[bars:]
    leaving = [(conditions, written) for conditions, written, _ in left.ways]
    coming: list[tuple[Conditions, Writes]] = [(tuple(bar for one in barred for bar in one), writes)] if reached else []
    if left.blurred or not (coming or leaving):
        run.store.blur([writes, *(written for _, written in leaving)], "it depends on how a block was left")
    else:
        run.store.merge([*coming, *leaving])
    known = [(len(exits.ways), exits.broken) for exits, _, _, _ in before]
    with run.store.layer() as last:
        done = at_end()
    run.store.absorb(last)
    for (exits, first, bars, broken), (there, breaks), other in zip(before, known, barred, strict=True):
        ways = exits.ways[first:there] if done else []
        held = tuple(exits.bars[bars:])
        exits.ways[first:there] = [(conditions + held, written | last, value) for conditions, written, value in ways]
        exits.bars[bars:bars] = other
        exits.broken -= 0 if done else breaks - broken
    return reached and done
