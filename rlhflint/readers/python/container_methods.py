"""The methods of dictionaries and lists."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from rlhflint.call import Origin
from rlhflint.readers.python.arguments import name_in_quotes
from rlhflint.readers.python.attributes import item
from rlhflint.readers.python.builtin_functions import MOST_ROUNDS, from_keywords, tuples
from rlhflint.readers.python.containers import elements, held, listed, over, with_table, without
from rlhflint.readers.python.given import Given, positions
from rlhflint.readers.python.run import Run
from rlhflint.readers.python.values import Absent, Abstract, Alt, Entry, Items, Ref, Sure, Table


def _get(run: Run, ref: Ref, state: Any, given: Given, node: ast.expr) -> Abstract | None:
    values = positions(given)
    if not values or not isinstance(values[0], Sure) or not isinstance(state, Table):
        return None
    slot = state.slots.get(values[0].value)
    default = values[1] if len(values) > 1 else Sure(None)
    if state.more:
        default = run.unknown(state.more)
    if slot is None:
        return default
    found = held(run, slot)
    if isinstance(found, Alt):
        ways = [(held_if, default if isinstance(one, Absent) else one) for held_if, one in found.options]
        return run.one_of(ways)
    return found


def _pop(run: Run, ref: Ref, state: Any, given: Given, node: ast.expr) -> Abstract | None:
    value = _get(run, ref, state, given, node)
    name = given[0].value if given else None
    if value is not None and len(given) == 1:
        value = item(run, ref, given[0].value, node)  # without a default it has to be there
    if value is None or not isinstance(name, Sure) or not isinstance(state, Table):
        return None
    run.change(ref, without(state, name.value))
    return value


def _setdefault(run: Run, ref: Ref, state: Any, given: Given, node: ast.expr) -> Abstract | None:
    values = positions(given)
    if values is None or len(values) != 2 or not isinstance(values[0], Sure) or not isinstance(state, Table):
        return None
    name = values[0].value
    slot = state.slots.get(name)
    if isinstance(slot, Entry) or (slot is None and state.more) or not isinstance(node, ast.Call):
        return _get(run, ref, state, given, node)
    name_span, renamable = name_in_quotes(run, node.args[0], values[0])
    spans = run.source.span(node), name_span, run.source.span(node.args[1])
    entry = over(run, Entry(name, values[1], *spans, Origin.ITEM, renamable), slot)
    run.change(ref, replace(state, slots={**state.slots, name: entry}))
    return held(run, entry)


def _update(run: Run, ref: Ref, state: Any, given: Given, node: ast.expr) -> Abstract | None:
    other = from_keywords(run, given, node)
    if other is None or not isinstance(state, Table):
        return None
    because = f"{run.source.words(node)} is not known"

    def use(after: Abstract) -> Abstract:
        run.change(ref, with_table(run, state, after, because))
        return Sure(None)

    return run.each(run.behind(other), use)


def _duplicate(run: Run, ref: Ref, state: Any, given: Given, node: ast.expr) -> Abstract | None:
    return run.allocate(state)


def _clear(run: Run, ref: Ref, state: Any, given: Given, node: ast.expr) -> Abstract | None:
    run.change(ref, Table({}) if isinstance(state, Table) else Items("list", ()))
    return Sure(None)


def _rows(part: str) -> Callable[..., Abstract | None]:
    """`keys()`, `values()` or `items()` of a dictionary that is known."""

    def known(run: Run, ref: Ref, state: Any, given: Given, node: ast.expr) -> Abstract | None:
        if not isinstance(state, Table) or state.more or len(state.slots) > MOST_ROUNDS:
            return None
        entries = [slot for slot in state.slots.values() if isinstance(slot, Entry)]
        if len(entries) < len(state.slots):
            return None
        if part == "items":
            return tuples(run, [(Sure(one.name), one.value) for one in entries], node)
        slots = [
            replace(one, name=n, value=Sure(one.name) if part == "keys" else one.value, origin=Origin.POSITION)
            for n, one in enumerate(entries)
        ]
        return run.allocate(Items("list", tuple(slots)))

    return known


def _append(run: Run, ref: Ref, state: Any, given: Given, node: ast.expr) -> Abstract | None:
    if len(given) != 1 or not isinstance(given[0], Entry) or not isinstance(state, Items):
        return None
    run.change(ref, listed(state.kind, [*state.slots, given[0]], state.more))
    return Sure(None)


def _extend(run: Run, ref: Ref, state: Any, given: Given, node: ast.expr) -> Abstract | None:
    if len(given) != 1 or not isinstance(state, Items):
        return None
    slots = elements(run, given[0].value)
    more = "" if slots is not None else f"{run.source.words(node)} adds what is not known"
    run.change(ref, listed(state.kind, [*state.slots, *(slots or ())], state.more or more))
    return Sure(None)


METHODS: Mapping[tuple[type, str], Callable[[Run, Ref, Any, Given, ast.expr], Abstract | None]] = {
    (Table, "get"): _get,
    (Table, "pop"): _pop,
    (Table, "setdefault"): _setdefault,
    (Table, "update"): _update,
    (Table, "copy"): _duplicate,
    (Table, "clear"): _clear,
    **{(Table, part): _rows(part) for part in ("keys", "values", "items")},
    (Items, "append"): _append,
    (Items, "extend"): _extend,
    (Items, "copy"): _duplicate,
    (Items, "clear"): _clear,
}
