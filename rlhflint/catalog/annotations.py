"""One spelling for equal type annotations, so that `Optional[X]` becoming `X | None` is no change."""

from __future__ import annotations

import ast
from collections.abc import Sequence

_BUILTIN = {"List": "list", "Dict": "dict", "Tuple": "tuple", "Set": "set"}


def spell_type(annotation: ast.expr) -> str:
    """The annotation as `X | None`, `list[X]`, `dict`, unions without repeats.

    The order of three and more parts stays as it is, since upstream's argument parser goes by it.
    """
    parts = list(dict.fromkeys(_union(annotation)))
    if parts[:1] == ["None"] and len(parts) == 2:
        parts.reverse()
    return " | ".join(parts)


def parts_of(spelled: str) -> tuple[str, ...]:
    """The parts of a union as `spell_type` writes it: `dict[str, int | None]` and `None` of those two."""
    parts, depth, start = [], 0, 0
    for index, character in enumerate(spelled):
        if character in "[(":
            depth += 1
        elif character in "])":
            depth -= 1
        elif character == "|" and not depth:
            parts.append(spelled[start:index].strip())
            start = index + 1
    return (*parts, spelled[start:].strip())


def last_name(node: ast.expr) -> str:
    """The name at the end of `a.b.Name`, `Name`, `Name[…]` or `Name(…)`; empty for anything else."""
    while isinstance(node, ast.Call | ast.Subscript):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


def _union(node: ast.expr) -> list[str]:
    match node:
        case ast.Constant(value=str(text)):
            try:
                return _union(ast.parse(text, mode="eval").body)
            except (SyntaxError, ValueError, RecursionError, MemoryError):
                return [text]
        case ast.BinOp(op=ast.BitOr()):
            return _alternatives(node)
        case ast.Subscript(value=base, slice=index):
            return _subscript(last_name(base), index.elts if isinstance(index, ast.Tuple) else [index])
        case ast.Name(id=name):
            return [_BUILTIN.get(name, name)]
    return [ast.unparse(node)]


def _alternatives(node: ast.expr) -> list[str]:
    """The parts of a chain of `|`, which may be longer than the interpreter's stack is deep."""
    parts: list[ast.expr] = []
    while isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        parts.append(node.right)
        node = node.left
    return [spelled for part in [node, *reversed(parts)] for spelled in _union(part)]


def _subscript(base: str, arguments: Sequence[ast.expr]) -> list[str]:
    if base == "Optional":
        return [*_union(arguments[0]), "None"]
    if base == "Union":
        return [part for argument in arguments for part in _union(argument)]
    if base == "Literal":
        return [f"Literal[{', '.join(ast.unparse(argument) for argument in arguments)}]"]
    if base == "Annotated":
        return _union(arguments[0])
    return [f"{_BUILTIN.get(base, base)}[{', '.join(' | '.join(_union(argument)) for argument in arguments)}]"]
