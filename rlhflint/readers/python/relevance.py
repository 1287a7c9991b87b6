"""Which parts of a module have to do with what the framework watches; others are followed if they are short."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import field

from rlhflint.records import dataclass

_Named = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
_Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
_Part = _Named | ast.Lambda | ast.For | ast.AsyncFor


@dataclass(frozen=True, slots=True)
class Relevance:
    """`parts` are the functions, classes and loops that use a name that leads to something watched.

    Names are taken as they are written, whatever they mean where they stand: too many parts may be found, none is
    missed. `sizes` are the numbers of nodes of all parts. `generators` are the functions that `yield`.
    """

    parts: frozenset[ast.AST] = frozenset()
    sizes: dict[ast.AST, int] = field(default_factory=dict)
    generators: frozenset[ast.AST] = frozenset()


def relevance(trees: Sequence[ast.Module], watch: Callable[[str], bool]) -> Relevance:
    """What concerns the watched names in the parts of a module."""
    seen = _seen(trees, watch)
    if "*" in seen.watched:
        return Relevance(frozenset(seen.uses), seen.sizes, frozenset(seen.generators))
    found: set[ast.AST] = set()
    growing = True
    while growing:
        growing = False
        for node, names in seen.uses.items():
            if node not in found and not names.isdisjoint(seen.watched):
                found.add(node)
                if isinstance(node, _Named):
                    seen.watched.add(node.name)
                growing = True
    return Relevance(frozenset(found), seen.sizes, frozenset(seen.generators))


@dataclass(slots=True)
class _Seen:
    """The names that each part uses, its size, the names that watched imports bind, and the functions that `yield`."""

    uses: dict[_Part, set[str]] = field(default_factory=dict)
    sizes: dict[ast.AST, int] = field(default_factory=dict)
    watched: set[str] = field(default_factory=set)
    generators: set[ast.AST] = field(default_factory=set)


def _seen(trees: Sequence[ast.Module], watch: Callable[[str], bool]) -> _Seen:
    seen = _Seen()
    uses, sizes = seen.uses, seen.sizes
    waiting: list[tuple[ast.AST, tuple[_Part, ...]]] = [(tree, ()) for tree in trees]
    while waiting:
        node, inside = waiting.pop()
        if isinstance(node, _Part):
            uses[node], sizes[node] = set(), 0
            inside = (*inside, node)
        names = _used(node)
        if isinstance(node, ast.Import | ast.ImportFrom):
            names = _bound(node, watch)
            seen.watched.update(names)
        elif isinstance(node, ast.Yield | ast.YieldFrom):
            seen.generators.update([part for part in inside if isinstance(part, _Function)][-1:])
        for part in inside:
            uses[part].update(names)
            sizes[part] += 1
        waiting += ((child, inside) for child in ast.iter_child_nodes(node))
    return seen


def _used(node: ast.AST) -> list[str]:
    if isinstance(node, ast.Name):
        return [node.id]
    return [node.attr] if isinstance(node, ast.Attribute) else []


def _bound(node: ast.Import | ast.ImportFrom, watch: Callable[[str], bool]) -> list[str]:
    """The names that an import binds to something watched; `*` for a star import."""
    if isinstance(node, ast.Import):
        return [alias.asname or alias.name.partition(".")[0] for alias in node.names if watch(alias.name)]
    module = "." * node.level + (node.module or "")
    names = [alias.asname or alias.name for alias in node.names if watch(f"{module}.{alias.name}")]
    return [*names, *("*" for alias in node.names if alias.name == "*" and watch(module))]
