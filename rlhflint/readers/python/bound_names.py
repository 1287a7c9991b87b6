"""The names that a function binds, which are its own wherever in it they are bound."""

from __future__ import annotations

import ast

from rlhflint.readers.python.run import Run

_SCOPES = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef
_COMPREHENSIONS = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp


def bound_names(node: ast.AST) -> frozenset[str]:
    """The names that a function or lambda binds itself: not those of functions and comprehensions inside it."""
    if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
        return frozenset()
    given = node.args
    parameters = [*given.posonlyargs, *given.args, *given.kwonlyargs, given.vararg, given.kwarg]
    names = {one.arg for one in parameters if one is not None}
    elsewhere: set[str] = set()
    body = node.body if isinstance(node.body, list) else [node.body]
    waiting: list[tuple[ast.AST, bool]] = [(one, False) for one in body]
    while waiting:
        one, comprehended = waiting.pop()
        if isinstance(one, ast.Global | ast.Nonlocal):
            elsewhere.update(one.names)
        names.update(_bound(one, comprehended=comprehended))
        comprehended = comprehended or isinstance(one, _COMPREHENSIONS)
        if not isinstance(one, _SCOPES):
            waiting += ((child, comprehended) for child in ast.iter_child_nodes(one))
    return frozenset(names - elsewhere)


def own_names(run: Run, node: ast.AST) -> frozenset[str]:
    """The names that a function or lambda binds itself, worked out once for each."""
    if node not in run.bound:
        run.bound[node] = bound_names(node)
    return run.bound[node]


def _bound(node: ast.AST, *, comprehended: bool) -> list[str]:
    """The names that a node binds by itself; in a comprehension only `:=` binds a name outside of it."""
    if isinstance(node, ast.NamedExpr):
        return [node.target.id]
    if isinstance(node, ast.Name):
        return [] if comprehended or isinstance(node.ctx, ast.Load) else [node.id]
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return [node.name]
    if isinstance(node, ast.ExceptHandler | ast.MatchAs | ast.MatchStar):
        return [node.name] if node.name else []
    if isinstance(node, ast.MatchMapping):
        return [node.rest] if node.rest else []
    if isinstance(node, ast.Import | ast.ImportFrom):
        return [alias.asname or alias.name.partition(".")[0] for alias in node.names]
    return []
