"""The value of an expression, as far as the module itself gives it."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable, Mapping
from types import NoneType
from typing import Any

from rlhflint.readers.python import constants
from rlhflint.readers.python.arguments import arguments_of
from rlhflint.readers.python.attributes import attribute, item
from rlhflint.readers.python.comparisons import compared
from rlhflint.readers.python.conditions import Conditions
from rlhflint.readers.python.decisions import decided
from rlhflint.readers.python.definitions import defaults
from rlhflint.readers.python.displays import comprehension, dict_display, display
from rlhflint.readers.python.frames import Ended
from rlhflint.readers.python.operations import binary
from rlhflint.readers.python.run import Run
from rlhflint.readers.python.source import STAND_IN
from rlhflint.readers.python.store import ABSENT, Writes
from rlhflint.readers.python.texts import formatted_text
from rlhflint.readers.python.values import Absent, Abstract, Alt, Function, Imported, Items, Maybe, Open, Sure

_BUILTINS = frozenset(dir(builtins))


def evaluate(run: Run, node: ast.expr) -> Abstract:
    """The value of an expression; its calls are followed on the way."""
    run.step()
    handler = _HANDLERS.get(type(node))
    if handler is None:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.expr):
                evaluate(run, child)
        return run.at_run_time(node)
    return handler(run, node)


def look_up(run: Run, name: str) -> Abstract:
    """What a name means here."""
    frame = run.frame
    if name in frame.elsewhere:
        places: tuple[int, ...] = (frame.elsewhere[name],)
    elif name in frame.own:
        places = (frame.number, *frame.outer[:1])
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
    if name in frame.own:
        return run.unknown(f"{name} is not set here")
    if name == "__name__":
        return Sure("__main__")
    for module in run.stars:
        if run.watches(f"{module}.{name}"):
            return Imported(f"{module}.{name}")
    if name in _BUILTINS:
        return Imported(f"builtins.{name}")
    return run.unknown(f"{name} is not set in this file", "free", name)


def _constant(run: Run, node: ast.Constant) -> Abstract:
    if run.source.holes and isinstance(node.value, str) and STAND_IN in node.value:
        return run.unknown("a part of the text is not known")
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
    state = run.behind(value)
    known = [bound.value for bound in bounds if isinstance(bound, Sure) and isinstance(bound.value, int | NoneType)]
    if len(known) == len(bounds) and known[2] != 0:
        part = slice(known[0], known[1], known[2])
        if isinstance(state, Items) and not state.more:
            return run.allocate(Items(state.kind, state.slots[part]))
        if isinstance(state, Sure) and isinstance(state.value, str):
            return Sure(state.value[part])
    return run.at_run_time(node)


def _call(run: Run, node: ast.Call) -> Abstract:
    callee = evaluate(run, node.func)
    given = arguments_of(run, node)
    return run.each(callee, lambda function: run.call(run, function, given, node))


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
        return run.at_run_time(node)

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
        return _one_way_or_other(run, (ends, lambda: value), (goes_on, lambda: rest(index + 1)))

    return rest(0)


def _compare(run: Run, node: ast.Compare) -> Abstract:
    left = evaluate(run, node.left)
    result: Abstract = Sure(True)
    operand = node.left
    for kind, comparator in zip(node.ops, node.comparators, strict=True):
        goes_on = decided(run, result, node)
        if goes_on is False:
            break
        if isinstance(goes_on, bool):
            right = evaluate(run, comparator)
        else:
            with run.on_way(goes_on.yes), run.store.layer() as writes:
                right = evaluate(run, comparator)
            run.store.merge([(goes_on.yes, writes), (goes_on.no, {})])
        result = compared(run, result, type(kind), (left, operand), (right, comparator), node)
        left, operand = right, comparator
    return result


def _ternary(run: Run, node: ast.IfExp) -> Abstract:
    decision = decided(run, evaluate(run, node.test), node.test)
    if isinstance(decision, bool):
        return evaluate(run, node.body if decision else node.orelse)
    first, second = lambda: evaluate(run, node.body), lambda: evaluate(run, node.orelse)
    return _one_way_or_other(run, (decision.yes, first), (decision.no, second))


def _one_way_or_other(run: Run, *choices: tuple[Conditions, Callable[[], Abstract]]) -> Abstract:
    """What the expressions of two ways give, on those of them that come to an end. Raises `Ended` if none does."""
    ways: list[tuple[Conditions, Writes]] = []
    values: list[tuple[Conditions, Abstract]] = []
    for conditions, follow in choices:
        with run.on_way(conditions), run.store.layer() as writes:
            try:
                values.append((conditions, follow()))
            except Ended as ended:
                run.leave(ended.kind)
                continue
        ways.append((conditions, writes))
    if not ways:
        raise Ended
    run.store.merge(ways)
    return run.one_of(values)


def _walrus(run: Run, node: ast.NamedExpr) -> Abstract:
    value = evaluate(run, node.value)
    run.bind(node.target.id, value)
    return value


def _lambda(run: Run, node: ast.Lambda) -> Abstract:
    function = Function(node, "<lambda>", run.frame.inner, defaults(run, node.args), plain=True)
    if run.recording:
        run.functions.append(function)
    return function


def _await(run: Run, node: ast.Await | ast.Starred) -> Abstract:
    return evaluate(run, node.value)


_HANDLERS: Mapping[type[ast.expr], Callable[[Run, Any], Abstract]] = {
    ast.Constant: _constant,
    ast.Name: _name,
    ast.Attribute: _attribute,
    ast.Subscript: _subscript,
    ast.Call: _call,
    ast.List: display("list"),
    ast.Tuple: display("tuple"),
    ast.Set: display("set"),
    ast.Dict: dict_display,
    ast.BinOp: _binary,
    ast.UnaryOp: _unary,
    ast.BoolOp: _boolean,
    ast.Compare: _compare,
    ast.IfExp: _ternary,
    ast.JoinedStr: formatted_text,
    ast.NamedExpr: _walrus,
    ast.Lambda: _lambda,
    ast.ListComp: comprehension,
    ast.SetComp: comprehension,
    ast.GeneratorExp: comprehension,
    ast.DictComp: comprehension,
    ast.Await: _await,
    ast.Starred: _await,
}
