"""The names a Python module defines and imports, read from its text."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import field

from rlhflint.catalog.source.class_source import ClassSource, listed_json_fields, read_class
from rlhflint.python_syntax import syntax_tree
from rlhflint.records import dataclass


@dataclass(frozen=True, slots=True)
class ModuleSource:
    """One module.

    `names` maps what can be imported from it to a dotted origin: its own definition (`trl.core.set_seed`) or where
    it got it from (`transformers.Trainer`). `stars` are the modules it imports `*` from. `lazy`: the names come from
    a table that is read on first use, as the packages of transformers and TRL do; only the table counts then.
    """

    name: str
    names: dict[str, str] = field(default_factory=dict)
    classes: dict[str, ClassSource] = field(default_factory=dict)
    stars: tuple[str, ...] = ()
    lazy: bool = False


def read_module(text: str, name: str, *, package: bool) -> ModuleSource:
    """Reads a module called `name`; `package` says that the text is its `__init__.py`.

    Raises SyntaxError for text that is no Python, and ValueError for text that holds a NUL character, is nested too
    deeply or is too large to be read.
    """
    try:
        return _read(syntax_tree(text), name, package)
    except (RecursionError, MemoryError) as error:
        raise ValueError(f"{name}: nested too deeply") from error


def _read(tree: ast.Module, name: str, package: bool) -> ModuleSource:
    names: dict[str, str] = {}
    stars: list[str] = []
    definitions: list[ast.ClassDef] = []
    for statement in top_level(tree.body):
        match statement:
            case ast.ImportFrom(names=imported):
                source = absolute(statement, name, package)
                for alias in imported:
                    if alias.name == "*":
                        stars.append(source)
                    else:
                        names[alias.asname or alias.name] = f"{source}.{alias.name}"
            case ast.Import(names=imported):
                for alias in imported:
                    first = alias.name.partition(".")[0]
                    names[alias.asname or first] = alias.name if alias.asname else first
            case ast.ClassDef(name=defined):
                names[defined] = f"{name}.{defined}"
                definitions.append(statement)
            case ast.FunctionDef(name=defined) | ast.AsyncFunctionDef(name=defined):
                names[defined] = f"{name}.{defined}"
            case ast.Assign(targets=targets):
                for target in targets:
                    for part in ast.walk(target):
                        if isinstance(part, ast.Name):
                            names[part.id] = f"{name}.{part.id}"
            case ast.AnnAssign(target=ast.Name(id=defined), value=ast.expr()):
                names[defined] = f"{name}.{defined}"
    json_fields = listed_json_fields(tree.body)
    classes = {node.name: read_class(node, name, names, json_fields) for node in definitions}
    table = dict(_lazy_table(tree, name))
    if table:
        return ModuleSource(name, table, classes, lazy=True)
    return ModuleSource(name, names, classes, tuple(stars))


def top_level(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements of a module and of the `if`, `try` and `with` around some of them, in order."""
    stack = [iter(body)]
    while stack:
        statement = next(stack[-1], None)
        if statement is None:
            stack.pop()
            continue
        yield statement
        if isinstance(statement, ast.If | ast.Try | ast.With):
            inner: list[ast.stmt] = []
            for part in ("body", "handlers", "orelse", "finalbody"):
                for child in getattr(statement, part, []):
                    inner.extend(child.body if isinstance(child, ast.ExceptHandler) else [child])
            stack.append(iter(inner))


def absolute(statement: ast.ImportFrom, module: str, package: bool) -> str:
    """The module that a `from … import` names, relative ones made absolute."""
    if not statement.level:
        return statement.module or ""
    parts = module.split(".")
    kept = len(parts) - statement.level + (1 if package else 0)
    return ".".join([*parts[: max(kept, 0)], *([statement.module] if statement.module else [])])


def _lazy_table(tree: ast.Module, package: str) -> Iterator[tuple[str, str]]:
    """The names in `_import_structure`, those added to it later included."""
    for node in ast.walk(tree):
        match node:
            case ast.Assign(targets=[ast.Name(id="_import_structure")], value=ast.Dict(keys=keys, values=values)):
                for key, value in zip(keys, values, strict=True):
                    if isinstance(key, ast.Constant) and type(key.value) is str:
                        first = key.value.partition(".")[0]
                        yield first, f"{package}.{first}"
                        yield from _listed(f"{package}.{key.value}", value)
            case ast.Call(
                func=ast.Attribute(
                    value=ast.Subscript(value=ast.Name(id="_import_structure"), slice=ast.Constant(value=str(module))),
                    attr="extend" | "append",
                ),
                args=[value],
            ):
                yield from _listed(f"{package}.{module}", value)
            case ast.Assign(
                targets=[ast.Subscript(value=ast.Name(id="_import_structure"), slice=ast.Constant(value=str(module)))],
                value=value,
            ):
                yield from _listed(f"{package}.{module}", value)


def _listed(module: str, value: ast.expr) -> Iterator[tuple[str, str]]:
    for part in ast.walk(value):
        if isinstance(part, ast.Constant) and type(part.value) is str:
            yield part.value, f"{module}.{part.value}"
