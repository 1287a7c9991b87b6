"""Python's own functions, as far as settings go through them."""

from __future__ import annotations

import ast
from dataclasses import replace

from rlhflint.call import Origin
from rlhflint.readers.python import constants
from rlhflint.readers.python.containers import element, elements, held, listed, tabled, with_table
from rlhflint.readers.python.given import Given, Known, argument, positions
from rlhflint.readers.python.run import Run
from rlhflint.readers.python.values import (
    Abstract,
    Alt,
    Entry,
    Items,
    Maybe,
    Open,
    Ref,
    Spread,
    Sure,
    Table,
)

MOST_ROUNDS = 64
"""Longer ranges are not written out."""


def _constant(name: str) -> Known:
    """A function on constants."""

    def known(run: Run, given: Given, node: ast.expr) -> Abstract | None:
        values = positions(given)
        if values is None:
            return None
        if len(values) == 1 and isinstance(values[0], Ref):
            slots = elements(run, values[0])
            if slots is None or any(not isinstance(slot, Entry) for slot in slots):
                return None
            values = [slot.value for slot in slots if isinstance(slot, Entry)]
            if name == "len":
                return Sure(len(values))
            if name not in ("min", "max"):
                return None
        return _lifted(run, values, [], node)

    def _lifted(run: Run, values: list[Abstract], done: list[Abstract], node: ast.expr) -> Abstract:
        if values:
            return run.each(values[0], lambda value: _lifted(run, values[1:], [*done, value], node))
        because = f"{run.source.words(node)} is only known when it runs"
        raw: list[object] = []
        doubts: list[str] = []
        for value in done:
            if isinstance(value, Maybe):
                doubts.append(value.because)
                raw.append(value.default)
            elif isinstance(value, Sure):
                raw.append(value.value)
            elif isinstance(value, Open):
                return run.unknown(value.because, "function", name, value.symbol, probe=value.probe)
            else:
                return run.unknown(because)
        try:
            result = constants.function(name, raw)
        except constants.NotWorkedOut:
            return run.unknown(because)
        return Maybe(result, "; ".join(dict.fromkeys(doubts)), run.number()) if doubts else Sure(result)

    return known


def from_keywords(run: Run, given: Given, node: ast.expr) -> Abstract | None:
    """`dict(a=1, **other)`; None where a list is spread in it."""
    table: Abstract = Table({})
    for one in given:
        if isinstance(one, Entry) and one.origin is Origin.KEYWORD:
            other: Abstract = tabled([one])
        elif isinstance(one, Spread) and one.stars == 1:
            return None
        else:
            other = _pairs(run, one.value)
        because = f"{one.text if isinstance(one, Spread) else run.source.words(node)} is not known"
        table = _added(run, table, other, because)
    return run.allocate(table)


def _added(run: Run, table: Abstract, other: Abstract, because: str) -> Abstract:
    def add(before: Abstract) -> Abstract:
        known = before if isinstance(before, Table) else Table({}, "it is not known")
        return run.each(other, lambda after: with_table(run, known, after, because))

    return run.each(table, add)


def _pairs(run: Run, value: Abstract) -> Abstract:
    """The table that a dictionary, or a list of pairs, stands for."""
    if isinstance(value, Alt):
        return Alt(tuple((conditions, _pairs(run, option)) for conditions, option in value.options))
    state = run.behind(value)
    if not isinstance(state, Items):
        return state if state is not None else value
    entries: list[Entry] = []
    for slot in state.slots:
        pair = run.behind(slot.value) if isinstance(slot, Entry) else None
        if not isinstance(slot, Entry) or not isinstance(pair, Items) or len(pair.slots) != 2 or pair.more:
            return run.unknown("its keys are not known")
        name, held_value = element(run, pair, 0), element(run, pair, 1)
        if not isinstance(name, Sure):
            return run.unknown("its keys are not known")
        entries.append(replace(slot, name=name.value, value=held_value, origin=Origin.KEY))
    return replace(tabled(entries), more=state.more)


def _sequence(kind: str) -> Known:
    def known(run: Run, given: Given, node: ast.expr) -> Abstract | None:
        if not given:
            return run.allocate(Items(kind, ()))
        values = positions(given)
        slots = elements(run, values[0]) if values is not None and len(values) == 1 else None
        return None if slots is None else run.allocate(listed(kind, slots))

    return known


def _range(run: Run, given: Given, node: ast.expr) -> Abstract | None:
    values = positions(given) or []
    numbers = [value.value for value in values if isinstance(value, Sure) and isinstance(value.value, int)]
    if len(numbers) != len(given) or not 1 <= len(numbers) <= 3 or (len(numbers) == 3 and not numbers[2]):
        return None
    counted = range(*numbers)
    if len(counted) > MOST_ROUNDS:
        return None
    span = run.source.span(node)
    return run.allocate(Items("range", tuple(Entry(n, Sure(n), span, origin=Origin.POSITION) for n in counted)))


def tuples(run: Run, rows: list[tuple[Abstract, ...]], node: ast.expr) -> Abstract:
    """A list of tuples, as `zip` and `items` give."""
    span = run.source.span(node)

    def entry(index: int, value: Abstract) -> Entry:
        return Entry(index, value, span, origin=Origin.POSITION)

    refs = [run.allocate(Items("tuple", tuple(entry(n, value) for n, value in enumerate(row)))) for row in rows]
    return run.allocate(Items("list", tuple(entry(n, ref) for n, ref in enumerate(refs))))


def _enumerate(run: Run, given: Given, node: ast.expr) -> Abstract | None:
    slots = elements(run, given[0].value) if given else None
    start = argument(given, 1, "start") or Sure(0)
    if slots is None or len(slots) > MOST_ROUNDS or not isinstance(start, Sure) or not isinstance(start.value, int):
        return None
    return tuples(run, [(Sure(start.value + n), held(run, slot)) for n, slot in enumerate(slots)], node)


def _zip(run: Run, given: Given, node: ast.expr) -> Abstract | None:
    columns = [elements(run, value) for value in positions(given) or []]
    if not columns or any(column is None or len(column) > MOST_ROUNDS for column in columns):
        return None
    rows = zip(*[[held(run, slot) for slot in column or ()] for column in columns], strict=False)
    return tuples(run, [tuple(row) for row in rows], node)


BUILTINS: dict[str, Known] = {
    **{name: _constant(name) for name in ("int", "float", "str", "bool", "abs", "round", "min", "max", "len")},
    "dict": from_keywords,
    **{name: _sequence(name) for name in ("list", "tuple", "set")},
    "frozenset": _sequence("set"),
    "range": _range,
    "enumerate": _enumerate,
    "zip": _zip,
}
"""By name."""
