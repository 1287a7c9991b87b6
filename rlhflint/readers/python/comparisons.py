"""Comparisons, of values and of installed releases."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import replace

from rlhflint.call import Guard
from rlhflint.readers.python import constants
from rlhflint.readers.python.conditions import Decision, Test, both, on
from rlhflint.readers.python.decisions import decided, is_object, package_of, test_of
from rlhflint.readers.python.inheritance import own_method
from rlhflint.readers.python.run import Run
from rlhflint.readers.python.values import (
    Abstract,
    Alt,
    Defined,
    Entry,
    Function,
    Imported,
    Instance,
    Items,
    Maybe,
    Method,
    Open,
    Partial,
    Ref,
    Release,
    Sure,
    Table,
)

_OPPOSITES: Mapping[type[ast.cmpop], type[ast.cmpop]] = {ast.NotEq: ast.Eq, ast.IsNot: ast.Is, ast.NotIn: ast.In}


_SIGNS: Mapping[type[ast.cmpop], tuple[str, str]] = {
    ast.GtE: (">=", "<"),
    ast.Lt: ("<", ">="),
    ast.Gt: (">", "<="),
    ast.LtE: ("<=", ">"),
    ast.Eq: ("==", "!="),
}


_MIRRORED: Mapping[type[ast.cmpop], type[ast.cmpop]] = {
    ast.GtE: ast.LtE,
    ast.LtE: ast.GtE,
    ast.Gt: ast.Lt,
    ast.Lt: ast.Gt,
    ast.Eq: ast.Eq,
}


def compared(
    run: Run,
    before: Abstract,
    kind: type[ast.cmpop],
    left: tuple[Abstract, ast.expr],
    right: tuple[Abstract, ast.expr],
    node: ast.Compare,
) -> Abstract:
    """`before and left < right`: one link of a chain of comparisons."""
    link = run.each(
        left[0], lambda one: run.each(right[0], lambda other: _link(run, kind, (one, left[1]), (other, right[1]), node))
    )
    if before == Sure(True):
        return link
    first, second = decided(run, before, node), decided(run, link, node)
    if isinstance(first, bool) or isinstance(second, bool):
        return before if first is False or second is True else link
    return _result(run, both(first, second), node)


def _result(run: Run, decision: Decision, node: ast.expr, probe: str = "") -> Open:
    return Open(f"{run.source.words(node)} is only known when it runs", run.number(), probe, decision)


def _link(
    run: Run,
    kind: type[ast.cmpop],
    left: tuple[Abstract, ast.expr],
    right: tuple[Abstract, ast.expr],
    node: ast.Compare,
) -> Abstract:
    if kind in _OPPOSITES:
        same = _link(run, _OPPOSITES[kind], left, right, node)
        if isinstance(same, Sure):
            return Sure(not same.value)
        return (
            _result(run, same.decision.opposite, node, same.probe) if isinstance(same, Open) and same.decision else same
        )
    one, other = left[0], right[0]
    if isinstance(one, Sure) and isinstance(other, Sure):
        try:
            return Sure(constants.compare(kind, one.value, other.value))
        except constants.NotWorkedOut:
            return run.at_run_time(node)
    if kind in (ast.Eq, ast.Is):
        for value, constant in ((one, other), (other, one)):
            if isinstance(constant, Sure) and isinstance(value, Function | Defined | Method | Partial | Ref):
                if isinstance(value, Ref) and not _there(run, value):
                    break
                if kind is ast.Eq and _equal_in_its_own_way(run, value):
                    break
                return Sure(False)
    if isinstance(one, Release) or isinstance(other, Release):
        return _releases(run, kind, one, other, node)
    if kind is ast.In:
        return _inside(run, left, right, node)
    return _symbolic(run, kind, left, right, node)


def _releases(run: Run, kind: type[ast.cmpop], left: Abstract, right: Abstract, node: ast.Compare) -> Abstract:
    """A comparison of an installed release."""
    package = next((one.package for one in (left, right) if isinstance(one, Release) and one.package), "")
    mirrored = isinstance(left, Release) and bool(left.text)
    text = next((one.text for one in (left, right) if isinstance(one, Release) and one.text), "")
    kind = _MIRRORED.get(kind, kind) if mirrored else kind
    if not package or not text or kind not in _SIGNS:
        return _symbolic(run, kind, (left, node.left), (right, node.comparators[0]), node)
    sign, opposite = _SIGNS[kind]
    span = run.source.span(node)
    guards = (Guard("version", span, package, f"{sign}{text}"), Guard("version", span, package, f"{opposite}{text}"))
    says = _says(run, node)
    # `<` is the opposite of `>=`: both are one test, so that they agree.
    if sign in ("<", "<="):
        test = Test(
            run.symbol("release", package, opposite, text), frozenset({True}), False, span, says[::-1], guards[::-1]
        )
    else:
        test = Test(run.symbol("release", package, sign, text), frozenset({True}), True, span, says, guards)
    return _result(run, on(test), node, package)


def _inside(run: Run, left: tuple[Abstract, ast.expr], right: tuple[Abstract, ast.expr], node: ast.Compare) -> Abstract:
    """`left in right`."""
    value, container = left[0], right[0]
    state = run.behind(container)
    if isinstance(state, Table) and isinstance(value, Sure):
        slot = state.slots.get(value.value)
        if isinstance(slot, Entry):
            return Sure(True)
        if slot is None and not state.more:
            return Sure(False)
        if isinstance(slot, Alt):
            there = [(conditions, Sure(isinstance(option, Entry))) for conditions, option in slot.options]
            return run.one_of(there)
    if isinstance(state, Items) and not state.more and all(_fixed(slot) for slot in state.slots):
        constants_inside = [
            slot.value.value for slot in state.slots if isinstance(slot, Entry) and isinstance(slot.value, Sure)
        ]
        if isinstance(value, Sure):
            return Sure(value.value in constants_inside)
        if isinstance(value, Open | Maybe):
            words = run.source.words(left[1])
            shown = ", ".join(repr(one) for one in constants_inside)
            says = (f"{words} is one of {shown}", f"{words} is none of {shown}")
            return _result(run, on(_valued(run, value, frozenset(constants_inside), says, node)), node)
    return _symbolic(run, ast.In, left, right, node)


def _there(run: Run, ref: Ref) -> bool:
    """Whether a reference leads to an object, so that it is not None."""
    state = run.state(ref)
    return is_object(run, state) if isinstance(state, Instance) else isinstance(state, Items | Table)


def _equal_in_its_own_way(run: Run, value: Abstract) -> bool:
    """Whether an object's class says itself what it is equal to."""
    state = run.behind(value)
    return isinstance(state, Instance) and state.defined is not None and own_method(run, state.defined, "__eq__")


