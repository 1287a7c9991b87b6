"""From what the reader knows of a value to what it gives out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rlhflint.call import Named
from rlhflint.readers.python.recording import frozen
from rlhflint.readers.python.run import Run
from rlhflint.readers.python.values import (
    Abstract,
    Alt,
    Defined,
    Entry,
    Function,
    Imported,
    Instance,
    Items,
    Maybe,
    Open,
    Slot,
    Sure,
    Table,
)
from rlhflint.value import Known, OneOf, Unknown, Value

SEVERAL = "it has several values"


def plain_value(run: Run, value: Abstract) -> Value:
    """The value where it stands outside of every call: one of several is not known there."""
    return single(frozen(run, value))


def single(value: Abstract) -> Value:
    """The data that a value of which there is one way is known to be."""
    if isinstance(value, Sure):
        return Known(value.value)
    if isinstance(value, Maybe):
        return OneOf(value.default, value.because)
    if isinstance(value, Open):
        return Unknown(value.because)
    if isinstance(value, Items):
        return together(value.kind, [_inside(slot) for slot in value.slots], value.more)
    if isinstance(value, Table):
        return mapped({name: _inside(slot) for name, slot in value.slots.items()}, value.more)
    if isinstance(value, Instance):
        return Unknown(value.more or "it is an object that is only known when it runs")
    if (name := named(value)) is not None:
        return Unknown(f"{name.path} is only known when it runs")
    return Unknown(SEVERAL if isinstance(value, Alt) else "it is only known when it runs")


def named(value: Abstract) -> Named | None:
    """What a value names, if it is a class, a function or something imported."""
    if isinstance(value, Imported):
        return Named(value.path)
    if isinstance(value, Function):
        return Named(value.name, local=True)
    return Named(value.facts.name, local=True) if isinstance(value, Defined) else None


def _inside(slot: Slot) -> Value:
    if not isinstance(slot, Entry):
        return Unknown(SEVERAL)
    name = named(slot.value)
    return single(slot.value) if name is None else Known(name)


def together(kind: str, values: Sequence[Value], more: str) -> Value:
    """The value of a list, tuple or set of values: known if all of them are."""
    if more:
        return Unknown(more)
    known: list[object] = []
    for value in values:
        if not isinstance(value, Known):
            return Unknown(value.because)
        known.append(value.value)
    if kind == "tuple":
        return Known(tuple(known))
    if kind == "set":
        try:
            return Known(frozenset(known))
        except TypeError:
            return Known(tuple(known))
    return Known(known) if kind == "list" else Unknown("it is only known when it runs")


def mapped(values: Mapping[object, Value], more: str) -> Value:
    """The value of a dictionary of values: known if all of them are."""
    if more:
        return Unknown(more)
    known: dict[object, object] = {}
    for name, value in values.items():
        if not isinstance(value, Known):
            return Unknown(value.because)
        known[name] = value.value
    return Known(known)
