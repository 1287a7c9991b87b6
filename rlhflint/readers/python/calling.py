"""Calls: written down where they are watched, followed where the file defines what is called."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from dataclasses import replace

from rlhflint.call import Origin
from rlhflint.readers.python import constants
from rlhflint.readers.python.attributes import class_attribute
from rlhflint.readers.python.classes import maker, parameters_of_dataclass
from rlhflint.readers.python.containers import handed_away, listed, tabled
from rlhflint.readers.python.library import FUNCTIONS, HARMLESS, METHODS, SAME
from rlhflint.readers.python.recording import finish, record
from rlhflint.readers.python.run import Frame, Run
from rlhflint.readers.python.values import (
    Abstract,
    Defined,
    Entry,
    Function,
    Imported,
    Instance,
    Items,
    Maybe,
    Method,
    Open,
    Partial,
    Ref,
    Release,
    Slot,
    Spread,
    Sure,
    Table,
)

DEEPEST = 10
"""Functions of the file that call one another are followed this deep."""

Given = tuple[Entry | Spread, ...]

_PROBE = re.compile(
    r"is_(?!.*(?:gpu|cuda|npu|xpu|mps|bf16|tf32|fp16)).*(?:_available|_version)|is_.*greater_or_equal.*"
)


def call(run: Run, callee: Abstract, given: Given, node: ast.expr) -> Abstract:
    """What a call gives."""
    if isinstance(callee, Imported):
        if run.watches(callee.path):
            return record(run, callee.path, given, node)
        known = FUNCTIONS.get(callee.path)
        result = known(run, given, node) if known else None
        return _foreign(run, callee, given, node) if result is None else result
    if isinstance(callee, Defined):
        return _construct(run, callee, given, node)
    if isinstance(callee, Function):
        return _follow(run, callee, given, node)
    if isinstance(callee, Partial):
        return run.each(callee.function, lambda function: call(run, function, callee.arguments + given, node))
    if isinstance(callee, Method):
        return _method(run, callee, given, node)
    if isinstance(callee, Open) and callee.method is not None:
        return _method_of_made(run, callee.method, given, node)
    return _foreign(run, callee, given, node)


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
    start = len(run.records)
    with run.store.layer():
        _run_body(run, function, values)
        finish(run, start)


def _follow(run: Run, function: Function, given: Given, node: ast.expr) -> Abstract:
    active = [frame.node for frame in run.frames if frame.node is not None]
    if not function.plain or function.node in active or len(active) >= DEEPEST:
        return _foreign(run, function, given, node)
    values = _bound(run, function, given)
    if values is None:
        return _foreign(run, function, given, node)
    if run.recording:
        run.followed.add(function.node)
    return _run_body(run, function, values)


def _run_body(run: Run, function: Function, values: Mapping[str, Abstract]) -> Abstract:
    """Follow the body of a function with values for its parameters; what it gives back."""
    frame = Frame(run.number(), function.name, function.frames, function.node)
    run.frames.append(frame)
    rounds, run.rounds = run.rounds, 1
    try:
        with run.leading("function") as exits, run.store.layer() as writes:
            for name, value in values.items():
                run.store.set((frame.number, name), value)
            if isinstance(function.node, ast.Lambda):
                exits.ways.append(((), writes, run.evaluate(run, function.node.body)))
            elif run.execute(run, function.node.body):
                exits.ways.append((tuple(exits.bars), writes, Sure(None)))
    finally:
        run.frames.pop()
        run.rounds = rounds
    if not exits.ways:
        return run.unknown(f"{function.name}() does not return")
    run.store.merge([(conditions, written) for conditions, written, _ in exits.ways])
    return run.one_of([(conditions, value) for conditions, _, value in exits.ways])


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
    for one in _unfolded(run, given):
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


def _unfolded(run: Run, given: Given) -> list[Entry | Spread]:
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


def _construct(run: Run, defined: Defined, given: Given, node: ast.expr) -> Abstract:
    target, chain = maker(run, defined)
    if target:
        return record(run, target, given, node, subclass=chain)
    ref = run.allocate(Instance(defined=defined))
    init = class_attribute(run, defined, "__init__")
    if isinstance(init, Function):
        _follow(run, init, (_as_self(run, ref, node), *given), node)
        return ref
    names = parameters_of_dataclass(defined)
    attributes: dict[object, Slot] = {}
    for one in _unfolded(run, given):
        if isinstance(one, Spread):
            return run.unknown(f"{one.text} is not known")
        name = one.name
        if one.origin is Origin.POSITION and isinstance(name, int):
            if names is None or name >= len(names):
                return run.unknown(f"{run.source.words(node)} is only known when it runs")
            name = names[name]
        attributes[name] = replace(one, name=name)
    run.change(ref, Instance(defined=defined, attributes=attributes))
    return ref


def _as_self(run: Run, ref: Ref, node: ast.expr) -> Entry:
    return Entry(0, ref, run.source.span(node), origin=Origin.POSITION)


def _method(run: Run, method: Method, given: Given, node: ast.expr) -> Abstract:
    receiver = method.receiver
    if isinstance(receiver, Sure):
        values = [one.value for one in given]
        try:
            known = [value.value for value in values if isinstance(value, Sure)]
            if len(known) == len(values):
                return Sure(constants.method(receiver.value, method.name, known))
        except constants.NotWorkedOut:
            pass
    if not isinstance(receiver, Ref):
        return _foreign(run, method, given, node)

    def use(state: Abstract) -> Abstract:
        if isinstance(state, Instance) and state.defined is not None:
            function = class_attribute(run, state.defined, method.name)
            if isinstance(function, Function):
                return _follow(run, function, (_as_self(run, receiver, node), *given), node)
        known = METHODS.get((type(state), method.name))
        result = known(run, receiver, state, given, node) if known else None
        if result is not None:
            return result
        if isinstance(state, Items | Table):
            handed_away(run, receiver, f"{run.source.words(node)}")
        return _foreign(run, method, given, node)

    return run.each(run.state(receiver), use)


def _method_of_made(run: Run, method: Method, given: Given, node: ast.expr) -> Abstract:
    """A method of an object that a watched call made."""
    state = run.state(method.receiver) if isinstance(method.receiver, Ref) else None
    if not isinstance(state, Instance) or state.record is None:
        return _foreign(run, method, given, node)
    target = f"{run.records[state.record].target}.{method.name}"
    if run.watches(target):
        return record(run, target, given, node, receiver=method.receiver)
    if method.name in SAME:
        return method.receiver
    return _foreign(run, method, given, node)


def _foreign(run: Run, callee: Abstract, given: Given, node: ast.expr) -> Abstract:
    """A call of something that is not seen: it may change what it is given, and gives something unknown."""
    function = node.func if isinstance(node, ast.Call) else node
    words = run.source.words(function)
    path = callee.path if isinstance(callee, Imported) else words
    if path not in HARMLESS and path.rpartition(".")[2] not in HARMLESS:
        for one in given:
            handed_away(run, one.value, words)
    probe = callee.probe if isinstance(callee, Open) else ""
    if isinstance(callee, Imported) and _PROBE.fullmatch(callee.path.rpartition(".")[2]):
        probe = callee.path.split(".")[0]
    for one in given:
        if isinstance(one.value, Open):
            probe = probe or one.value.probe
        elif isinstance(one.value, Release):
            probe = probe or one.value.package
    return run.unknown(f"{run.source.words(node)} is only known when it runs", probe=probe)
