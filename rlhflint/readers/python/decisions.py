"""The outcome of tests: true, false, or what would have to hold for either."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from rlhflint.call import Guard
from rlhflint.expressions import expression
from rlhflint.readers.python.conditions import HEAVIEST, Decision, Test, barred, both, either, on, possible, weight
from rlhflint.readers.python.inheritance import own_method
from rlhflint.readers.python.run import Run
from rlhflint.readers.python.values import (
    Abstract,
    Alt,
    Entry,
    Imported,
    Instance,
    Items,
    Maybe,
    Open,
    Ref,
    Sure,
    Table,
    options,
)

_PROBE = expression(
    r"is_(?!.*(?:gpu|cuda|npu|xpu|mps|bf16|tf32|fp16)).*(?:_available|_version)|is_.*greater_or_equal.*"
)
_NEVER = frozenset({"typing.TYPE_CHECKING", "typing_extensions.TYPE_CHECKING"})


def decide(run: Run, node: ast.expr) -> bool | Decision:
    """The outcome of a test that stands behind `if`, `while` or `assert`."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        inner = decide(run, node.operand)
        return (not inner) if isinstance(inner, bool) else inner.opposite
    if isinstance(node, ast.BoolOp):
        joined: bool | Decision = isinstance(node.op, ast.And)
        join = both if joined else either
        for value in node.values:
            outcome = decide(run, value)
            if isinstance(outcome, bool):
                if outcome is not isinstance(node.op, ast.And):
                    return outcome
            else:
                joined = outcome if isinstance(joined, bool) else join(joined, outcome)
        return joined if isinstance(joined, bool) else _light(run, joined, node)
    return decided(run, run.evaluate(run, node), node)


def decided(run: Run, value: Abstract, node: ast.expr) -> bool | Decision:
    """Whether a value, which `node` gives, is true."""
    found: Decision | None = None
    for conditions, option in options(value):
        if conditions and not possible(run.path + run.bars + conditions):
            continue
        outcome = _truth(run, option, node)
        if not conditions:
            return outcome if isinstance(outcome, bool) else settled(run, outcome)
        if outcome is False:
            continue
        here = Decision(conditions, (barred(conditions),))
        here = here if outcome is True else both(here, outcome)
        found = here if found is None else either(found, here)
    return False if found is None else _light(run, found, node)


def _light(run: Run, decision: Decision, node: ast.expr) -> bool | Decision:
    """The decision, taken as one of its own where it is made of too many tests."""
    if weight(decision.yes) + weight(decision.no) > HEAVIEST:
        words = run.source.words(node)
        return on(test_of(run, run.number(), (f"{words} is true", f"{words} is not true"), node, ""))
    return settled(run, decision)


def settled(run: Run, decision: Decision) -> bool | Decision:
    """The decision, or its outcome where what holds here leaves but one."""
    here = run.path + run.bars
    if not possible(here + decision.yes):
        return False
    if not possible(here + decision.no):
        return True
    return decision


def _truth(run: Run, value: Abstract, node: ast.expr) -> bool | Decision:
    if isinstance(value, Sure):
        return bool(value.value)
    if isinstance(value, Open) and value.decision is not None:
        return value.decision
    words = run.source.words(node)
    says = (f"{words} is true", f"{words} is not true")
    if isinstance(value, Open | Maybe):
        probe = value.probe if isinstance(value, Open) else ""
        return on(test_of(run, run.symbol("truth", value.symbol), says, node, probe))
    if isinstance(value, Imported):
        if value.path in _NEVER:
            return False
        if value.path.startswith("builtins."):
            return True
        return on(test_of(run, run.symbol("truth", value.path), says, node, package_of(run, value)))
    if isinstance(value, Ref):
        return _filled(run, value, says, node)
    if isinstance(value, Items | Table):
        return _holding(run, value, says, node)
    return True


def _filled(run: Run, ref: Ref, says: tuple[str, str], node: ast.expr) -> bool | Decision:
    """Whether an object is true: a list or dictionary that holds something, or any other."""
    state = run.state(ref)
    if isinstance(state, Instance):
        if is_object(run, state) and not (state.defined and own_method(run, state.defined, "__bool__", "__len__")):
            return True
        probe = "" if state.record is None else probed_by(run, run.records[state.record].target)
        return on(test_of(run, run.symbol("truth", "object", ref.place), says, node, probe))
    if isinstance(state, Items | Table):
        return _holding(run, state, says, node)
    if isinstance(state, Open | Alt):
        return decided(run, state, node)
    return on(test_of(run, run.number(), says, node, ""))


def _holding(run: Run, state: Items | Table, says: tuple[str, str], node: ast.expr) -> bool | Decision:
    """Whether a list or dictionary holds something."""
    slots: Sequence[object] = state.slots if isinstance(state, Items) else list(state.slots.values())
    if any(isinstance(slot, Entry) for slot in slots):
        return True
    if not slots and not state.more:
        return False
    return on(test_of(run, run.number(), says, node, ""))


def test_of(run: Run, symbol: int, says: tuple[str, str], node: ast.expr, probe: str) -> Test:
    """A test that nobody can decide, with what it says on either way; `probe` is the package it looks into, if any."""
    span = run.source.span(node)
    guard = Guard("probe", span, probe) if probe else None
    return Test(symbol, frozenset({True}), True, span, says, (guard, guard) if guard else None)


def is_object(run: Run, state: Instance) -> bool:
    """Whether what a call gave is an object for sure; what is no class may give None, or anything."""
    if state.record is None:
        return True
    name = run.records[state.record].target.rpartition(".")[2]
    return state.index is None and name[:1].isupper()


def probed_by(run: Run, function: str) -> str:
    """The package that a function, by its dotted path, tells the release of: `is_trl_version`, `is_vllm_available`."""
    return package_of(run, Imported(function)) if _PROBE.fullmatch(function.rpartition(".")[2]) else ""


def package_of(run: Run, value: Imported) -> str:
    """The package that something comes from, if it is one of interest: what is in it tells of its release."""
    root = value.path.split(".")[0]
    return root if run.watches(root) else ""
