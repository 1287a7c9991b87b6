"""Whether an expression means the same in another call of the same Python text."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from rlhflint.fixing.doubt import Doubt
from rlhflint.fixing.python_text import python_of, pythons_of

if TYPE_CHECKING:
    from rlhflint.call import Argument, Call
    from rlhflint.source import Source
    from rlhflint.text import Span


def reaches(argument: Argument, call: Call, source: Source) -> None:
    """Raise `Doubt` unless the value of an argument is the same where `call` is made, before it.

    That is so for literals, for expressions of names that are bound before the call and not bound again up to the
    argument, and where the call is itself an argument beside it. The cells of a notebook count as one text.
    """
    span = argument.value_span
    if span is None or span.path != source.path:
        raise Doubt(f"the value of {argument.name} is not written out")
    if argument.literal == span:
        return
    doubt = Doubt(f"the value of {argument.name} may be another one where the configuration is made")
    try:
        names = _names(ast.parse(f"({python_of(source, span).written(span)}\n)", mode="eval"))
        scopes = _scopes("\n".join(text.text for text in pythons_of(source)))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise doubt from None
    one, other = _place(source, call.span), _place(source, span)
    if any(one in values and other in values for values in scopes.calls):
        return
    first, last = one[0], other[0]
    if scopes.function(first) != scopes.function(last):
        raise doubt
    bound = [(name, line) for name, line in scopes.bindings if name in names]
    if any(not any(one == name and line < first for one, line in bound) for name in names):
        raise doubt
    if any(first <= line <= last for _, line in bound):
        raise doubt


def _place(source: Source, span: Span) -> tuple[int, int]:
    """The line that a place of the file is on, the cells of a notebook joined, and its byte there, as `ast` counts."""
    own = python_of(source, span)
    texts = pythons_of(source)
    before = texts[: next(index for index, text in enumerate(texts) if text is own)]
    lines = sum(text.text.count("\n") + 1 for text in before)
    start = own.place(span)[0]
    line = own.text.rfind("\n", 0, start) + 1
    return lines + own.text.count("\n", 0, start) + 1, len(own.text[line:start].encode())


class _Scopes(NamedTuple):
    """What there is in a text."""

    functions: Sequence[tuple[int, int]]
    """Their first and last lines."""
    bindings: Sequence[tuple[str, int]]
    """Every name that is bound, with its line."""
    calls: Sequence[set[tuple[int, int]]]
    """Of each where its arguments begin: the line, and the byte there."""

    def function(self, line: int) -> tuple[int, int] | None:
        """The innermost function that a line stands in."""
        return max((one for one in self.functions if one[0] <= line <= one[1]), default=None)


@lru_cache(maxsize=2)
def _scopes(text: str) -> _Scopes:
    """Raises what `ast.parse` does."""
    functions: list[tuple[int, int]] = []
    bindings: list[tuple[str, int]] = []
    calls: list[set[tuple[int, int]]] = []
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            functions.append((node.lineno, node.end_lineno or node.lineno))
        if isinstance(node, ast.Call):
            values = [*node.args, *(keyword.value for keyword in node.keywords)]
            calls.append({(value.lineno, value.col_offset) for value in values})
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            bindings.append((node.id, node.lineno))
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            bindings.append((node.name, node.lineno))
        elif isinstance(node, ast.arg):
            bindings.append((node.arg, node.lineno))
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            bindings += [((one.asname or one.name).partition(".")[0], node.lineno) for one in node.names]
    return _Scopes(functions, bindings, calls)


def _names(tree: ast.AST) -> set[str]:
    """The names that an expression reads. Raises `ValueError` where it does more than read."""
    for node in ast.walk(tree):
        if isinstance(
            node, (ast.Call, ast.Lambda, ast.NamedExpr, ast.Await, ast.Yield, ast.YieldFrom, ast.comprehension)
        ):
            raise ValueError("it does more than read")
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
