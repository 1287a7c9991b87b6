"""Functions and classes that the file defines."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import replace

from rlhflint.readers.python.classes import define
from rlhflint.readers.python.frames import Frame
from rlhflint.readers.python.run import Run
from rlhflint.readers.python.values import Abstract, Defined, Entry, Function, Instance, Slot


def function_statement(run: Run, node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """`def`: the function is kept under its name. Whether the next statement is reached: always."""
    decorators = [run.evaluate(run, one) for one in node.decorator_list]
    owner = run.frame.number if isinstance(run.frame.node, ast.ClassDef) else None
    frames = run.frame.outer if owner is not None else run.frame.inner
    name = f"{run.frame.name}.{node.name}" if run.frame.name else node.name
    generator = any(isinstance(inner, ast.Yield | ast.YieldFrom) for inner in _own(node))
    function = Function(node, name, frames, defaults(run, node.args), plain=not decorators and not generator)
    run.bind(node.name, function)
    if run.recording and owner is None:
        run.functions.append(function)
    return True


def _own(node: ast.AST) -> list[ast.AST]:
    """The nodes of a function without those of functions inside it."""
    found: list[ast.AST] = []
    waiting = list(ast.iter_child_nodes(node))
    while waiting:
        one = waiting.pop()
        found.append(one)
        if not isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef):
            waiting += ast.iter_child_nodes(one)
    return found


def class_statement(run: Run, node: ast.ClassDef) -> bool:
    """`class`: the body is run in a frame of its own, and the class kept under its name."""
    bases = tuple(run.evaluate(run, one) for one in node.bases)
    decorators = [run.evaluate(run, one.func if isinstance(one, ast.Call) else one) for one in node.decorator_list]
    name = f"{run.frame.name}.{node.name}" if run.frame.name else node.name
    run.frames.append(Frame(run.number(), name, run.frame.inner, node))
    body = run.frame.number
    try:
        with run.store.layer() as writes:
            run.execute(run, node.body)
    finally:
        run.frames.pop()
    run.store.absorb(writes)
    attributes: dict[object, Slot] = {}
    for key, value in writes.items():
        if isinstance(key, tuple) and key[0] == body:
            attributes[key[1]] = Entry(key[1], value, run.source.span(node))
    place = run.number()
    run.store.set(place, Instance(attributes=attributes))
    defined = define(run, node, bases, decorators, place)
    _adopt(run, defined, attributes)
    run.bind(node.name, defined)
    return True


def _adopt(run: Run, defined: Defined, attributes: Mapping[object, Slot]) -> None:
    """Make the functions of a class body its methods."""
    adopted: dict[object, Slot] = dict(attributes)
    for name, slot in attributes.items():
        if isinstance(slot, Entry) and isinstance(slot.value, Function) and not isinstance(slot.value.node, ast.Lambda):
            method = replace(slot.value, owner=defined)
            adopted[name] = replace(slot, value=method)
            if run.recording:
                run.functions.append(method)
    run.store.set(defined.place, Instance(attributes=adopted))


def defaults(run: Run, node: ast.arguments) -> Mapping[str, Abstract]:
    """The values of the parameters that have a default."""
    positional = [*node.posonlyargs, *node.args]
    given = dict(
        zip([one.arg for one in positional[len(positional) - len(node.defaults) :]], node.defaults, strict=True)
    )
    given |= {one.arg: value for one, value in zip(node.kwonlyargs, node.kw_defaults, strict=True) if value is not None}
    return {name: run.evaluate(run, value) for name, value in given.items()}
