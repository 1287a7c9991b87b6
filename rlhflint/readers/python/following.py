"""Functions of the file, followed with what they are given."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace

from rlhflint.call import Origin
from rlhflint.readers.python.bound_names import own_names
from rlhflint.readers.python.containers import listed, tabled
from rlhflint.readers.python.expectations import guarded
from rlhflint.readers.python.frames import Ended, Frame
from rlhflint.readers.python.given import Given
from rlhflint.readers.python.recording import finish
from rlhflint.readers.python.run import Run
from rlhflint.readers.python.unfollowed import run_unseen
from rlhflint.readers.python.values import (
    Abstract,
    Entry,
    Function,
    Instance,
    Items,
    Maybe,
    Ref,
    Slot,
    Spread,
    Sure,
    Table,
)

LONGEST = 400
"""Functions of more nodes are not followed where nothing watched is in them."""
DEEPEST = 10
"""Functions of the file that call one another are followed this deep."""


def follow_alone(run: Run, function: Function) -> None:
    """Follow a function that is not called in the file: its parameters may be anything."""
    values: dict[str, Abstract] = {}
    for parameter in _parameters(function.node.args):
        because = f"{parameter.arg} is a parameter of {function.name}()"
        default = function.defaults.get(parameter.arg)
        if isinstance(default, Sure):
            values[parameter.arg] = Maybe(default.value, because, run.number())
        else:
            values[parameter.arg] = run.unknown(because)
    arguments = function.node.args
    if arguments.vararg:
        values[arguments.vararg.arg] = run.allocate(listed("tuple", (), f"*{arguments.vararg.arg} is not known"))
    if arguments.kwarg:
        values[arguments.kwarg.arg] = run.allocate(Table({}, f"**{arguments.kwarg.arg} is not known"))
    positional = [*arguments.posonlyargs, *arguments.args]
    if function.owner is not None and positional:
        because = f"{positional[0].arg} may have been changed elsewhere"
        values[positional[0].arg] = run.allocate(Instance(defined=function.owner, more=because))
    start, run.shared = len(run.records), run.number()
    expected = (guarded(run, function.node, f"{function.name}()", ()),) if function.node in run.expected else ()
    with run.on_way(expected), run.store.layer():
        with suppress(Ended):
            _run_body(run, function, values)
        finish(run, start)


def follow(run: Run, function: Function, given: Given) -> Abstract | None:
    """What a call of a function of the file gives; None if it is not followed."""
    active = [frame.node for frame in run.frames if frame.node is not None]
    plain = function.plain and function.node not in run.altered
    if not plain or function.node in active or len(active) >= DEEPEST or _too_long(run, function):
        run_unseen(run, function)
        return None
    values = _bound(run, function, given)
    if values is None:
        run_unseen(run, function)
        return None
    if run.recording:
        run.followed.add(function.node)
    return _run_body(run, function, values)


def _too_long(run: Run, function: Function) -> bool:
    """Whether a function is not worth following: nothing watched is in it, and it is no small one."""
    relevance = run.relevance
    return function.node not in relevance.parts and relevance.sizes.get(function.node, 0) > LONGEST


def _run_body(run: Run, function: Function, values: Mapping[str, Abstract]) -> Abstract:
    """Follow the body of a function with values for its parameters; what it gives back.

    Raises `Ended` where it never comes back.
    """
    frame = Frame(run.number(), function.name, function.frames, function.node, own=own_names(run, function.node))
    run.frames.append(frame)
    rounds, run.rounds = run.rounds, 1
    try:
        with run.leading("function") as exits, run.store.layer() as writes:
            for name, value in values.items():
                run.store.set((frame.number, name), value)
            if isinstance(function.node, ast.Lambda):
                with suppress(Ended):
                    exits.ways.append(((), writes, run.evaluate(run, function.node.body)))
            elif run.execute(run, function.node.body):
                exits.ways.append((tuple(exits.bars), writes, Sure(None)))
    finally:
        run.frames.pop()
        run.rounds = rounds
    if not exits.ways:
        run.store.absorb(writes)
        raise Ended
    return run.join(exits, f"what {function.name}() gives depends on too much")


def _parameters(arguments: ast.arguments) -> list[ast.arg]:
    return [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]


def _bound(run: Run, function: Function, given: Given) -> dict[str, Abstract] | None:
    """The values of the parameters; None if the call does not fit them."""
    arguments = function.node.args
    positional = [one.arg for one in [*arguments.posonlyargs, *arguments.args]]
    names = {one.arg for one in _parameters(arguments)}
    values: dict[str, Abstract] = {}
    further: list[Slot] = []
    keywords: list[Entry] = []
    doubt = ""
    for one in unfolded(run, given):
        if isinstance(one, Spread):
            doubt = doubt or f"{one.text} is not known"
        elif one.origin is Origin.POSITION and isinstance(one.name, int):
            if doubt or len(values) >= len(positional):
                further.append(one)
            else:
                values[positional[len(values)]] = one.value
        elif isinstance(one.name, str) and one.name in names:
            if one.name in values:
                return None
            values[one.name] = one.value
        else:
            keywords.append(one)
    if (further and not arguments.vararg and not doubt) or (keywords and not arguments.kwarg):
        return None
    for name in names - values.keys():
        default = function.defaults.get(name)
        if doubt:
            values[name] = run.unknown(doubt)
        elif default is None:
            return None
        else:
            values[name] = default
    if arguments.vararg:
        values[arguments.vararg.arg] = run.allocate(listed("tuple", further, doubt))
    if arguments.kwarg:
        table = tabled(keywords)
        values[arguments.kwarg.arg] = run.allocate(replace(table, more=table.more or doubt))
    return values


def unfolded(run: Run, given: Given) -> list[Entry | Spread]:
    """The arguments with `*` and `**` of known containers written out."""
    out: list[Entry | Spread] = []
    for one in given:
        state = run.state(one.value) if isinstance(one, Spread) and isinstance(one.value, Ref) else None
        if isinstance(one, Spread) and isinstance(state, Items | Table) and not state.more:
            slots = state.slots if isinstance(state, Items) else tuple(state.slots.values())
            entries = [slot for slot in slots if isinstance(slot, Entry)]
            if len(entries) == len(slots):
                out += entries
                continue
        out.append(one)
    return out


def as_self(run: Run, ref: Ref, node: ast.expr) -> Entry:
    """An object as the first argument of its own method."""
    return Entry(0, ref, run.source.span(node), origin=Origin.POSITION)
