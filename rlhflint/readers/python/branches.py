"""Statements with several ways: `if`, `match`, `try`, `with`."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence

from rlhflint.call import Guard
from rlhflint.readers.python.conditions import Conditions, Decision, Test, on
from rlhflint.readers.python.decisions import decide, settled
from rlhflint.readers.python.run import Run
from rlhflint.readers.python.store import Writes
from rlhflint.readers.python.values import Abstract, Maybe, Open, Sure

_MISSING = frozenset({"ImportError", "ModuleNotFoundError", "TypeError", "AttributeError"})
"""What Python raises where a release lacks something: a handler for it is an answer to that."""

_MAY_HAVE = "it may have been set before something failed"


def if_statement(run: Run, node: ast.If) -> bool:
    """`if`, `elif`, `else`."""
    decision = decide(run, node.test)
    if isinstance(decision, bool):
        return run.execute(run, node.body if decision else node.orelse)
    return _two_ways(run, decision, lambda: run.execute(run, node.body), lambda: run.execute(run, node.orelse))


def match_statement(run: Run, node: ast.Match) -> bool:
    """`match`: each case is taken where those before it were not."""
    subject = run.evaluate(run, node.subject)
    return _cases(run, subject, node, list(node.cases))


def _cases(run: Run, subject: Abstract, node: ast.Match, cases: list[ast.match_case]) -> bool:
    if not cases:
        return True
    case = cases[0]
    decision = _fits(run, subject, case, node)
    for name in _captured(case.pattern):
        run.bind(name, run.unknown(f"{name} is what was matched"))
    if isinstance(decision, bool):
        return run.execute(run, case.body) if decision else _cases(run, subject, node, cases[1:])
    return _two_ways(run, decision, lambda: run.execute(run, case.body), lambda: _cases(run, subject, node, cases[1:]))


def _fits(run: Run, subject: Abstract, case: ast.match_case, node: ast.Match) -> bool | Decision:
    pattern = case.pattern
    if case.guard is None and isinstance(pattern, ast.MatchAs) and pattern.pattern is None:
        return True
    values = _constants(run, pattern)
    words = run.source.words(node.subject)
    span = run.source.span(pattern)
    if values is None or case.guard is not None or not isinstance(subject, Sure | Open | Maybe):
        shown = run.source.text[run.source.start(pattern) : run.source.end(pattern)]
        says = (f"{words} matches {shown}", f"{words} does not match {shown}")
        return on(Test(run.number(), frozenset({True}), True, span, says))
    if isinstance(subject, Sure):
        return subject.value in values
    shown = " or ".join(repr(value) for value in values)
    says = (f"{words} is {shown}", f"{words} is not {shown}")
    return settled(run, on(Test(subject.symbol, frozenset(values), True, span, says)))


def _constants(run: Run, pattern: ast.pattern) -> list[object] | None:
    """The constants that a pattern stands for; None if it is of another kind."""
    if isinstance(pattern, ast.MatchValue):
        value = run.evaluate(run, pattern.value)
        return [value.value] if isinstance(value, Sure) else None
    if isinstance(pattern, ast.MatchSingleton):
        return [pattern.value]
    if isinstance(pattern, ast.MatchOr):
        parts = [_constants(run, one) for one in pattern.patterns]
        return None if any(part is None for part in parts) else [value for part in parts for value in part or ()]
    return None


def _captured(pattern: ast.pattern) -> list[str]:
    names = []
    for one in ast.walk(pattern):
        if isinstance(one, ast.MatchAs | ast.MatchStar) and one.name:
            names.append(one.name)
        elif isinstance(one, ast.MatchMapping) and one.rest:
            names.append(one.rest)
    return names


def _two_ways(run: Run, decision: Decision, first: Callable[[], bool], second: Callable[[], bool]) -> bool:
    """Follow both ways of a decision; what holds after it is what holds on the ways that come back."""
    ways: list[tuple[Conditions, Writes]] = []
    for conditions, follow in ((decision.yes, first), (decision.no, second)):
        with run.on_way(conditions), run.store.layer() as writes:
            if follow():
                ways.append((conditions, writes))
    if len(ways) == 1:
        run.store.absorb(ways[0][1])
    elif ways:
        run.store.merge(ways)
    return bool(ways)


def try_statement(run: Run, node: ast.Try | ast.TryStar) -> bool:
    """`try`: the body, or a handler after some of the body."""
    ok = _attempt(run, node)
    ways: list[tuple[Conditions, Writes]] = []
    with run.leading("try") as exits, run.on_way((ok,) if ok.guards else ()), run.store.layer() as body:
        reached = run.execute(run, node.body)
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
        if _handle(run, handler, [body, *(writes for _, writes, _ in exits.ways)], taken, ways):
            failed = (*failed, caught.opposite)
    if len(ways) == 1:
        run.store.absorb(ways[0][1])
    elif ways:
        run.store.merge(ways)
    if node.finalbody and not run.execute(run, node.finalbody):
        return False
    return bool(ways)


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


def _first_words(run: Run, statement: ast.stmt) -> str:
    text = " ".join(run.source.written(statement).split())
    return text if len(text) <= 40 else text[:39] + "…"


def _says_caught(run: Run, handler: ast.ExceptHandler) -> tuple[str, str]:
    words = run.source.words(handler.type) if handler.type else "an exception"
    return f"it is {words}", f"it is not {words}"


def _answers(node: ast.Try | ast.TryStar) -> tuple[str, ...]:
    """The exceptions whose handlers go on in another way where a release lacks something; empty if none does."""
    caught: list[str] = []
    tried = {_last_name(call.func) for part in node.body for call in ast.walk(part) if isinstance(call, ast.Call)}
    for handler in node.handlers:
        if _gives_up(handler.body):
            continue
        names = _exceptions(handler)
        again = any(
            isinstance(one, ast.Import | ast.ImportFrom)
            or (isinstance(one, ast.Call) and _last_name(one.func) in tried)
            for part in handler.body
            for one in ast.walk(part)
        )
        if again or _MISSING & set(names):
            caught += names or ["BaseException"]
    return tuple(dict.fromkeys(caught))


def _exceptions(handler: ast.ExceptHandler) -> list[str]:
    kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type] if handler.type else []
    return [name for kind in kinds if (name := _last_name(kind))]


def _gives_up(body: Sequence[ast.stmt]) -> bool:
    """Whether a handler ends the program too."""
    last = body[-1]
    if isinstance(last, ast.Expr) and isinstance(last.value, ast.Call):
        return _last_name(last.value.func) in ("exit", "_exit", "quit")
    return isinstance(last, ast.Raise)


def _last_name(node: ast.expr) -> str:
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def with_statement(run: Run, node: ast.With | ast.AsyncWith) -> bool:
    """`with`: the body is followed; under `contextlib.suppress` it may fail."""
    suppressed: list[str] = []
    for one in node.items:
        value = run.evaluate(run, one.context_expr)
        if one.optional_vars is not None:
            _bind(run, one.optional_vars, value)
        if isinstance(one.context_expr, ast.Call) and _last_name(one.context_expr.func) == "suppress":
            suppressed += [_last_name(kind) for kind in one.context_expr.args]
    if not suppressed:
        return run.execute(run, node.body)
    guard = Guard("exception", run.source.span(node.body[0]), catches=tuple(suppressed))
    words = _first_words(run, node.body[0])
    span = run.source.span(node.body[0])
    says = (f"{words} does not fail", f"{words} fails")
    test = Test(run.number(), frozenset({True}), True, span, says, (guard, guard))
    with run.on_way((test,)), run.store.layer() as writes:
        run.execute(run, node.body)
    with run.store.layer() as failed:
        run.store.blur([writes], _MAY_HAVE)
    run.store.merge([((test,), writes), ((test.opposite,), failed)])
    return True


def _bind(run: Run, target: ast.expr, value: Abstract) -> None:
    for name in ast.walk(target):
        if isinstance(name, ast.Name):
            bound = value if name is target else run.unknown(f"{name.id} is only known when it runs")
            run.bind(name.id, bound)
