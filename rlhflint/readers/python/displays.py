"""Lists, tuples, sets and dictionaries as they are written, and comprehensions."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from rlhflint.call import Origin
from rlhflint.readers.python.arguments import name_in_quotes
from rlhflint.readers.python.containers import MOST_ENTRIES, listed, with_entry, with_table
from rlhflint.readers.python.frames import Frame
from rlhflint.readers.python.run import Run
from rlhflint.readers.python.store import ABSENT
from rlhflint.readers.python.values import Abstract, Entry, Instance, Items, Ref, Slot, Sure, Table, options


def display(kind: str) -> Callable[[Run, Any], Abstract]:
    """What evaluates `[…]`, `(…)` or `{…}`; `kind` is `list`, `tuple` or `set`."""

    def display(run: Run, node: ast.List | ast.Tuple | ast.Set) -> Abstract:
        slots: list[Slot] = []
        more = ""
        for element in _followed(node.elts):
            if isinstance(element, ast.Starred):
                spread = run.evaluate(run, element.value)
                state = run.behind(spread)
                if isinstance(state, Items) and not state.more:
                    slots += state.slots
                else:
                    more = more or f"*{run.source.words(element.value)} is only known when it runs"
                continue
            span = run.source.span(element)
            slots.append(Entry(len(slots), run.evaluate(run, element), span, None, span, Origin.POSITION))
        if len(node.elts) > MOST_ENTRIES:
            return run.allocate(Items(kind, (), "it holds too many elements to follow"))
        state = listed(kind, slots, more or (_doubt(slots) if kind == "set" else ""))
        if kind == "set" and not state.more:
            state = replace(state, slots=tuple({_constant(slot): slot for slot in slots}.values()))
        return run.allocate(Items(state.kind, state.slots, state.more, run.source.span(node)))

    return display


def _constant(slot: Slot) -> object:
    return slot.value.value if isinstance(slot, Entry) and isinstance(slot.value, Sure) else None


def _doubt(slots: Sequence[Slot]) -> str:
    """Why it is not known how many elements a set holds: some may be equal."""
    fixed = all(isinstance(slot, Entry) and isinstance(slot.value, Sure) for slot in slots)
    return "" if fixed or len(slots) < 2 else "its elements may be equal"


def dict_display(run: Run, node: ast.Dict) -> Abstract:
    """`{key: value, **other}`."""
    if len(node.keys) > MOST_ENTRIES:
        for one in _followed([*node.keys, *node.values]):
            run.evaluate(run, one)
        return run.allocate(Table({}, "it holds too many keys to follow"))
    table: Abstract = Table({})
    for key, value in zip(node.keys, node.values, strict=True):
        if key is None:
            because = f"**{run.source.words(value)} is not known"
            table = _with_all(run, table, run.evaluate(run, value), because)
            continue
        name, held = run.evaluate(run, key), run.evaluate(run, value)
        span = run.source.span(key).to(run.source.span(value))
        name_span, renamable = name_in_quotes(run, key, name)
        if isinstance(name, Sure):
            entry = Entry(name.value, held, span, name_span, run.source.span(value), Origin.KEY, renamable)
            table = run.each(table, partial(_with_one, entry))
        else:
            table = _with_all(run, table, ABSENT, f"the key {run.source.words(key)} is not known")
    if isinstance(table, Table):
        table = Table(table.slots, table.more, run.source.span(node))
    return run.allocate(table)


def _followed(nodes: Sequence[ast.expr | None]) -> list[ast.expr]:
    """The parts of a display that are followed: of a long one, which is data, those that may hold a call."""
    there = [node for node in nodes if node is not None]
    return there if len(nodes) <= MOST_ENTRIES else [node for node in there if not isinstance(node, ast.Constant)]


def _with_one(entry: Entry, table: Abstract) -> Abstract:
    return with_entry(_table(table), entry)


def _with_all(run: Run, table: Abstract, other: Abstract, because: str) -> Abstract:
    """The table with every entry of another one; `because` says what the other is if it is not known."""

    def add(state: Abstract) -> Abstract:
        if isinstance(state, Ref):
            return run.each(run.state(state), add)
        return run.each(table, lambda one: with_table(run, _table(one), state, because))

    return run.each(other, add)


def _table(state: Abstract) -> Table:
    return state if isinstance(state, Table) else Table({}, "it is not known")


def _one_of_several(run: Run, value: Abstract, because: str) -> None:
    """An object that is made in every round: what is set on one of them later is not seen."""
    for _, option in options(value):
        state = run.state(option) if isinstance(option, Ref) else None
        if isinstance(option, Ref) and isinstance(state, Instance):
            run.change(option, replace(state, more=state.more or because))


def comprehension(run: Run, node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp) -> Abstract:
    """Its parts are followed once, with what runs in it unknown."""
    outer = run.frame
    words = run.source.words(node)
    because = f"{words} is only known when it runs"
    # What `:=` binds is a variable outside of it.
    left = {one.target.id: run.unknown(because) for one in ast.walk(node) if isinstance(one, ast.NamedExpr)}
    elsewhere = outer.elsewhere | {name: outer.elsewhere.get(name, outer.number) for name in left}
    run.frames.append(Frame(run.number(), outer.name, outer.inner, outer.node, elsewhere, outer.own))
    try:
        for generator in node.generators:
            run.evaluate(run, generator.iter)
            for name in ast.walk(generator.target):
                if isinstance(name, ast.Name):
                    run.store.set(
                        (run.frame.number, name.id), run.unknown(f"{name.id} takes several values in {words}")
                    )
            for test in generator.ifs:
                run.evaluate(run, test)
        for part in (node.key, node.value) if isinstance(node, ast.DictComp) else (node.elt,):
            _one_of_several(run, run.evaluate(run, part), because)
    finally:
        run.frames.pop()
    for left_name, value in left.items():
        run.bind(left_name, value)
    kinds = {ast.ListComp: "list", ast.SetComp: "set"}
    if isinstance(node, ast.DictComp):
        return run.allocate(Table({}, because))
    if type(node) in kinds:
        return run.allocate(Items(kinds[type(node)], (), because))
    return run.unknown(because)