def _fixed(slot: object) -> bool:
    return isinstance(slot, Entry) and isinstance(slot.value, Sure)


def _symbolic(
    run: Run,
    kind: type[ast.cmpop],
    left: tuple[Abstract, ast.expr],
    right: tuple[Abstract, ast.expr],
    node: ast.Compare,
) -> Abstract:
    """A comparison of something that is not known."""
    if kind in (ast.Eq, ast.Is):
        for (value, operand), (constant, _) in ((left, right), (right, left)):
            if isinstance(constant, Sure) and isinstance(value, Open | Maybe):
                words = run.source.words(operand)
                says = (f"{words} is {constant.value!r}", f"{words} is not {constant.value!r}")
                test = _valued(run, value, frozenset({constant.value}), says, node)
                if kind is ast.Is and isinstance(constant.value, bool):
                    # 1 is equal to True, but only True is this object.
                    test = replace(test, symbol=run.symbol("is", value.symbol))
                return _result(run, on(test), node, _probe(run, value))
    says = _says(run, node)
    probe = _probe(run, left[0]) or _probe(run, right[0])
    symbol = run.symbol("compared", kind.__name__, _symbol(run, left[0]), _symbol(run, right[0]))
    return _result(run, on(test_of(run, symbol, says, node, probe)), node, probe)


def _valued(run: Run, value: Open | Maybe, wanted: frozenset[object], says: tuple[str, str], node: ast.expr) -> Test:
    span = run.source.span(node)
    guard = Guard("probe", span, _probe(run, value)) if _probe(run, value) else None
    return Test(value.symbol, wanted, True, span, says, (guard, guard) if guard else None)


def _says(run: Run, node: ast.Compare) -> tuple[str, str]:
    """What a comparison says where two values are equal, or one in the other, and where not, however it is written."""
    words = run.source.words(node)
    says = (f"{words} holds", f"{words} does not hold")
    return says[::-1] if len(node.ops) == 1 and type(node.ops[0]) in _OPPOSITES else says


def _probe(run: Run, value: Abstract) -> str:
    if isinstance(value, Open):
        return value.probe
    if isinstance(value, Imported):
        return package_of(run, value)
    return value.package if isinstance(value, Release) else ""


def _symbol(run: Run, value: Abstract) -> int:
    if isinstance(value, Open | Maybe):
        return value.symbol
    if isinstance(value, Sure):
        return run.symbol("constant", type(value.value).__name__, repr(value.value))
    if isinstance(value, Imported):
        return run.symbol("imported", value.path)
    return run.symbol("object", value.place) if isinstance(value, Ref) else run.number()
