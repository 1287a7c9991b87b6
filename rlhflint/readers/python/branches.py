"""Statements that choose one of several ways: `if`, `match`."""

from __future__ import annotations

import ast
from collections.abc import Callable

from rlhflint.readers.python.conditions import Conditions, Decision, Test, both, on
from rlhflint.readers.python.decisions import decide, settled
from rlhflint.readers.python.run import Run
from rlhflint.readers.python.store import Writes
from rlhflint.readers.python.values import Abstract, Maybe, Open, Sure


def if_statement(run: Run, node: ast.If) -> bool:
    """`if`, `elif`, `else`."""
    decision = decide(run, node.test)
    if isinstance(decision, bool):
        return run.execute(run, node.body if decision else node.orelse)
    return two_ways(run, decision, lambda: run.execute(run, node.body), lambda: run.execute(run, node.orelse))


def match_statement(run: Run, node: ast.Match) -> bool:
    """`match`: each case is taken where those before it were not."""
    subject = run.evaluate(run, node.subject)
    return _cases(run, subject, node, list(node.cases))


def _cases(run: Run, subject: Abstract, node: ast.Match, cases: list[ast.match_case]) -> bool:
    if not cases:
        return True
    case = cases[0]
    decision = _fits(run, subject, case.pattern, node)
    for name in _captured(case.pattern):
        run.bind(name, run.unknown(f"{name} is what was matched"))
    if isinstance(case.pattern, ast.MatchAs) and case.pattern.name and decision is not False:
        run.bind(case.pattern.name, subject)
    if case.guard is not None and decision is not False:
        decision = _guarded(run, decision, case.guard)
    if isinstance(decision, bool):
        return run.execute(run, case.body) if decision else _cases(run, subject, node, cases[1:])
    return two_ways(run, decision, lambda: run.execute(run, case.body), lambda: _cases(run, subject, node, cases[1:]))


def _guarded(run: Run, fits: Decision | bool, guard: ast.expr) -> Decision | bool:
    """Whether a pattern fits and what is asked besides is true."""
    if isinstance(fits, bool):
        return decide(run, guard)
    with run.on_way(fits.yes), run.store.layer() as writes:
        outcome = decide(run, guard)
    run.store.merge([(fits.yes, writes), (fits.no, {})])
    if isinstance(outcome, bool):
        return fits if outcome else False
    return settled(run, both(fits, outcome))


def _fits(run: Run, subject: Abstract, pattern: ast.pattern, node: ast.Match) -> bool | Decision:
    if isinstance(pattern, ast.MatchAs) and pattern.pattern is None:
        return True
    if isinstance(pattern, ast.MatchAs) and pattern.pattern is not None:
        return _fits(run, subject, pattern.pattern, node)
    values = _constants(run, pattern)
    words = run.source.words(node.subject)
    span = run.source.span(pattern)
    # True is 1, but the pattern `True` fits the object only: what is not known is not told apart by it.
    flags = [value for value in values or () if isinstance(value, bool)]
    if values is None or not isinstance(subject, Sure | Open | Maybe) or (flags and not isinstance(subject, Sure)):
        shown = run.source.text[run.source.start(pattern) : run.source.end(pattern)]
        says = (f"{words} matches {shown}", f"{words} does not match {shown}")
        return on(Test(run.number(), frozenset({True}), True, span, says))
    if isinstance(subject, Sure):
        return any(
            subject.value is value if value is None or isinstance(value, bool) else subject.value == value
            for value in values
        )
    shown = " or ".join(repr(value) for value in values)
    says = (f"{words} is {shown}", f"{words} is not {shown}")
    return settled(run, on(Test(subject.symbol, frozenset(values), True, span, says)))


def _constants(run: Run, pattern: ast.pattern) -> list[object] | None:
    """The constants that a pattern stands for; None if it is of another kind."""
    if isinstance(pattern, ast.MatchValue):
        value = run.evaluate(run, pattern.value)
        return [value.value] if isinstance(value, Sure) and not isinstance(value.value, bool) else None
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


def two_ways(run: Run, decision: Decision, first: Callable[[], bool], second: Callable[[], bool]) -> bool:
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
