"""Following statements: what they assign, which way they lead."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from rlhflint.call import Origin
from rlhflint.readers.python.arguments import attribute_name
from rlhflint.readers.python.attempts import try_statement, with_statement
from rlhflint.readers.python.attributes import Place, part_of, set_attribute, set_item
from rlhflint.readers.python.branches import if_statement, match_statement
from rlhflint.readers.python.containers import element, listed
from rlhflint.readers.python.decisions import decide
from rlhflint.readers.python.definitions import class_statement, function_statement
from rlhflint.readers.python.deletion import delete_statement
from rlhflint.readers.python.expressions import look_up
from rlhflint.readers.python.frames import Ended
from rlhflint.readers.python.imports import import_from, import_modules
from rlhflint.readers.python.loops import for_loop, while_loop
from rlhflint.readers.python.operations import binary
from rlhflint.readers.python.run import Run
from rlhflint.readers.python.store import ABSENT
from rlhflint.readers.python.values import Abstract, Entry, Imported, Instance, Items, Open, Ref, Sure, Table


def execute(run: Run, statements: Sequence[ast.stmt]) -> bool:
    """Follow statements one after the other; false if their end is never reached."""
    for statement in statements:
        run.step()
        handler = _HANDLERS.get(type(statement))
        try:
            if handler is not None and not handler(run, statement):
                return False
        except Ended as ended:
            run.leave(ended.kind)
            return False
    return True


def assign(run: Run, target: ast.expr, value: Abstract, place: Place) -> None:
    """`target = value`."""
    if isinstance(target, ast.Name):
        run.bind(target.id, value)
    elif isinstance(target, ast.Attribute):
        name_span, renamable = attribute_name(run, target)
        spans = place.statement, name_span, place.value
        entry = Entry(target.attr, value, *spans, Origin.ATTRIBUTE, renamable)
        set_attribute(run, run.evaluate(run, target.value), target.attr, entry)
    elif isinstance(target, ast.Subscript):
        key = run.evaluate(run, target.slice)
        set_item(run, run.evaluate(run, target.value), key, value, target, place)
    elif isinstance(target, ast.Starred):
        assign(run, target.value, value, place)
    elif isinstance(target, ast.Tuple | ast.List):
        for part, given in zip(target.elts, _unpacked(run, target.elts, value), strict=True):
            assign(run, part, given, place)


def _unpacked(run: Run, targets: Sequence[ast.expr], value: Abstract) -> list[Abstract]:
    star = next((n for n, one in enumerate(targets) if isinstance(one, ast.Starred)), None)
    count = len(targets)

    def part(index: int, one: Abstract) -> Abstract:
        if isinstance(one, Ref):
            return run.each(run.state(one), lambda state: of_state(one, state, index))
        if isinstance(one, Open):
            return run.unknown(one.because, "part", one.symbol, index, probe=one.probe)
        return run.unknown("it is only known when it runs")

    def of_state(ref: Ref, state: Abstract, index: int) -> Abstract:
        from_end = index - count if star is not None and index > star else index
        if isinstance(state, Items):
            if index == star:
                after = count - index - 1
                kept = state.slots[index : len(state.slots) - after]
                return run.allocate(listed("list", kept, state.more))
            fits = len(state.slots) == count if star is None else len(state.slots) >= count - 1
            return (
                element(run, state, from_end)
                if fits
                else run.unknown(state.more or "it holds another number of values")
            )
        if isinstance(state, Instance) and state.record is not None and index != star:
            return part_of(run, ref, from_end)
        return run.unknown("it is only known when it runs")

    return [run.each(value, partial(part, index)) for index in range(count)]


def _assignment(run: Run, node: ast.Assign) -> bool:
    value = run.evaluate(run, node.value)
    place = Place(run.source.span(node), run.source.span(node.value))
    for target in node.targets:
        assign(run, target, value, place)
    return True


def _annotated(run: Run, node: ast.AnnAssign) -> bool:
    if node.value is not None:
        value = run.evaluate(run, node.value)
        assign(run, node.target, value, Place(run.source.span(node), run.source.span(node.value)))
    return True


def _augmented(run: Run, node: ast.AugAssign) -> bool:
    before = run.evaluate(run, node.target)
    value = run.evaluate(run, node.value)

    def change(one: Abstract) -> Abstract:
        return run.each(value, lambda other: _changed(run, one, other, node))

    after = run.each(before, change)
    assign(run, node.target, after, Place(run.source.span(node), run.source.span(node.value)))
    return True


def _changed(run: Run, before: Abstract, value: Abstract, node: ast.AugAssign) -> Abstract:
    """`before += value`: a list or dictionary stays the same object."""
    after = binary(run, type(node.op), before, value, node)
    if isinstance(before, Ref) and isinstance(after, Ref) and isinstance(run.state(before), Items | Table):
        state = run.state(before)
        if not (isinstance(state, Items) and state.kind == "tuple"):
            run.change(before, run.state(after))
            return before
    return after


def _expression(run: Run, node: ast.Expr) -> bool:
    if isinstance(node.value, ast.Constant):
        return True
    run.evaluate(run, node.value)
    return True


def _return(run: Run, node: ast.Return) -> bool:
    run.leave("function", run.evaluate(run, node.value) if node.value else Sure(None))
    return False


def _raise(run: Run, node: ast.Raise) -> bool:
    raised = run.evaluate(run, node.exc) if node.exc else None
    name = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
    ends = (
        raised is not None and isinstance(name, ast.Name) and look_up(run, name.id) == Imported("builtins.SystemExit")
    )
    run.leave("exit" if ends else "try")
    return False


def _break(run: Run, node: ast.Break | ast.Continue) -> bool:
    run.leave("loop", stop=isinstance(node, ast.Break))
    return False


def _scope(run: Run, node: ast.Global | ast.Nonlocal) -> bool:
    outer = run.frame.outer if isinstance(node, ast.Nonlocal) else ()
    for name in node.names:
        holding = (number for number in outer if run.store.get((number, name)) is not ABSENT)
        run.frame.elsewhere[name] = next(holding, outer[0] if outer else 0)
    return True


def _assert(run: Run, node: ast.Assert) -> bool:
    if decide(run, node.test) is False:
        run.leave("try")
        return False
    return True


_HANDLERS: Mapping[type[ast.stmt], Callable[[Run, Any], bool]] = {
    ast.Assign: _assignment,
    ast.AnnAssign: _annotated,
    ast.AugAssign: _augmented,
    ast.Expr: _expression,
    ast.Delete: delete_statement,
    ast.Return: _return,
    ast.Raise: _raise,
    ast.Break: _break,
    ast.Continue: _break,
    ast.Global: _scope,
    ast.Nonlocal: _scope,
    ast.FunctionDef: function_statement,
    ast.AsyncFunctionDef: function_statement,
    ast.ClassDef: class_statement,
    ast.Assert: _assert,
    ast.Import: import_modules,
    ast.ImportFrom: import_from,
    ast.If: if_statement,
    ast.Match: match_statement,
    ast.Try: try_statement,
    ast.TryStar: try_statement,
    ast.With: with_statement,
    ast.AsyncWith: with_statement,
    ast.For: for_loop,
    ast.AsyncFor: for_loop,
    ast.While: while_loop,
}
