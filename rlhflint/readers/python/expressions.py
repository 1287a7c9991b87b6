"""The value of an expression, as far as the module itself gives it."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable, Mapping
from functools import partial
from types import NoneType
from typing import Any

from rlhflint.call import Origin
from rlhflint.readers.python import constants
from rlhflint.readers.python.arguments import arguments_of, name_in_quotes
from rlhflint.readers.python.attributes import attribute, item
from rlhflint.readers.python.containers import listed, with_entry, with_table
from rlhflint.readers.python.decisions import compared, decided
from rlhflint.readers.python.operations import binary
from rlhflint.readers.python.run import Frame, Run
from rlhflint.readers.python.store import ABSENT
from rlhflint.readers.python.values import (
    Absent,
    Abstract,
    Alt,
    Entry,
    Function,
    Imported,
    Items,
    Maybe,
    Open,
    Ref,
    Slot,
    Sure,
    Table,
)

_BUILTINS = frozenset(dir(builtins))


def evaluate(run: Run, node: ast.expr) -> Abstract:
    """The value of an expression; its calls are followed on the way."""
    run.step()
    handler = _HANDLERS.get(type(node))
    if handler is None:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.expr):
                evaluate(run, child)
        return run.unknown(f"{run.source.words(node)} is only known when it runs")
    return handler(run, node)


def look_up(run: Run, name: str) -> Abstract:
    """What a name means here."""
    frame = run.frame
    if name in frame.elsewhere:
        places: tuple[int, ...] = (frame.elsewhere[name],)
    else:
        places = (frame.number, *frame.outer, 0)
    for place in places:
        value = run.store.get((place, name))
        if isinstance(value, Alt):
            bound = [(conditions, option) for conditions, option in value.options if not isinstance(option, Absent)]
            if len(bound) < len(value.options):
                value = bound[0][1] if len(bound) == 1 else run.one_of(bound)
        if value is not ABSENT:
            return value
    if name == "__name__":
        return Sure("__main__")
    for module in run.stars:
        if run.watches(f"{module}.{name}"):
            return Imported(f"{module}.{name}")
    if name in _BUILTINS:
        return Imported(f"builtins.{name}")
    return run.unknown(f"{name} is not set in this file", "free", name)


def _constant(run: Run, node: ast.Constant) -> Abstract:
    return Sure(node.value, run.source.span(node))


def _name(run: Run, node: ast.Name) -> Abstract:
    return look_up(run, node.id)


def _attribute(run: Run, node: ast.Attribute) -> Abstract:
    return run.each(evaluate(run, node.value), lambda value: attribute(run, value, node.attr, node))


def _subscript(run: Run, node: ast.Subscript) -> Abstract:
    value = evaluate(run, node.value)
    if isinstance(node.slice, ast.Slice):
        bounds = [
            evaluate(run, one) if one else Sure(None) for one in (node.slice.lower, node.slice.upper, node.slice.step)
        ]
        return run.each(value, lambda one: _sliced(run, one, bounds, node))
    index = evaluate(run, node.slice)
    return run.each(value, lambda one: run.each(index, lambda key: item(run, one, key, node)))


def _sliced(run: Run, value: Abstract, bounds: list[Abstract], node: ast.Subscript) -> Abstract:
    state = run.state(value) if isinstance(value, Ref) else value
    known = [bound.value for bound in bounds if isinstance(bound, Sure) and isinstance(bound.value, int | NoneType)]
    if len(known) == len(bounds) and known[2] != 0:
        part = slice(known[0], known[1], known[2])
        if isinstance(state, Items) and not state.more:
            return run.allocate(Items(state.kind, state.slots[part]))
        if isinstance(state, Sure) and isinstance(state.value, str):
            return Sure(state.value[part])
    return run.unknown(f"{run.source.words(node)} is only known when it runs")


def _call(run: Run, node: ast.Call) -> Abstract:
    callee = evaluate(run, node.func)
    given = arguments_of(run, node)
    return run.each(callee, lambda function: run.call(run, function, given, node))


def _display(kind: str) -> Callable[[Run, Any], Abstract]:
    def display(run: Run, node: ast.List | ast.Tuple | ast.Set) -> Abstract:
        slots: list[Slot] = []
        more = ""
        for element in node.elts:
            if isinstance(element, ast.Starred):
                spread = evaluate(run, element.value)
                state = run.state(spread) if isinstance(spread, Ref) else spread
                if isinstance(state, Items) and not state.more:
                    slots += state.slots
                else:
                    more = more or f"*{run.source.words(element.value)} is only known when it runs"
                continue
            span = run.source.span(element)
            slots.append(Entry(len(slots), evaluate(run, element), span, None, span, Origin.POSITION))
        state = listed(kind, slots, more)
        return run.allocate(Items(state.kind, state.slots, state.more, run.source.span(node)))

    return display


def _dict(run: Run, node: ast.Dict) -> Abstract:
    table: Abstract = Table({})
    for key, value in zip(node.keys, node.values, strict=True):
        if key is None:
            because = f"**{run.source.words(value)} is not known"
            table = _with_all(run, table, evaluate(run, value), because)
            continue
        name, held = evaluate(run, key), evaluate(run, value)
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


def _binary(run: Run, node: ast.BinOp) -> Abstract:
    left, right = evaluate(run, node.left), evaluate(run, node.right)
    return run.each(left, lambda one: run.each(right, lambda other: binary(run, type(node.op), one, other, node)))


def _unary(run: Run, node: ast.UnaryOp) -> Abstract:
    def use(value: Abstract) -> Abstract:
        if isinstance(node.op, ast.Not):
            decision = decided(run, value, node.operand)
            if isinstance(decision, bool):
                return Sure(not decision)
            return Open(
                f"{run.source.words(node)} is only known when it runs", run.number(), decision=decision.opposite
            )
        try:
            if isinstance(value, Sure):
                return Sure(constants.unary(type(node.op), value.value), run.source.span(node))
            if isinstance(value, Maybe):
                return Maybe(constants.unary(type(node.op), value.default), value.because, run.number())
        except constants.NotWorkedOut:
            pass
        return run.unknown(f"{run.source.words(node)} is only known when it runs")

    return run.each(evaluate(run, node.operand), use)


def _boolean(run: Run, node: ast.BoolOp) -> Abstract:
    """`a or b`, `a and b`: the first value that decides, else the last."""

    def rest(index: int) -> Abstract:
        value = evaluate(run, node.values[index])
        return value if index == len(node.values) - 1 else run.each(value, lambda one: choose(one, index))

    def choose(value: Abstract, index: int) -> Abstract:
        decision = decided(run, value, node.values[index])
        stops = isinstance(node.op, ast.Or)
        if isinstance(decision, bool):
            return value if decision is stops else rest(index + 1)
        ends, goes_on = (decision.yes, decision.no) if stops else (decision.no, decision.yes)
        with run.on_way(goes_on), run.store.layer() as writes:
            other = rest(index + 1)
        run.store.merge([(ends, {}), (goes_on, writes)])
        return run.one_of([(ends, value), (goes_on, other)])

    return rest(0)


def _compare(run: Run, node: ast.Compare) -> Abstract:
    left = evaluate(run, node.left)
    result: Abstract = Sure(True)
    operand = node.left
    for kind, comparator in zip(node.ops, node.comparators, strict=True):
        right = evaluate(run, comparator)
        result = compared(run, result, type(kind), (left, operand), (right, comparator), node)
        left, operand = right, comparator
    return result


def _ternary(run: Run, node: ast.IfExp) -> Abstract:
    decision = decided(run, evaluate(run, node.test), node.test)
    if isinstance(decision, bool):
        return evaluate(run, node.body if decision else node.orelse)
    with run.on_way(decision.yes), run.store.layer() as first:
        body = evaluate(run, node.body)
    with run.on_way(decision.no), run.store.layer() as second:
        otherwise = evaluate(run, node.orelse)
    run.store.merge([(decision.yes, first), (decision.no, second)])
    return run.one_of([(decision.yes, body), (decision.no, otherwise)])


def _formatted_text(run: Run, node: ast.JoinedStr) -> Abstract:
    text: Abstract = Sure("")
    for part in node.values:
        piece: Abstract = Sure("")
        if isinstance(part, ast.FormattedValue):
            with run.source.inside(node):
                template = (
                    _formatted_text(run, part.format_spec) if isinstance(part.format_spec, ast.JoinedStr) else piece
                )
                piece = run.each(evaluate(run, part.value), partial(_formatted, run, part, template))
        elif isinstance(part, ast.Constant):
            piece = Sure(part.value)
        text = _concatenated(run, text, piece, node)
    if isinstance(text, Sure) and all(isinstance(part, ast.Constant) for part in node.values):
        return Sure(text.value, run.source.span(node))
    return text


def _concatenated(run: Run, text: Abstract, piece: Abstract, node: ast.expr) -> Abstract:
    return run.each(text, lambda one: run.each(piece, lambda other: binary(run, ast.Add, one, other, node)))


def _formatted(run: Run, part: ast.FormattedValue, template: Abstract, value: Abstract) -> Abstract:
    if isinstance(template, Sure) and isinstance(value, Sure | Maybe):
        known = value.value if isinstance(value, Sure) else value.default
        try:
            text = constants.formatted(known, part.conversion, str(template.value))
        except constants.NotWorkedOut:
            return run.unknown(f"{run.source.words(part.value)} is only known when it runs")
        return Sure(text) if isinstance(value, Sure) else Maybe(text, value.because, run.number())
    because = value.because if isinstance(value, Open) else f"{run.source.words(part.value)} is only known when it runs"
    return run.unknown(because)


def _walrus(run: Run, node: ast.NamedExpr) -> Abstract:
    value = evaluate(run, node.value)
    run.store.set((run.frame.elsewhere.get(node.target.id, run.frame.number), node.target.id), value)
    return value


def _lambda(run: Run, node: ast.Lambda) -> Abstract:
    frames = run.frame.outer if run.frame.number == 0 else (run.frame.number, *run.frame.outer)
    function = Function(node, "<lambda>", frames, defaults(run, node.args), plain=True)
    if run.recording:
        run.functions.append(function)
    return function


def defaults(run: Run, node: ast.arguments) -> Mapping[str, Abstract]:
    """The values of the parameters that have a default."""
    positional = [*node.posonlyargs, *node.args]
    given = dict(
        zip([one.arg for one in positional[len(positional) - len(node.defaults) :]], node.defaults, strict=True)
    )
    given |= {one.arg: value for one, value in zip(node.kwonlyargs, node.kw_defaults, strict=True) if value is not None}
    return {name: evaluate(run, value) for name, value in given.items()}


def _comprehension(run: Run, node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp) -> Abstract:
    """Its parts are followed once, with what runs in it unknown."""
    outer = run.frame
    frames = outer.outer if outer.number == 0 else (outer.number, *outer.outer)
    words = run.source.words(node)
    run.frames.append(Frame(run.number(), outer.name, frames, outer.node))
    try:
        for generator in node.generators:
            evaluate(run, generator.iter)
            for name in ast.walk(generator.target):
                if isinstance(name, ast.Name):
                    run.store.set(
                        (run.frame.number, name.id), run.unknown(f"{name.id} takes several values in {words}")
                    )
            for test in generator.ifs:
                evaluate(run, test)
        for part in (node.key, node.value) if isinstance(node, ast.DictComp) else (node.elt,):
            evaluate(run, part)
    finally:
        run.frames.pop()
    because = f"{words} is only known when it runs"
    kinds = {ast.ListComp: "list", ast.SetComp: "set"}
    if isinstance(node, ast.DictComp):
        return run.allocate(Table({}, because))
    if type(node) in kinds:
        return run.allocate(Items(kinds[type(node)], (), because))
    return run.unknown(because)


def _await(run: Run, node: ast.Await | ast.Starred) -> Abstract:
    return evaluate(run, node.value)


_HANDLERS: Mapping[type[ast.expr], Callable[[Run, Any], Abstract]] = {
    ast.Constant: _constant,
    ast.Name: _name,
    ast.Attribute: _attribute,
    ast.Subscript: _subscript,
    ast.Call: _call,
    ast.List: _display("list"),
    ast.Tuple: _display("tuple"),
    ast.Set: _display("set"),
    ast.Dict: _dict,
    ast.BinOp: _binary,
    ast.UnaryOp: _unary,
    ast.BoolOp: _boolean,
    ast.Compare: _compare,
    ast.IfExp: _ternary,
    ast.JoinedStr: _formatted_text,
    ast.NamedExpr: _walrus,
    ast.Lambda: _lambda,
    ast.ListComp: _comprehension,
    ast.SetComp: _comprehension,
    ast.GeneratorExp: _comprehension,
    ast.DictComp: _comprehension,
    ast.Await: _await,
    ast.Starred: _await,
}
