"""Calls: written down where they are watched, followed where the file defines what is called."""

from __future__ import annotations

import ast
from dataclasses import replace

from rlhflint.call import Origin
from rlhflint.readers.python import constants
from rlhflint.readers.python.classes import maker, parameters_of_dataclass
from rlhflint.readers.python.container_methods import METHODS
from rlhflint.readers.python.containers import deep_copy, handed_away
from rlhflint.readers.python.decisions import probed_by
from rlhflint.readers.python.expectations import heed
from rlhflint.readers.python.following import as_self, follow, unfolded
from rlhflint.readers.python.frames import Ended
from rlhflint.readers.python.given import Given
from rlhflint.readers.python.inheritance import class_attribute, makes_its_own, own_way
from rlhflint.readers.python.library import FUNCTIONS, HARMLESS, SAME
from rlhflint.readers.python.recording import record
from rlhflint.readers.python.run import Run
from rlhflint.readers.python.unfollowed import run_unseen
from rlhflint.readers.python.values import (
    Abstract,
    Defined,
    Entry,
    Function,
    Imported,
    Instance,
    Items,
    Method,
    Open,
    Partial,
    Ref,
    Release,
    Slot,
    Spread,
    Sure,
    Table,
    options,
)

_ENDS = frozenset({"sys.exit", "os._exit", "builtins.exit", "builtins.quit"})


def call(run: Run, callee: Abstract, given: Given, node: ast.expr) -> Abstract:
    """What a call gives."""
    if isinstance(callee, Imported):
        if callee.path in _ENDS:
            raise Ended("exit")
        if run.watches(callee.path):
            return record(run, callee.path, given, node)
        known = FUNCTIONS.get(callee.path)
        result = known(run, given, node) if known else None
        return _foreign(run, callee, given, node) if result is None else result
    if isinstance(callee, Defined):
        return _construct(run, callee, given, node)
    if isinstance(callee, Function):
        result = follow(run, callee, given)
        return _foreign(run, callee, given, node) if result is None else result
    if isinstance(callee, Partial):
        merged = _over_partial(callee.arguments, given)
        return run.each(callee.function, lambda function: call(run, function, merged, node))
    if isinstance(callee, Method):
        return _method(run, callee, given, node)
    if isinstance(callee, Open) and callee.method is not None:
        return _method_of_made(run, callee.method, given, node)
    return _foreign(run, callee, given, node)


def _over_partial(before: Given, given: Given) -> Given:
    """The arguments of `partial(function, …)(…)`: a keyword that is given again counts."""
    again = {one.name for one in given if isinstance(one, Entry) and one.origin is not Origin.POSITION}
    return (*(one for one in before if not (isinstance(one, Entry) and one.name in again)), *given)


def _construct(run: Run, defined: Defined, given: Given, node: ast.expr) -> Abstract:
    target, chain = maker(run, defined)
    if target:
        return record(run, target, given, node, subclass=chain)
    if own_way(run, defined):
        made = _foreign(run, defined, given, node)
        return run.allocate(Instance(defined=defined)) if makes_its_own(run, defined) else made
    ref = run.allocate(Instance(defined=defined))
    init = class_attribute(run, defined, "__init__")
    if isinstance(init, Function):
        if follow(run, init, (as_self(run, ref, node), *given)) is None:
            return _foreign(run, init, given, node)
        return ref
    names = parameters_of_dataclass(defined)
    attributes: dict[object, Slot] = {}
    for one in unfolded(run, given):
        if isinstance(one, Spread):
            return run.unknown(f"{one.text} is not known")
        name = one.name
        if one.origin is Origin.POSITION and isinstance(name, int):
            if names is None or name >= len(names):
                return run.at_run_time(node)
            name = names[name]
        attributes[name] = replace(one, name=name)
    for name in (names or []) if defined.facts.dataclass else []:
        default = class_attribute(run, defined, name)
        if name not in attributes and isinstance(default, Ref):
            span = run.source.span(node)
            attributes[name] = Entry(name, deep_copy(run, default), span)  # its default_factory is called each time
    run.change(ref, Instance(defined=defined, attributes=attributes))
    after = class_attribute(run, defined, "__post_init__")
    if isinstance(after, Function) and follow(run, after, (as_self(run, ref, node),)) is None:
        return _foreign(run, after, given, node)
    return ref


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
                followed = follow(run, function, (as_self(run, receiver, node), *given))
                return _foreign(run, method, given, node) if followed is None else followed
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
    heed(run, given, node)
    path = callee.path if isinstance(callee, Imported) else words
    if path not in HARMLESS and path.rpartition(".")[2] not in HARMLESS:
        for one in given:
            handed_away(run, one.value, words)
    for one in given:
        for _, option in options(one.value):
            if isinstance(option, Function):
                run_unseen(run, option)
    probe = callee.probe if isinstance(callee, Open) else ""
    if isinstance(callee, Imported):
        probe = probed_by(run, callee.path)
    for one in given:
        if isinstance(one.value, Open):
            probe = probe or one.value.probe
        elif isinstance(one.value, Release):
            probe = probe or one.value.package
    return run.at_run_time(node, probe)
