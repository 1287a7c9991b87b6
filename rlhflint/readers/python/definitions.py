"""Functions and classes that the file defines."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias

from rlhflint.call import Origin
from rlhflint.readers.python.classes import define
from rlhflint.readers.python.expectations import expect_marked
from rlhflint.readers.python.frames import Frame
from rlhflint.readers.python.run import Run
from rlhflint.readers.python.values import Abstract, Defined, Entry, Function, Instance, Open, Slot

Definition: TypeAlias = "ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef"


def function_statement(run: Run, node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """`def`: the function is kept under its name. Whether the next statement is reached: always."""
    decorators = [run.evaluate(run, one) for one in node.decorator_list]
    expect_marked(run, node)
    plain = node not in run.relevance.generators and all(isinstance(one, Function) for one in decorators)
    owner = run.frame.number if isinstance(run.frame.node, ast.ClassDef) else None
    frames = run.frame.outer if owner is not None else run.frame.inner
    name = f"{run.frame.name}.{node.name}" if run.frame.name else node.name
    function = Function(node, name, frames, defaults(run, node.args), plain=plain)
    value = _decorated(run, function, node, decorators)
    run.bind(node.name, replace(function, plain=False) if isinstance(value, Open) else value)
    if run.recording and (owner is None or value is not function):
        run.functions.append(function)
    return True


def class_statement(run: Run, node: ast.ClassDef) -> bool:
    """`class`: the body is run in a frame of its own, and the class kept under its name."""
    bases = tuple(run.evaluate(run, one) for one in node.bases)
    decorators = [run.evaluate(run, one.func if isinstance(one, ast.Call) else one) for one in node.decorator_list]
    expect_marked(run, node)
    for keyword in node.keywords:
        run.evaluate(run, keyword.value)
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
    made = [
        run.evaluate(run, expression) if isinstance(one, Function) and isinstance(expression, ast.Call) else one
        for one, expression in zip(decorators, node.decorator_list, strict=True)
    ]
    run.bind(node.name, _decorated(run, defined, node, made))
    return True


def _decorated(run: Run, value: Abstract, node: Definition, decorators: Sequence[Abstract]) -> Abstract:
    """What the decorators of the file make of a function or class; others are taken to leave it what it is."""
    for decorator, expression in zip(reversed(decorators), reversed(node.decorator_list), strict=True):
        if isinstance(decorator, Function):
            given = Entry(0, value, run.source.span(node), origin=Origin.POSITION)
            value = run.call(run, decorator, (given,), expression)
    return value


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
