"""Values, entries and arguments as they are given out on one way through the module."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeAlias

from rlhflint.call import Argument, Made, Named, Origin
from rlhflint.readers.python.conversion import mapped, together
from rlhflint.readers.python.values import Entry, Items, Table
from rlhflint.records import dataclass
from rlhflint.text import Span
from rlhflint.value import Known, Value

Item: TypeAlias = tuple[object, Argument]
"""The name of an entry as it is, and the entry."""


@dataclass(frozen=True, slots=True)
class Entries:
    """The entries of a container, or the arguments of a call. `more`: why there may be others."""

    items: tuple[Item, ...] = ()
    more: str = ""

    @property
    def arguments(self) -> tuple[Argument, ...]:
        """The entries without the names that they have as keys."""
        return tuple(argument for _, argument in self.items)


@dataclass(frozen=True, slots=True)
class Shown:
    """A value as `Argument` has it, see there for what each part means."""

    value: Value
    items: tuple[Argument, ...] = ()
    complete: bool = True
    assigned: tuple[Argument, ...] = ()
    literal: Span | None = None
    named: Named | None = None
    made: Made | None = None


def joined(before: Entries, after: Entries) -> Entries:
    """Entries behind others; positions count on."""
    more = before.more if after.more in before.more else "; ".join(filter(None, (before.more, after.more)))
    items = list(before.items)
    for name, argument in after.items:
        if argument.origin is Origin.POSITION:
            count = sum(1 for _, one in items if one.origin is Origin.POSITION)
            argument = replace(argument, position=None if before.more else count)
        items.append((name, argument))
    return Entries(tuple(items), more)


def argument_of(entry: Entry, shown: Shown) -> Argument:
    """An entry with the value that it has on one way."""
    return Argument(
        name="" if entry.origin is Origin.POSITION else str(entry.name),
        value=shown.value,
        span=entry.span,
        name_span=entry.name_span,
        value_span=entry.value_span,
        origin=entry.origin,
        renamable=entry.renamable,
        literal=shown.literal,
        named=shown.named,
        made=shown.made,
        items=shown.items,
        complete=shown.complete,
        assigned=shown.assigned,
    )


def contained(value: Items | Table, given: Entries) -> Shown:
    """A container with the entries that it has on one way."""
    if isinstance(value, Items):
        whole = together(value.kind, [_inside(argument) for _, argument in given.items], given.more)
    else:
        whole = mapped({name: _inside(argument) for name, argument in given.items}, given.more)
    return Shown(whole, given.arguments, not given.more, literal=value.literal)


def _inside(argument: Argument) -> Value:
    reference = argument.made or argument.named
    return argument.value if reference is None else Known(reference)
