"""Whether an expression means the same in another call of the same Python text."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from rlhflint.fixing.doubt import Doubt

if TYPE_CHECKING:
    from rlhflint.call import Argument, Call
    from rlhflint.source import Source


def reaches(argument: Argument, call: Call, source: Source) -> None:
    """Raise `Doubt` unless the value of an argument is the same where `call` is made, before it.

    That is so for literals, for expressions of names that are bound before the call and not bound again up to the
    argument, and where the call is itself an argument beside it.
    """
    span = argument.value_span
    if span is None or span.path != source.path:
        raise Doubt(f"the value of {argument.name} is not written out")
    doubt = Doubt(f"the value of {argument.name} may be another one where the configuration is made")
    if argument.literal == span:
        return
    try:
        names = _names(ast.parse(source.text[span.start : span.end], mode="eval"))
        module = ast.parse(source.text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise doubt from None
    if _beside(module, _place(source.text, call.span.start), _place(source.text, span.start)):
        return
    first = source.text.count("\n", 0, call.span.start) + 1
    last = source.text.count("\n", 0, span.start) + 1
    if _function(module, first) is not _function(module, last):
        raise doubt
    bound = [(name, line) for name, line in _bindings(module) if name in names]
    if any(not any(one == name and line < first for one, line in bound) for name in names):
        raise doubt
    if any(first <= line <= last for _, line in bound):
        raise doubt


def _place(text: str, offset: int) -> tuple[int, int]:
    """The line of a character and its byte in it, as `ast` counts them."""
    line = text.rfind("\n", 0, offset) + 1
    return text.count("\n", 0, offset) + 1, len(text[line:offset].encode())


def _beside(module: ast.AST, one: tuple[int, int], other: tuple[int, int]) -> bool:
    """Whether two places are those of two arguments of one call."""
    for node in ast.walk(module):
        if isinstance(node, ast.Call):
            values = [*node.args, *(keyword.value for keyword in node.keywords)]
            if {one, other} <= {(value.lineno, value.col_offset) for value in values}:
                return True
    return False


def _function(module: ast.AST, line: int) -> ast.AST | None:
    """The innermost function that a line stands in."""
    around = [
        node
        for node in ast.walk(module)
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.lineno <= line <= (node.end_lineno or 0)
    ]
    return max(around, key=lambda node: node.lineno, default=None)


def _names(tree: ast.AST) -> set[str]:
    """The names that an expression reads. Raises `ValueError` where it does more than read."""
    for node in ast.walk(tree):
        if isinstance(
            node, (ast.Call, ast.Lambda, ast.NamedExpr, ast.Await, ast.Yield, ast.YieldFrom, ast.comprehension)
        ):
            raise ValueError("it does more than read")
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}


def _bindings(module: ast.AST) -> list[tuple[str, int]]:
    """Every name that is bound in a text, with its line."""
    found: list[tuple[str, int]] = []
    for node in ast.walk(module):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            found.append((node.id, node.lineno))
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            found.append((node.name, node.lineno))
        elif isinstance(node, ast.arg):
            found.append((node.arg, node.lineno))
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            found += [((one.asname or one.name).partition(".")[0], node.lineno) for one in node.names]
    return found
