"""From what the reader knows of a value to what it gives out."""

from __future__ import annotations

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
    Sure,
    Table,
)
from rlhflint.value import Known, OneOf, Unknown, Value

SEVERAL = "it has several values"


def plain_value(run: Run, value: Abstract) -> Value:
    """The value where it stands outside of every call: one of several is not known there."""
    return single(frozen(run, value))


def single(value: Abstract) -> Value:
    """A value of which there is one way, without a watched object in it."""
    if isinstance(value, Sure):
        return Known(value.value)
    if isinstance(value, Maybe):
        return OneOf(value.default, value.because)
    if isinstance(value, Open):
        return Unknown(value.because)
    if isinstance(value, Imported):
        return Known(Named(value.path))
    if isinstance(value, Function):
        return Known(Named(value.name, local=True))
    if isinstance(value, Defined):
        return Known(Named(value.facts.name, local=True))
    if isinstance(value, Items):
        inside = [single(slot.value) if isinstance(slot, Entry) else Unknown(SEVERAL) for slot in value.slots]
        return together(value.kind, inside, value.more)
    if isinstance(value, Table):
        held = {
            name: single(slot.value) if isinstance(slot, Entry) else Unknown(SEVERAL)
            for name, slot in value.slots.items()
        }
        return mapped(held, value.more)
    if isinstance(value, Instance):
        return Unknown(value.more or "it is an object that is only known when it runs")
    return Unknown(SEVERAL if isinstance(value, Alt) else "it is only known when it runs")


def together(kind: str, values: list[Value], more: str) -> Value:
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


def mapped(values: dict[object, Value], more: str) -> Value:
    """The value of a dictionary of values: known if all of them are."""
    if more:
        return Unknown(more)
    known: dict[object, object] = {}
    for name, value in values.items():
        if not isinstance(value, Known):
            return Unknown(value.because)
        known[name] = value.value
    return Known(known)
