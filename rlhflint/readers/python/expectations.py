"""What tests say of a call: that it is to fail, that it is not run, that another object stands in its place."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from rlhflint.call import Call, Guard
from rlhflint.readers.python.conditions import Test
from rlhflint.readers.python.given import Given, argument
from rlhflint.readers.python.run import Run
from rlhflint.readers.python.values import Abstract, Entry, Function, Imported, Sure, options

_EXPECTING = frozenset(
    {
        "suppress",
        "raises",
        "warns",
        "deprecated_call",
        "RaisesGroup",
        "assertRaises",
        "assertRaisesRegex",
        "assertRaisesRegexp",
        "assertRaisesMessage",
        "assertWarns",
        "assertWarnsRegex",
    }
)
"""What keeps an exception or a warning to itself: contextlib's, pytest's, and unittest's and Django's methods."""
_MARKS = frozenset({"xfail", "expectedFailure", "skip", "skipif", "skipIf", "skipUnless"})
"""Decorators of pytest and unittest for tests that fail, or are not run, under conditions of their own."""
_MAKING = frozenset({"__init__", "__new__", "__post_init__", "__setattr__"})
"""What a class is called by: where it is replaced, the class is."""


def last_name(node: ast.expr) -> str:
    """The name itself, or that behind the last dot; empty for anything else."""
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def expecting(run: Run, manager: ast.expr) -> tuple[str, ...] | None:
    """The exceptions or warnings that a manager of a `with` expects in its body; None where it expects none.

    A manager that a test is given, as parametrized tests are, may expect any.
    """
    if isinstance(manager, ast.Call) and last_name(manager.func) in _EXPECTING:
        return tuple(name for one in manager.args if (name := last_name(one)))
    function = run.frame.node
    if isinstance(manager, ast.Name) and isinstance(function, ast.FunctionDef) and function.name.startswith("test"):
        given = function.args
        if any(one.arg == manager.id for one in (*given.posonlyargs, *given.args, *given.kwonlyargs)):
            return ()
    return None


def guarded(run: Run, node: ast.expr | ast.stmt, words: str, catches: Sequence[str]) -> Test:
    """The test that what is expected to fail at `node` does not."""
    span = run.source.span(node)
    guard = Guard("exception", span, catches=tuple(catches))
    says = (f"{words} does not fail", f"{words} fails")
    return Test(run.number(), frozenset({True}), True, span, says, (guard, guard))


def expect_marked(run: Run, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> None:
    """Note that a test, or every test of a class, is marked as one that fails or is not run."""
    marks = (one.func if isinstance(one, ast.Call) else one for one in node.decorator_list)
    if not any(last_name(mark) in _MARKS for mark in marks):
        return
    if isinstance(node, ast.ClassDef):
        run.expected.update(one for one in node.body if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef))
    run.expected.add(node)


def heed(run: Run, given: Given, node: ast.expr) -> None:
    """Note what a call of something that is not seen says of other calls: that they are to fail, what is replaced."""
    if not isinstance(node, ast.Call):
        return
    name = last_name(node.func)
    if name in _EXPECTING:
        for one in given:
            run.expected.update(option.node for _, option in options(one.value) if isinstance(option, Function))
    elif name in ("patch", "setattr") or (name in ("object", "multiple") and _of_patch(node.func)):
        _replaced_by(run, given, node)


def _of_patch(function: ast.expr) -> bool:
    return isinstance(function, ast.Attribute) and last_name(function.value) == "patch"


def _replaced_by(run: Run, given: Given, node: ast.Call) -> None:
    """`patch("trl.SFTConfig")`, `patch.object(trl, "SFTConfig")`, `patch.multiple(trl, SFTConfig=…)`, `setattr`."""
    target, name = argument(given, 0, "target"), argument(given, 1, "attribute")
    if isinstance(target, Imported):
        if isinstance(name, Sure) and isinstance(name.value, str):
            replace_attribute(run, target, name.value)
        for one in given:
            if isinstance(one, Entry) and isinstance(one.name, str):
                replace_attribute(run, target, one.name)
        return
    module, dot, end = _end_of_text(target, node).rpartition(".")
    if dot:
        replace_attribute(run, Imported(module), end)
    if last_name(node.func) == "multiple":
        run.replaced.update(one.name for one in given if isinstance(one, Entry) and isinstance(one.name, str))


def _end_of_text(value: Abstract | None, node: ast.Call) -> str:
    """A text as far as it is known from its end: `f"{__name__}.SFTConfig"`."""
    if isinstance(value, Sure) and isinstance(value.value, str):
        return value.value
    last = node.args[0].values[-1] if node.args and isinstance(node.args[0], ast.JoinedStr) else None
    return last.value if isinstance(last, ast.Constant) and isinstance(last.value, str) else ""


def replace_attribute(run: Run, owner: Imported, name: str) -> None:
    """Note that an attribute of a module or class gets another value: a class by its name, wherever it is from."""
    run.replaced.add(owner.path.rpartition(".")[2] if name in _MAKING else name)


def replaced_guards(run: Run, call: Call) -> tuple[Guard, ...]:
    """A guard of a call whose target, or the class of whose method, the file replaces somewhere."""
    return () if run.replaced.isdisjoint(call.target.split(".")[1:]) else (Guard("replaced", call.span),)
