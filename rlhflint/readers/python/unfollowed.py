"""What may be another value after something ran that was not followed: a function of the file, `exec`, `globals()`."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import field

from rlhflint.readers.python.bound_names import own_names
from rlhflint.readers.python.containers import handed_away, weak
from rlhflint.readers.python.run import Run
from rlhflint.readers.python.store import ABSENT
from rlhflint.readers.python.values import Abstract, Function, Maybe, Ref, Sure, options
from rlhflint.records import dataclass

_READING = frozenset({"get", "items", "keys", "values", "copy", "index", "count"})
"""Methods that leave a list or dictionary as it is."""


@dataclass(slots=True)
class _Touched:
    """The names from outside of a function that it assigns, and those whose objects it may change."""

    assigned: set[str] = field(default_factory=set)
    changed: set[str] = field(default_factory=set)


def run_unseen(run: Run, function: Function) -> None:
    """A function of the file is called and not followed: what it may change is not known from then on."""
    because = f"{function.name}() may have changed it"
    waiting, seen = [function], {function.node}
    while waiting:
        one = waiting.pop()
        touched = _touched(run, one.node)
        run.step(len(touched.assigned) + len(touched.changed))
        for name in sorted(touched.assigned):
            for number in (*one.frames, 0):
                if run.store.get((number, name)) is not ABSENT:
                    _may_be_assigned(run, number, name, because)
                    break
        for name in sorted(touched.changed):
            places = (run.store.get((number, name)) for number in (*one.frames, 0))
            value = next((value for value in places if value is not ABSENT), ABSENT)
            for _, option in options(value):
                if isinstance(option, Function) and option.node not in seen:
                    seen.add(option.node)
                    waiting.append(option)
                else:
                    handed_away(run, option, f"{one.name}()")


def changed_somewhere(run: Run) -> frozenset[str]:
    """The names that stand for what a function of the file, whenever it is called, may change."""
    if run.touched is None:
        functions = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
        touched = [_touched(run, node) for node in run.relevance.sizes if isinstance(node, functions)]
        run.touched = frozenset().union(*(one.assigned | one.changed for one in touched))
    return run.touched


def anything_assigned(run: Run, because: str) -> None:
    """Every variable of the module may have been assigned."""
    names = run.store.names(0)
    run.step(len(names))
    for name in names:
        _may_be_assigned(run, 0, name, because)


def _may_be_assigned(run: Run, number: int, name: str, because: str) -> None:
    """A variable may have another value; functions, classes and imports are taken to stay what they are."""
    value = run.store.get((number, name))
    if any(isinstance(option, Sure | Maybe | Ref) for _, option in options(value)):
        run.store.set((number, name), _weakened(run, value, because))


def _weakened(run: Run, value: Abstract, because: str) -> Abstract:
    return run.each(value, lambda one: weak(run, one, because) if isinstance(one, Sure | Maybe | Ref) else one)


def _touched(run: Run, node: ast.AST) -> _Touched:
    """What a function does to names that are not its own."""
    own = own_names(run, node)
    found = _Touched()
    parents: dict[ast.AST, ast.AST] = {}
    waiting = [node]
    while waiting:
        one = waiting.pop()
        for child in ast.iter_child_nodes(one):
            parents[child] = one
            waiting.append(child)
        if isinstance(one, ast.Global | ast.Nonlocal):
            found.assigned.update(one.names)
        elif isinstance(one, ast.Name) and one.id not in own and any(_changes(one, parents)):
            found.changed.add(one.id)
    return found


def _changes(name: ast.AST, parents: dict[ast.AST, ast.AST]) -> Iterator[bool]:
    """Whether what stands around a name may change its object, or hand it to what may."""
    top = name
    while isinstance(parents.get(top), ast.Attribute | ast.Subscript) and getattr(parents[top], "value", None) is top:
        top = parents[top]
    above = parents.get(top)
    yield not isinstance(getattr(top, "ctx", ast.Load()), ast.Load)
    if isinstance(above, ast.Call):
        yield above.func is not top or not (isinstance(top, ast.Attribute) and top.attr in _READING)
    yield isinstance(above, ast.Assign | ast.AnnAssign | ast.NamedExpr | ast.Return | ast.Yield | ast.YieldFrom)
