"""Statements whose body may fail, or be left with something to do yet: `try`, `with`."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import replace

from rlhflint.call import Guard, Origin
from rlhflint.readers.python.conditions import Conditions, Test
from rlhflint.readers.python.expectations import expecting, guarded, last_name
from rlhflint.readers.python.inheritance import class_attribute
from rlhflint.readers.python.leaving import through
from rlhflint.readers.python.run import Run
from rlhflint.readers.python.store import ABSENT, Writes
from rlhflint.readers.python.values import Abstract, Entry, Function, Instance, Method, same

_MISSING = frozenset({"ImportError", "ModuleNotFoundError", "TypeError", "AttributeError"})
"""What Python raises where a release lacks something: a handler for it is an answer to that."""
_RAISED = "it is what was raised, or None"
_MAY_HAVE = "it may have been set before something failed"


def try_statement(run: Run, node: ast.Try | ast.TryStar) -> bool:
    """`try`: the body, or a handler after some of the body."""
    if not node.finalbody:
        return _tried(run, node)
    return through(run, lambda: _tried(run, node), lambda: run.execute(run, node.finalbody))


def _tried(run: Run, node: ast.Try | ast.TryStar) -> bool:
    """The body and its handlers, without what is done in the end."""
    ok = _attempt(run, node)
    ways: list[tuple[Conditions, Writes]] = []
    between: Writes = {}
    with run.on_way((_untold(ok),)), run.store.layer() as body:
        # What is raised where nothing catches it leads further out.
        with run.leading("try" if node.handlers else "block") as exits:
            reached = _followed(run, node.body, body, between)
        failing = dict(body)
        if reached and node.orelse:
            reached = run.execute(run, node.orelse)
    if reached:
        ways.append(((ok,), body))
    failed: Conditions = (ok.opposite,)
    for handler in node.handlers:
        caught = Test(
            run.number(),
            frozenset({True}),
            True,
            run.source.span(handler.type or handler.body[0]),
            _says_caught(run, handler),
        )
        taken = failed if len(node.handlers) == 1 else (*failed, caught)
        if _handle(run, handler, [between, failing, *(writes for _, writes, _ in exits.ways)], taken, ways):
            failed = (*failed, caught.opposite)
    if len(ways) == 1:
        run.store.absorb(ways[0][1])
    elif ways:
        run.store.merge(ways)
    return bool(ways)


def _followed(run: Run, statements: Sequence[ast.stmt], body: Writes, between: Writes) -> bool:
    """Follow statements; `between` gets what something was for a while and is no longer at their end."""
    for statement in statements:
        with run.store.layer() as writes:
            reached = run.execute(run, [statement])
        between |= {key: body[key] for key, value in writes.items() if key in body and not same(body[key], value)}
        body.update(writes)
        if not reached:
            return False
    return True


def _handle(
    run: Run,
    handler: ast.ExceptHandler,
    before: Sequence[Writes],
    taken: Conditions,
    ways: list[tuple[Conditions, Writes]],
) -> bool:
    with run.on_way(taken), run.store.layer() as writes:
        run.store.blur(before, _MAY_HAVE)
        if handler.name:
            value = run.unknown(f"{handler.name} is what was raised")
            run.bind(handler.name, value)
        if run.execute(run, handler.body):
            if handler.name:
                run.bind(handler.name, ABSENT)
            ways.append((taken, writes))
            return True
    return False


def _attempt(run: Run, node: ast.Try | ast.TryStar) -> Test:
    """The test that nothing fails in the body."""
    span = run.source.span(node.body[0])
    words = _first_words(run, node.body[0])
    guard = None
    if caught := _answers(node):
        guard = Guard("exception", span, catches=caught)
    says = (f"{words} does not fail", f"{words} fails")
    return Test(run.number(), frozenset({True}), True, span, says, (guard, guard) if guard else None)


def _untold(test: Test) -> Test:
    """That nothing fails: a choice that is told only where it depends on installed packages."""
    return test if test.guards else replace(test, span=None)


def _first_words(run: Run, statement: ast.stmt) -> str:
    text = " ".join(run.source.written(statement).split())
    return text if len(text) <= 40 else text[:39] + "…"


def _says_caught(run: Run, handler: ast.ExceptHandler) -> tuple[str, str]:
    words = run.source.words(handler.type) if handler.type else "an exception"
    return f"it is {words}", f"it is not {words}"


def _answers(node: ast.Try | ast.TryStar) -> tuple[str, ...]:
    """The exceptions whose handlers go on in another way where a release lacks something; empty if none does."""
    caught: list[str] = []
    tried = {last_name(call.func) for part in node.body for call in ast.walk(part) if isinstance(call, ast.Call)}
    for handler in node.handlers:
        if _gives_up(handler.body):
            continue
        names = _exceptions(handler)
        again = any(
            isinstance(one, ast.Import | ast.ImportFrom) or (isinstance(one, ast.Call) and last_name(one.func) in tried)
            for part in handler.body
            for one in ast.walk(part)
        )
        if again or _MISSING & set(names):
            caught += names or ["BaseException"]
    return tuple(dict.fromkeys(caught))


def _exceptions(handler: ast.ExceptHandler) -> list[str]:
    kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type] if handler.type else []
    return [name for kind in kinds if (name := last_name(kind))]


def _gives_up(body: Sequence[ast.stmt]) -> bool:
    """Whether a handler ends the program too."""
    last = body[-1]
    if isinstance(last, ast.Expr) and isinstance(last.value, ast.Call):
        return last_name(last.value.func) in ("exit", "_exit", "quit")
    return isinstance(last, ast.Raise)


def with_statement(run: Run, node: ast.With | ast.AsyncWith) -> bool:
    """`with`: the body is followed, and what is done at its end; what raises in it may end there."""
    return _managed(run, node, 0)


def _managed(run: Run, node: ast.With | ast.AsyncWith, index: int) -> bool:
    """The body with the managers from one on around it."""
    if index == len(node.items):
        return run.execute(run, node.body)
    one = node.items[index]
    manager = run.evaluate(run, one.context_expr)
    span = run.source.span(one.context_expr)
    entered = manager
    if _method_of(run, manager, "__enter__") is not None:
        entered = run.call(run, Method(manager, "__enter__"), (), one.context_expr)
    elif isinstance(node, ast.AsyncWith):
        entered = run.at_run_time(one.context_expr)
    if one.optional_vars is not None:
        _bind(run, one.optional_vars, entered)
    expected = expecting(run, one.context_expr)
    if expected is not None:
        return _suppressed(run, node, index, expected)
    leave = _method_of(run, manager, "__exit__")
    if leave is None:
        return _maybe_suppressed(run, node, index)
    follow = _suppressed if _swallows(leave) else _maybe_suppressed

    def at_end() -> bool:
        what = [Entry(n, run.unknown(_RAISED), span, origin=Origin.POSITION) for n in range(3)]
        run.call(run, Method(manager, "__exit__"), tuple(what), one.context_expr)
        return True

    return through(run, lambda: follow(run, node, index), at_end)


def _method_of(run: Run, manager: Abstract, name: str) -> Function | None:
    """The method of a manager whose class is in the file."""
    state = run.behind(manager)
    found = class_attribute(run, state.defined, name) if isinstance(state, Instance) and state.defined else None
    return found if isinstance(found, Function) else None


def _swallows(leave: Function) -> bool:
    """Whether an `__exit__` may keep what is raised to itself: it gives something that may be true."""
    given = [one.value for one in ast.walk(leave.node) if isinstance(one, ast.Return) and one.value is not None]
    return any(not (isinstance(one, ast.Constant) and not one.value) for one in given)


def _maybe_suppressed(run: Run, node: ast.With | ast.AsyncWith, index: int) -> bool:
    """The body with a manager around it of which nothing is known: what is raised in it by a `raise` may end there."""
    with run.leading("with") as exits, run.store.layer() as writes:
        reached = _managed(run, node, index + 1)
    if not exits.ways:
        run.store.absorb(writes)
        return reached
    ways = [(conditions, written) for conditions, written, _ in exits.ways]
    run.store.merge([*ways, (tuple(exits.bars), writes)] if reached else ways)
    return True


def _suppressed(run: Run, node: ast.With | ast.AsyncWith, index: int, catches: tuple[str, ...] | None = None) -> bool:
    """The body of `contextlib.suppress`, of `pytest.raises`, or of a manager like it: it may fail anywhere.

    `catches` is None where the manager keeps what is raised for reasons of its own.
    """
    test = guarded(run, node.body[0], _first_words(run, node.body[0]), catches or ())
    if catches is None:
        test = replace(test, guards=None)
    between: Writes = {}
    with run.leading("with") as exits, run.on_way((_untold(test),)), run.store.layer() as writes:
        if index + 1 < len(node.items):
            reached = _managed(run, node, index + 1)
        else:
            reached = _followed(run, node.body, writes, between)
    with run.store.layer() as failed:
        run.store.blur([between, writes, *(written for _, written, _ in exits.ways)], _MAY_HAVE)
    if reached:
        run.store.merge([((test,), writes), ((test.opposite,), failed)])
    else:
        run.store.absorb(failed)
    return True


def _bind(run: Run, target: ast.expr, value: Abstract) -> None:
    for name in ast.walk(target):
        if isinstance(name, ast.Name):
            bound = value if name is target else run.unknown(f"{name.id} is only known when it runs")
            run.bind(name.id, bound)
