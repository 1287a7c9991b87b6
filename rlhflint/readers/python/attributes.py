"""Attributes and items of values: reading and setting them."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from dataclasses import replace

from rlhflint.call import Origin
from rlhflint.readers.python.arguments import name_in_quotes
from rlhflint.readers.python.containers import MOST_ENTRIES, doubtful, element, present, there, weak, with_entry
from rlhflint.readers.python.environment import environment, set_environment
from rlhflint.readers.python.expectations import replace_attribute
from rlhflint.readers.python.frames import Ended
from rlhflint.readers.python.inheritance import class_attribute, own_way
from rlhflint.readers.python.run import Run
from rlhflint.readers.python.store import ABSENT
from rlhflint.readers.python.unfollowed import changed_somewhere
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
    Sure,
    Table,
)
from rlhflint.records import dataclass
from rlhflint.text import Span


@dataclass(frozen=True, slots=True)
class Place:
    """Where something is assigned: the statement, and the expression that gives the value."""

    statement: Span
    value: Span | None


def attribute(run: Run, value: Abstract, name: str, node: ast.expr) -> Abstract:
    """`value.name`, which `node` gives."""
    if isinstance(value, Imported):
        if name == "__version__":
            return installed(run, value.path.split(".")[0])
        return Imported(f"{value.path}.{name}")
    if isinstance(value, Release):
        return run.unknown(f"{run.source.words(node)} depends on the installed release", probe=value.package)
    if isinstance(value, Defined):
        found = None if own_way(run, value) else class_attribute(run, value, name)
        return run.at_run_time(node) if found is None else found
    if isinstance(value, Open | Maybe):
        slot = run.outside(value).attributes.get(name)
        given = present(run, slot) if slot is not None else ABSENT
        if given is not ABSENT:
            return given
        probe = value.probe if isinstance(value, Open) else ""
        return run.unknown(value.because, "attribute", value.symbol, name, probe=probe)
    if isinstance(value, Ref):
        return run.each(run.state(value), lambda state: _of_object(run, value, state, name, node))
    if isinstance(value, Sure | Partial | Method | Function):
        return Method(value, name)
    return run.at_run_time(node)


def installed(run: Run, package: str) -> Open:
    """The installed release of a package, as text."""
    return run.unknown(f"the installed release of {package} is not known here", "release", package, probe=package)


def item(run: Run, value: Abstract, key: Abstract, node: ast.expr) -> Abstract:
    """`value[key]`, which `node` gives."""
    because = f"{run.source.words(node)} is only known when it runs"
    if isinstance(value, Imported) and value.path == "os.environ" and isinstance(key, Sure):
        return environment(run, str(key.value))
    if isinstance(value, Open | Maybe):
        part = (key.value,) if isinstance(key, Sure) else (run.number(), None)
        probe = value.probe if isinstance(value, Open) else ""
        return run.unknown(value.because, "item", value.symbol, *part, probe=probe)
    if not isinstance(value, Ref) or not isinstance(key, Sure):
        return run.unknown(because)

    def of_state(state: Abstract) -> Abstract:
        if isinstance(state, Table):
            slot = state.slots.get(key.value)
            given = present(run, slot) if slot is not None else ABSENT
            if given is not ABSENT:
                return given
            return _missing(run, value, state.more, node) if slot is None or state.more else there(run, slot)
        if isinstance(state, Items) and isinstance(key.value, int):
            if not -len(state.slots) <= key.value < len(state.slots):
                return _missing(run, value, state.more, node)
            return element(run, state, key.value)
        if isinstance(state, Instance) and isinstance(key.value, int):
            return part_of(run, value, key.value)
        return run.unknown(because)

    return run.each(run.state(value), of_state)


def _missing(run: Run, ref: Ref, more: str, node: ast.expr) -> Abstract:
    """What is asked for and not there. Raises `Ended` where nothing else may have put it there."""
    asked = node.func if isinstance(node, ast.Call) else node
    base = asked.value if isinstance(asked, ast.Subscript | ast.Attribute) else asked
    if more or ref.place <= run.shared or not isinstance(base, ast.Name) or base.id in changed_somewhere(run):
        return run.unknown(more or f"{run.source.words(node)} is not set here")
    raise Ended


def part_of(run: Run, ref: Ref, index: int) -> Abstract:
    """The part of a result that is unpacked: the same object each time."""
    state = run.state(ref)
    if not isinstance(state, Instance) or state.record is None or state.index is not None:
        return run.unknown("it is part of the result of a call")
    key = ("part", ref.place, index)
    known = run.store.get(key)
    if known is ABSENT:
        known = run.allocate(Instance(state.record, index))
        run.store.set(key, known)
    return known


def set_attribute(run: Run, target: Abstract, name: str, entry: Entry) -> None:
    """`target.name = …`."""

    def use(value: Abstract) -> Abstract:
        if isinstance(value, Open | Maybe):
            outside = run.outside(value)
            attributes = _put(outside.attributes, name, entry)
            run.store.set(("attributes", value.symbol), replace(outside, attributes=attributes))
        elif isinstance(value, Imported):
            replace_attribute(run, value, name)
        elif isinstance(value, Defined):
            set_attribute(run, Ref(value.place), name, entry)
        elif isinstance(value, Ref):
            state = run.state(value)
            if isinstance(state, Instance):
                given = entry if _plainly_set(run, state, name) else replace(entry, value=run.unknown(_ON_ITS_OWN))
                run.change(value, replace(state, attributes=_put(state.attributes, name, given)))
        elif isinstance(value, Function) and name in ("__code__", "__defaults__", "__kwdefaults__"):
            run.altered.add(value.node)
        return ABSENT

    run.each(target, use)


_ON_ITS_OWN = "its class sets it in a way of its own"


def _plainly_set(run: Run, state: Instance, name: str) -> bool:
    """Whether an attribute that is set is there afterwards as it was set: no property is in the way."""
    if state.defined is not None and own_way(run, state.defined):
        return False
    found = None if state.defined is None else class_attribute(run, state.defined, name)
    return not (isinstance(found, Function) and not found.plain) and not isinstance(found, Ref | Open)


def set_item(run: Run, target: Abstract, key: Abstract, value: Abstract, node: ast.Subscript, place: Place) -> None:
    """`target[key] = value`."""
    name_span, renamable = name_in_quotes(run, node.slice, key)

    def entry(name: object) -> Entry:
        return Entry(name, value, place.statement, name_span, place.value, Origin.ITEM, renamable)

    def use(container: Abstract) -> Abstract:
        if isinstance(container, Imported) and container.path == "os.environ" and isinstance(key, Sure):
            set_environment(run, entry(str(key.value)))
        if isinstance(container, Ref):
            run.each(run.state(container), lambda state: change(container, state))
        return ABSENT

    def change(container: Ref, state: Abstract) -> Abstract:
        because = f"the key {run.source.words(node.slice)} is not known"
        if isinstance(state, Table):
            changed = with_entry(state, entry(key.value)) if isinstance(key, Sure) else doubtful(run, state, because)
            run.change(container, changed)
        elif isinstance(state, Items):
            run.change(container, _replaced(state, key, entry))
        return ABSENT

    run.each(target, use)


def _replaced(state: Items, key: Abstract, entry: Callable[[object], Entry]) -> Items:
    index = key.value if isinstance(key, Sure) else None
    if isinstance(index, int) and not state.more and -len(state.slots) <= index < len(state.slots):
        slots = list(state.slots)
        slots[index] = entry(index)
        return Items(state.kind, tuple(slots))
    return Items(state.kind, (), state.more or "it was changed at a place that is not known")


def _put(attributes: Mapping[object, Slot], name: str, entry: Entry) -> dict[object, Slot]:
    if len(attributes) >= MOST_ENTRIES and name not in attributes:
        return dict(attributes)
    return {**{other: slot for other, slot in attributes.items() if other != name}, name: entry}


def _of_object(run: Run, ref: Ref, state: Abstract, name: str, node: ast.expr) -> Abstract:
    if not isinstance(state, Instance):
        return Method(ref, name) if isinstance(state, Items | Table) else run.unknown("it is not known here")
    if state.defined is not None and own_way(run, state.defined):
        return run.at_run_time(node)
    if name == "__dict__":
        run.change(ref, replace(state, more=state.more or f"{run.source.words(node)} may have been changed"))
        return run.at_run_time(node)
    slot = state.attributes.get(name)
    given = present(run, slot) if slot is not None else ABSENT
    if given is not ABSENT:
        return weak(run, given, state.more) if state.more else given
    if slot is not None:
        return run.unknown(f"{run.source.words(node)} is not set on every way")
    if state.record is not None:
        if state.index is None:
            for entry, place, _ in state.live:
                if entry.name == name:
                    return Ref(place)
            for argument in run.records[state.record].arguments:
                if isinstance(argument, Entry) and argument.name == name and not state.more:
                    return argument.value
        because = f"{run.source.words(node)} is only known when it runs"
        return Open(because, run.symbol("attribute", ref.place, name), method=Method(ref, name))
    if state.defined is not None:
        found = class_attribute(run, state.defined, name)
        if isinstance(found, Function):
            return Method(ref, name)
        if found is not None:
            return weak(run, found, state.more) if state.more else found
    return run.unknown(f"{run.source.words(node)} is only known when it runs", "attribute", ref.place, name)
