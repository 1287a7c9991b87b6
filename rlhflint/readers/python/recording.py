"""Watched calls are written down with everything they were given, as it is at that moment."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import replace

from rlhflint.call import Class
from rlhflint.readers.python.conditions import Conditions
from rlhflint.readers.python.run import Run
from rlhflint.readers.python.store import ABSENT
from rlhflint.readers.python.values import (
    Abstract,
    Alt,
    Entry,
    Instance,
    Items,
    Maybe,
    Open,
    Ref,
    Slot,
    Spread,
    Table,
)
from rlhflint.records import dataclass
from rlhflint.text import Span

DEEPEST = 12
"""Containers inside one another beyond this depth are not written down."""
STEPS = 10
"""What a watched call counts for among the steps of a module: what it was given is judged by every rule later on."""


@dataclass(slots=True, eq=False)
class Record:
    """A watched call as it was met, before it is split into the ways through the module."""

    site: int
    target: str
    span: Span
    name_span: Span
    arguments: tuple[Slot | Spread, ...]
    path: Conditions
    silent: Conditions
    """What holds besides because other ways were left before; it is no choice of this call."""
    scope: str
    place: int
    shown: bool
    """False for a first look at the body of a loop, which is followed again."""
    receiver: Abstract | None = None
    subclass: tuple[Class, ...] = ()
    replaces: int | None = None
    final: Abstract | None = None
    """What is known of the object it made, where the module or the function it stands in ends."""


def record(
    run: Run,
    target: str,
    given: tuple[Entry | Spread, ...],
    node: ast.expr,
    *,
    receiver: Abstract | None = None,
    subclass: tuple[Class, ...] = (),
    before: Record | None = None,
) -> Ref:
    """Write a call down and give the object that it makes.

    `before` is set for `dataclasses.replace`: the call that made the object whose fields are taken over.
    """
    run.step(STEPS)
    site = len(run.records)
    place = run.number()
    callee = node.func if isinstance(node, ast.Call) else node
    arguments = [replace(one, value=frozen(run, one.value)) for one in given]
    written = Record(
        site=site,
        target=target,
        span=run.source.span(node),
        name_span=run.source.span(callee),
        arguments=tuple(arguments) if before is None else _replaced(before, arguments),
        path=run.path,
        silent=run.bars,
        scope=run.frame.name,
        place=place,
        shown=run.recording,
        receiver=None if receiver is None else frozen(run, receiver),
        subclass=subclass if before is None else before.subclass,
        replaces=None if before is None else before.site,
    )
    run.records.append(written)
    run.store.set(place, Instance(site, live=_changeable(run, given)))
    return Ref(place)


def _changeable(run: Run, given: tuple[Entry | Spread, ...]) -> tuple[tuple[Entry, int, object], ...]:
    """The dictionaries and lists among the arguments, which can be changed through the object."""
    found: list[tuple[Entry, int, object]] = []
    for one in given:
        if isinstance(one, Entry) and isinstance(one.value, Ref):
            state = run.state(one.value)
            if isinstance(state, Items | Table):
                found.append((one, one.value.place, state))
    return tuple(found)


def finish(run: Run, start: int) -> None:
    """Keep what is known now of the objects that watched calls made, from the record numbered `start` on."""
    for one in run.records[start:]:
        if one.final is None:
            one.final = frozen(run, Ref(one.place))


def frozen(run: Run, value: Abstract, depth: int = 0) -> Abstract:
    """The value as it is now, whatever is done to its objects later: without a `Ref`."""
    if isinstance(value, Ref):
        if depth > DEEPEST:
            return run.unknown("it is nested too deeply")
        return frozen(run, run.state(value), depth + 1)
    if isinstance(value, Alt):
        return Alt(tuple((conditions, frozen(run, option, depth)) for conditions, option in value.options))
    if isinstance(value, Entry):
        return replace(value, value=frozen(run, value.value, depth))
    if isinstance(value, Items):
        return replace(value, slots=tuple(_slot(run, slot, depth) for slot in value.slots))
    if isinstance(value, Table):
        return replace(value, slots=_slots(run, value.slots, depth))
    if isinstance(value, Instance):
        return _frozen_object(run, value, depth)
    if isinstance(value, Open | Maybe) and (state := run.outside(value)).attributes:
        return Instance(attributes=_slots(run, state.attributes, depth), more=value.because)
    return value


def _frozen_object(run: Run, state: Instance, depth: int) -> Abstract:
    if state.defined is not None:
        return run.unknown(f"it is an object of the class {state.defined.facts.name}")
    attributes = _slots(run, state.attributes, depth)
    for entry, place, before in state.live:
        now = run.store.get(place)
        if now is not before and now is not ABSENT and entry.name not in attributes:
            attributes[entry.name] = replace(entry, value=frozen(run, now, depth + 1))
    return replace(state, attributes=attributes, live=())


def _slots(run: Run, slots: Mapping[object, Slot], depth: int) -> dict[object, Slot]:
    return {name: _slot(run, slot, depth) for name, slot in slots.items()}


def _slot(run: Run, slot: Slot, depth: int) -> Slot:
    result = frozen(run, slot, depth)
    return result if isinstance(result, Entry | Alt) else slot


def _replaced(before: Record, given: list[Entry | Spread]) -> tuple[Slot | Spread, ...]:
    """The arguments of a call with some of them given anew."""
    names = {one.name for one in given if isinstance(one, Entry)}
    kept = [one for one in before.arguments if not (isinstance(one, Entry) and one.name in names)]
    return (*kept, *given)
