"""Watched calls are split into the ways through the module on which they differ."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import TypeAlias, TypeVar

from rlhflint.call import Call, Made
from rlhflint.command import Choice
from rlhflint.readers.python.conditions import Conditions, possible, tests
from rlhflint.readers.python.conversion import named, single
from rlhflint.readers.python.expectations import replaced_guards
from rlhflint.readers.python.imports import guards_of
from rlhflint.readers.python.recording import Record
from rlhflint.readers.python.run import Run
from rlhflint.readers.python.shown import Entries, Shown, argument_of, contained, joined
from rlhflint.readers.python.store import entries
from rlhflint.readers.python.values import (
    TOO_MANY,
    Absent,
    Abstract,
    Entry,
    Instance,
    Items,
    Slot,
    Spread,
    Sure,
    Table,
    options,
)
from rlhflint.text import Span
from rlhflint.value import Unknown

MOST_WAYS = 64
"""A call is not split into more ways; what would split it further is unknown then."""
MOST_CALLS = 4_096
"""Calls that one module gives, all ways counted; after that no call is split any more."""
DEEPEST = 6
"""Objects that watched calls made of objects of watched calls are given out this deep."""

Result = TypeVar("Result")
Way: TypeAlias = tuple[Conditions, Result]


class Splitter:
    """Makes calls of the records of a run."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._known: dict[tuple[int, int, bool, Conditions], list[Way[Call]]] = {}
        self._left = MOST_CALLS
        self._depth = 0
        self._narrow = False
        self._place: Span | None = None

    def calls(self, record: Record) -> list[Call]:
        """The ways of one watched call, in the order of the file."""
        self._place = record.span
        final = record.final if isinstance(record.final, Instance) else Instance()
        found: list[Call] = []
        start = record.path + record.silent
        for conditions, assigned in self._entries(start, final.attributes.values(), final.more):
            for held, call in self._split(record, conditions):
                given = replace(call, assigned=assigned.arguments, assigned_more=assigned.more)
                found.append(self._with_choices(given, record, held))
        if len(found) > self._bound:
            self._note_too_many()
            found = found[: self._bound]
        self._left -= len(found)
        return found

    def _with_choices(self, call: Call, record: Record, held: Conditions) -> Call:
        silent = set(record.silent)
        found = tests(held)
        settled = {test.symbol for test in found if test.holds}
        shown = [
            Choice(test.span, test.says, test.certain)
            for test in found
            if test.span is not None
            and test.guards is None
            and test not in silent
            # "mode is not 'a'" says nothing where "mode is 'b'" is said.
            and (test.holds or test.symbol not in settled)
        ]
        return replace(
            call, choices=tuple(dict.fromkeys(shown)), guards=(*guards_of(held), *replaced_guards(self._run, call))
        )

    def _split(self, record: Record, conditions: Conditions) -> list[Way[Call]]:
        key = (record.site, self._depth, self._narrow, conditions)
        if key not in self._known:
            self._depth += 1
            self._known[key] = self._ways(record, conditions)
            self._depth -= 1
        return self._known[key]

    def _ways(self, record: Record, conditions: Conditions) -> list[Way[Call]]:
        ways: list[Way[Call]] = []
        for first, receiver in self._receivers(record, conditions):
            for held, given in self._entries(first, record.arguments, ""):
                call = Call(
                    target=record.target,
                    site=record.site,
                    span=record.span,
                    name_span=record.name_span,
                    arguments=given.arguments,
                    more=given.more,
                    scope=record.scope,
                    receiver=receiver,
                    subclass=record.subclass,
                    replaces=record.replaces,
                )
                ways.append((held, call))
        return ways

    def _receivers(self, record: Record, conditions: Conditions) -> list[Way[Made | None]]:
        if record.receiver is None:
            return [(conditions, None)]
        # What a method is called on is told apart, but not what that was made of: it would multiply every call.
        before, self._narrow = self._narrow, True
        found = [(held, shown.made) for held, shown in self._values(conditions, record.receiver)]
        self._narrow = before
        return found[:MOST_WAYS]

    @property
    def _bound(self) -> int:
        return 1 if self._narrow or self._left <= 0 else MOST_WAYS

    def _entries(self, conditions: Conditions, slots: Iterable[Slot | Spread], more: str) -> list[Way[Entries]]:
        """The entries of a container, or the arguments of a call, on each way."""
        ways: list[Way[Entries]] = [(conditions, Entries((), more))]
        for slot in slots:
            further: list[Way[Entries]] = []
            for held, before in ways:
                for inner, given in self._slot(held, slot):
                    further.append((inner, joined(before, given)))
                if len(further) > self._bound:
                    break
            if len(further) > self._bound:
                further = [(held, joined(before, self._collapsed(slot))) for held, before in ways]
            ways = further
        return ways

    def _slot(self, conditions: Conditions, slot: Slot | Spread) -> list[Way[Entries]]:
        if isinstance(slot, Entry):
            return self._argument(conditions, slot)
        if not isinstance(slot, Spread):
            return self._options(conditions, slot, self._argument)
        return self._options(conditions, slot.value, lambda held, one: self._spread(held, slot, one))

    def _options(
        self, conditions: Conditions, value: Abstract, use: Callable[[Conditions, Abstract], list[Way[Result]]]
    ) -> list[Way[Result]]:
        found: list[Way[Result]] = []
        for inner, option in options(value):
            held = tuple(dict.fromkeys(conditions + inner))
            if possible(held):
                found += use(held, option)
        return found

    def _spread(self, conditions: Conditions, spread: Spread, value: Abstract) -> list[Way[Entries]]:
        if isinstance(value, Table) and spread.stars == 2:
            return self._entries(conditions, value.slots.values(), value.more)
        if isinstance(value, Items) and spread.stars == 1:
            return self._entries(conditions, value.slots, value.more)
        return [(conditions, Entries((), f"{spread.text} is not known"))]

    def _argument(self, conditions: Conditions, value: Abstract) -> list[Way[Entries]]:
        if not isinstance(value, Entry):
            return [(conditions, Entries())]
        return [
            (held, Entries(((value.name, argument_of(value, shown)),)))
            for held, shown in self._values(conditions, value.value)
        ]

    def _collapsed(self, slot: Slot | Spread) -> Entries:
        """What is left of an entry whose ways are too many."""
        self._note_too_many()
        unknown = Shown(Unknown(TOO_MANY), complete=False)
        if isinstance(slot, Entry):
            return Entries(((slot.name, argument_of(slot, unknown)),))
        if isinstance(slot, Spread) or any(isinstance(option, Absent) for _, option in options(slot)):
            return Entries((), TOO_MANY)
        first = next(entries(slot))
        return Entries(((first.name, argument_of(first, unknown)),))

    def _note_too_many(self) -> None:
        if self._place is not None and not self._narrow:
            message = "more than 64 ways lead to this call: what would split it further was taken as unknown"
            self._run.report("too-many-ways", self._place, message)

    def _values(self, conditions: Conditions, value: Abstract) -> list[Way[Shown]]:
        """What a value is on each way."""
        return self._options(conditions, value, self._value)

    def _value(self, conditions: Conditions, value: Abstract) -> list[Way[Shown]]:
        if isinstance(value, Items | Table):
            slots = value.slots if isinstance(value, Items) else value.slots.values()
            return [(held, contained(value, given)) for held, given in self._entries(conditions, slots, value.more)]
        if isinstance(value, Instance):
            return self._objects(conditions, value)
        literal = value.literal if isinstance(value, Sure) else None
        return [(conditions, Shown(single(value), literal=literal, named=named(value)))]

    def _objects(self, conditions: Conditions, value: Instance) -> list[Way[Shown]]:
        found: list[Way[Shown]] = []
        for held, assigned in self._entries(
            conditions, value.attributes.values(), "" if value.record is None else value.more
        ):
            if value.record is None:
                found.append((held, Shown(single(value), assigned=assigned.arguments)))
            elif self._depth >= DEEPEST:
                found.append((held, Shown(Unknown("it is made of too many calls"))))
            else:
                for inner, call in self._split(self._run.records[value.record], held):
                    made = Made(call, value.index, assigned.arguments, value.handed, assigned.more)
                    found.append((inner, Shown(Unknown(f"it is made by {call.target}"), made=made)))
        return found[: max(self._bound, 1)]
