"""Variables and objects at the point of the module that is being followed.

The store is a stack of layers: a branch writes into a layer of its own, which is then joined with the layer of the
other branch. So a branch costs what it writes, however much is known before it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import TypeAlias

from rlhflint.readers.python.conditions import Conditions, Test
from rlhflint.readers.python.values import (
    Absent,
    Abstract,
    Alt,
    Defined,
    Entry,
    Function,
    Imported,
    Instance,
    Items,
    Open,
    Ref,
    Slot,
    Table,
    one_of,
    options,
    same,
)

Key: TypeAlias = Hashable
"""`(frame, name)` of a variable, the place of an object, `("environment", name)`."""
Writes: TypeAlias = dict[Key, Abstract]
Fresh: TypeAlias = Callable[[str], Open]
"""Makes a new unknown value from a reason."""

ABSENT = Absent()


class Store:
    """What every variable and place holds."""

    def __init__(self, fresh: Fresh, step: Callable[[int], None]) -> None:
        self._layers: list[Writes] = [{}]
        self._fresh = fresh
        self._step = step

    @property
    def depth(self) -> int:
        """How many layers there are."""
        return len(self._layers)

    def get(self, key: Key) -> Abstract:
        """What is there; `Absent` if nothing is."""
        for layer in reversed(self._layers):
            if key in layer:
                return layer[key]
        return ABSENT

    def set(self, key: Key, value: Abstract) -> None:
        """Put something there."""
        self._layers[-1][key] = value

    def names(self, frame: Hashable) -> list[str]:
        """The variables that were assigned in a frame."""
        keys = dict.fromkeys(key for layer in self._layers for key in layer)
        return [key[1] for key in keys if isinstance(key, tuple) and key[0] == frame and isinstance(key[1], str)]

    @contextmanager
    def layer(self) -> Iterator[Writes]:
        """While it lasts, what is written goes into the layer that it gives, which is gone from the store after it."""
        writes: Writes = {}
        self._layers.append(writes)
        try:
            yield writes
        finally:
            self._layers.pop()

    def written_since(self, depth: int) -> Writes:
        """What was written into the layers above the first `depth` ones, the last write of each key."""
        writes: Writes = {}
        for layer in self._layers[depth:]:
            writes.update(layer)
        return writes

    def absorb(self, writes: Mapping[Key, Abstract]) -> None:
        """Write all of it."""
        self._layers[-1].update(writes)

    def merge(self, ways: Sequence[tuple[Conditions, Mapping[Key, Abstract]]]) -> None:
        """Write what holds after one of several ways was taken, each of which wrote into a layer of its own."""
        for key in dict.fromkeys(key for _, writes in ways for key in writes):
            self._step(len(ways))
            before = self.get(key)
            values = [(conditions, writes.get(key, before)) for conditions, writes in ways]
            if isinstance(key, int):
                # An object made on one way does not exist on the others.
                values = [(conditions, value) for conditions, value in values if not isinstance(value, Absent)]
            if all(value is values[0][1] for _, value in values):
                self.set(key, values[0][1])
            else:
                self.set(key, self._either(values))

    def blur(self, ways: Sequence[Mapping[Key, Abstract]], because: str) -> None:
        """Write what holds after any of `ways` was taken any number of times, or none: what differs is unknown."""
        for key in dict.fromkeys(key for writes in ways for key in writes):
            self._step(len(ways))
            value = self.get(key)
            for writes in ways:
                value = self._blurred(value, writes.get(key, value), because)
            self.set(key, value)

    def _either(self, values: Sequence[tuple[Conditions, Abstract]]) -> Abstract:
        states = [value for _, value in values]
        if all(isinstance(state, Table) for state in states):
            tables = [(conditions, state) for conditions, state in values if isinstance(state, Table)]
            slots = self._slots([(conditions, table.slots) for conditions, table in tables])
            return Table(slots, _reasons(table.more for _, table in tables))
        if all(isinstance(state, Instance) for state in states):
            objects = [(conditions, state) for conditions, state in values if isinstance(state, Instance)]
            return replace(
                objects[0][1],
                attributes=self._slots([(conditions, one.attributes) for conditions, one in objects]),
                handed=tuple(dict.fromkeys(name for _, one in objects for name in one.handed)),
                more=_reasons(one.more for _, one in objects),
            )
        return one_of(values, self._fresh)

    def _slots(self, ways: Sequence[tuple[Conditions, Mapping[object, Slot]]]) -> dict[object, Slot]:
        merged: dict[object, Slot] = {}
        for name in dict.fromkeys(name for _, slots in ways for name in slots):
            choices: list[tuple[Conditions, Abstract]] = [
                (conditions, slots.get(name, ABSENT)) for conditions, slots in ways
            ]
            first = choices[0][1]
            if any(choice is not first for _, choice in choices):
                first = one_of(choices, partial(self._unknown_entry, [choice for _, choice in choices]))
            if isinstance(first, Entry | Alt):
                merged[name] = first
        return merged

    def _unknown_entry(self, slots: Sequence[Abstract], because: str) -> Abstract:
        for slot in slots:
            for entry in entries(slot):
                return replace(entry, value=self._fresh(because))
        return ABSENT

    def _blurred(self, before: Abstract, after: Abstract, because: str) -> Abstract:
        if before is after or (isinstance(before, Absent) and not isinstance(after, Alt)) or same(before, after):
            return after
        if isinstance(before, Table) and isinstance(after, Table):
            slots, lost = self._blurred_slots(before.slots, after.slots, because)
            return Table(slots, before.more or after.more or (because if lost else ""))
        if isinstance(before, Instance) and isinstance(after, Instance):
            slots, lost = self._blurred_slots(before.attributes, after.attributes, because)
            handed = tuple(dict.fromkeys(before.handed + after.handed))
            return replace(
                before,
                attributes=slots,
                handed=handed,
                more=before.more or after.more or (because if lost else ""),
            )
        if _lasting(before) and _lasting(after):
            # Taken as unknown, what is done to the object or called through this name would be lost.
            again = Test(self._fresh(because).symbol, frozenset({True}))
            return one_of([((again,), after), ((again.opposite,), before)], self._fresh)
        if isinstance(before, Items) and isinstance(after, Items):
            kept = before.slots if after.slots[: len(before.slots)] == before.slots else ()
            return Items(before.kind, kept, before.more or after.more or because)
        return self._fresh(because)

    def _blurred_slots(
        self, before: Mapping[object, Slot], after: Mapping[object, Slot], because: str
    ) -> tuple[dict[object, Slot], bool]:
        """The entries that stay, unknown where they changed; and whether others came or went."""
        slots: dict[object, Slot] = {}
        lost = before.keys() != after.keys()
        for name, slot in before.items():
            changed = after.get(name, ABSENT)
            if changed is slot:
                slots[name] = slot
            elif isinstance(slot, Entry) and isinstance(changed, Entry):
                slots[name] = replace(slot, value=self._fresh(because))
            else:
                # It may have gone: then it is one of those that are not known to be there.
                lost = True
        return slots, lost


def _lasting(value: Abstract) -> bool:
    """Whether it is an object, or something to be called."""
    return all(isinstance(option, Ref | Imported | Function | Defined) for _, option in options(value))


def entries(slot: Abstract) -> Iterator[Entry]:
    """The entries that a slot may hold."""
    if isinstance(slot, Entry):
        yield slot
    elif isinstance(slot, Alt):
        for _, option in slot.options:
            if isinstance(option, Entry):
                yield option


def _reasons(texts: Iterator[str]) -> str:
    return "; ".join(dict.fromkeys(text for text in texts if text))
