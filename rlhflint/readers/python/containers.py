"""Dictionaries and lists: what is in them after they were built, added to or handed away."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from rlhflint.readers.python.run import Run
from rlhflint.readers.python.store import ABSENT
from rlhflint.readers.python.values import Absent, Abstract, Alt, Entry, Instance, Items, Maybe, Ref, Slot, Sure, Table

MOST_ENTRIES = 1_000
"""A container with more entries is not followed: it is data, not configuration."""

DEEPEST_COPY = 12
"""Containers inside one another beyond this depth are not copied."""


def with_entry(table: Table, entry: Entry) -> Table:
    """The table after `table[entry.name] = entry.value`."""
    if len(table.slots) >= MOST_ENTRIES:
        return Table({}, table.more or "it holds too many keys to follow")
    slots = {name: slot for name, slot in table.slots.items() if name != entry.name}
    # A key that is assigned again keeps its place in Python, which nothing here depends on; last is what counts.
    return Table({**slots, entry.name: entry}, table.more)


def with_table(run: Run, table: Table, other: Abstract, because: str) -> Table:
    """The table after `table.update(other)`; `because` says what `other` is if it is not known."""
    if not isinstance(other, Table):
        return doubtful(run, table, because)
    if other.more:
        table = doubtful(run, table, other.more)
    if len(table.slots) + len(other.slots) > MOST_ENTRIES:
        return Table({}, table.more or "it holds too many keys to follow")
    slots: dict[object, Slot] = dict(table.slots)
    for name, slot in other.slots.items():
        before = slots.pop(name, None)
        slots[name] = slot if before is None else over(run, before, slot)
    return Table(slots, table.more or other.more)


def without(table: Table, name: object) -> Table:
    """The table after `del table[name]`."""
    return Table({key: slot for key, slot in table.slots.items() if key != name}, table.more)


def doubtful(run: Run, state: Abstract, because: str) -> Table:
    """A table that something was added to: every value may be another, every key may have come, none is gone."""
    if not isinstance(state, Table):
        return Table({}, because)
    slots: dict[object, Slot] = {}
    for name, slot in state.slots.items():
        if isinstance(slot, Entry):
            slots[name] = replace(slot, value=weak(run, slot.value, because))
        else:
            ways = [
                (held_if, replace(one, value=weak(run, one.value, because)) if isinstance(one, Entry) else one)
                for held_if, one in slot.options
            ]
            slots[name] = Alt(tuple(ways))
    return Table(slots, state.more or because)


def weak(run: Run, value: Abstract, because: str) -> Abstract:
    """A value that may have been changed: a constant is only the default then."""
    if isinstance(value, Sure):
        return Maybe(value.value, because, run.number())
    if isinstance(value, Maybe):
        return value
    return run.unknown(because)


def handed_away(run: Run, value: Abstract, function: str) -> None:
    """Something was given to a function that is not seen, which may change it."""
    if isinstance(value, Alt):
        for _, option in value.options:
            handed_away(run, option, function)
    if not isinstance(value, Ref):
        return
    state = run.state(value)
    because = f"it is handed to {function}"
    if isinstance(state, Table):
        run.change(value, Table({}, state.more or because))
    elif isinstance(state, Items) and state.kind == "list":
        run.change(value, Items(state.kind, (), state.more or because))
    elif isinstance(state, Instance) and function not in state.handed:
        run.change(value, replace(state, handed=(*state.handed, function)))
    elif isinstance(state, Alt):
        run.change(value, run.unknown(because))


def deep_copy(run: Run, value: Abstract, depth: int = 0) -> Abstract:
    """A copy of a value that shares no dictionary or list with it; objects are not copied."""
    state = run.behind(value)
    if not isinstance(value, Ref) or not isinstance(state, Items | Table):
        return value
    if depth > DEEPEST_COPY:
        return run.unknown("it is nested too deeply")

    def copied(slot: Slot) -> Slot:
        if isinstance(slot, Alt):
            ways = [(conditions, copied(one) if isinstance(one, Entry) else one) for conditions, one in slot.options]
            return Alt(tuple(ways))
        return replace(slot, value=run.each(slot.value, lambda one: deep_copy(run, one, depth + 1)))

    if isinstance(state, Items):
        return run.allocate(replace(state, slots=tuple(map(copied, state.slots))))
    return run.allocate(replace(state, slots={name: copied(slot) for name, slot in state.slots.items()}))


def element(run: Run, state: Items, index: int) -> Abstract:
    """The element at an index, negative from the end."""
    if state.more or not -len(state.slots) <= index < len(state.slots):
        return run.unknown(state.more or "there is no such element")
    return held(run, state.slots[index])


def elements(run: Run, value: Abstract) -> tuple[Slot, ...] | None:
    """The entries of a list, tuple, set or dictionary (its keys), if all of them are known to be there."""
    state = run.behind(value)
    if isinstance(state, Items) and not state.more:
        return state.slots
    return None


def held(run: Run, slot: Slot | Absent) -> Abstract:
    """The value of an entry."""
    if isinstance(slot, Entry):
        return slot.value
    if isinstance(slot, Alt):
        there = [
            (conditions, option.value if isinstance(option, Entry) else option) for conditions, option in slot.options
        ]
        return run.one_of(there)
    return ABSENT


def present(run: Run, slot: Slot) -> Abstract:
    """The value of an entry that is being read, so that it has to be there; `Absent` where it need not be."""
    if isinstance(slot, Alt) and any(isinstance(option, Absent) for _, option in slot.options):
        return ABSENT
    return held(run, slot)


def there(run: Run, slot: Slot) -> Abstract:
    """The value of an entry on the ways on which it is there."""
    if isinstance(slot, Alt):
        found = [(conditions, one.value) for conditions, one in slot.options if isinstance(one, Entry)]
        return run.one_of(found)
    return held(run, slot)


def listed(kind: str, slots: Sequence[Slot], more: str = "") -> Items:
    """The state of a new list, tuple or set."""
    if len(slots) > MOST_ENTRIES:
        return Items(kind, (), more or "it holds too many elements to follow")
    return Items(kind, tuple(slots), more)


def tabled(given: Iterable[Entry]) -> Table:
    """The state of a new dictionary."""
    slots: dict[object, Slot] = {}
    for entry in given:
        slots.pop(entry.name, None)
        slots[entry.name] = entry
        if len(slots) > MOST_ENTRIES:
            return Table({}, "it holds too many keys to follow")
    return Table(slots)


def over(run: Run, before: Slot, after: Slot | None) -> Slot:
    """The entry of a key that had `before`, where `after` came to it: it may be absent, on some ways or on all."""
    if not isinstance(after, Alt):
        return after or before
    found = run.one_of(
        [(conditions, before if isinstance(option, Absent) else option) for conditions, option in after.options]
    )
    return found if isinstance(found, Entry | Alt) else after
