"""Which functions of a module have to do with what the framework watches; the others need not be followed."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence

_Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda


def relevant(trees: Sequence[ast.Module], watch: Callable[[str], bool]) -> set[ast.AST]:
    """The functions that name something watched, or a function or class of the file that does.

    Names are taken as they are written, whatever they mean where they stand: too many functions may be found, none is
    missed.
    """
    definitions: list[tuple[_Definition, set[str]]] = []
    watched: set[str] = set()
    for tree in trees:
        _collect(tree, definitions, watched, watch)
    if "*" in watched:
        return {node for node, _ in definitions}
    found: set[ast.AST] = set()
    growing = True
    while growing:
        growing = False
        for node, names in definitions:
            if node not in found and not names.isdisjoint(watched):
                found.add(node)
                if not isinstance(node, ast.Lambda):
                    watched.add(node.name)
                growing = True
    return found


def _collect(
    tree: ast.AST,
    definitions: list[tuple[_Definition, set[str]]],
    watched: set[str],
    watch: Callable[[str], bool],
) -> None:
    """Note the definitions in a tree with the names that each uses, and the names that watched imports bind."""
    waiting: list[tuple[ast.AST, list[set[str]]]] = [(tree, [])]
    while waiting:
        node, inside = waiting.pop()
        if isinstance(node, _Definition):
            names: set[str] = set()
            definitions.append((node, names))
            inside = [*inside, names]
        used: list[str] = []
        if isinstance(node, ast.Name):
            used = [node.id]
        elif isinstance(node, ast.Attribute):
            used = [node.attr]
        elif isinstance(node, ast.Import | ast.ImportFrom):
            module = "" if isinstance(node, ast.Import) else f"{node.module or ''}."
            used = [
                alias.asname or alias.name.partition(".")[0] for alias in node.names if watch(f"{module}{alias.name}")
            ]
            if isinstance(node, ast.ImportFrom) and any(alias.name == "*" for alias in node.names):
                used.append("*")
            watched.update(used)
        for names in inside:
            names.update(used)
        waiting += ((child, inside) for child in ast.iter_child_nodes(node))
