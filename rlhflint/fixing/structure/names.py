"""The names of an import statement: read, added, taken out, and written as a statement of their own."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeAlias

import libcst as cst

from rlhflint.fixing.structure.blanks import NONE, Comments
from rlhflint.fixing.structure.rows import Row

Statement: TypeAlias = cst.Import | cst.ImportFrom
_WIDTH = 88
"""Characters of a new statement up to which it is one line; of longer ones the names stand in brackets, a line each."""


def dotted(node: cst.CSTNode | None) -> str:
    """A name with dots, as it reads without blanks; empty for anything else."""
    if isinstance(node, cst.Name):
        return node.value
    if isinstance(node, cst.Attribute) and (before := dotted(node.value)):
        return f"{before}.{node.attr.value}"
    return ""


def module_of(statement: cst.ImportFrom) -> str:
    """The module behind `from`, its leading dots included."""
    return "." * len(statement.relative) + dotted(statement.module)


def aliases_of(statement: cst.BaseSmallStatement) -> Sequence[cst.ImportAlias]:
    """The names that are imported; none for a star."""
    if isinstance(statement, cst.Import):
        return statement.names
    if isinstance(statement, cst.ImportFrom) and not isinstance(statement.names, cst.ImportStar):
        return statement.names
    return ()


def name_of(alias: cst.ImportAlias) -> str:
    """The imported name."""
    return dotted(alias.name)


def bound_by(alias: cst.ImportAlias) -> str:
    """The name that it has in the file."""
    as_name = dotted(alias.asname.name) if alias.asname is not None else ""
    return as_name or name_of(alias).partition(".")[0]


def renamed(alias: cst.ImportAlias, name: str) -> cst.ImportAlias:
    """The import of another name, under the name that it had."""
    plain = alias.with_changes(comma=cst.MaybeSentinel.DEFAULT)
    if name == name_of(alias):
        return plain
    return plain.with_changes(name=cst.Name(name), asname=alias.asname or cst.AsName(cst.Name(bound_by(alias))))


def without(statement: Statement, indices: Iterable[int]) -> Statement:
    """A statement without some of its names, though not all."""
    return _with(statement, _leaving(indices))


def _leaving(indices: Iterable[int]) -> Callable[[Row[cst.ImportAlias]], None]:
    """Takes names out of a row."""

    def change(row: Row[cst.ImportAlias]) -> None:
        for index in sorted(indices, reverse=True):
            row.remove(index)

    return change


def with_more(statement: Statement, more: Sequence[cst.ImportAlias]) -> Statement:
    """A statement with further names: in their order if the others are sorted, else in front of them or behind.

    A name that the file has from there already is not imported twice.
    """

    def change(row: Row[cst.ImportAlias]) -> None:
        for alias in more:
            if any((name_of(one), bound_by(one)) == (name_of(alias), bound_by(alias)) for one in row.items):
                continue
            row.insert(_index([name_of(one) for one in row.items], name_of(alias)), [alias])

    return _with(statement, change)


def _index(names: list[str], name: str) -> int:
    """Where a name goes among others."""
    for order in (str, str.casefold, _kind):
        if names == sorted(names, key=order):
            return bisect_left(names, order(name), key=order)
    return len(names)


def _kind(name: str) -> tuple[int, str]:
    """The order in which constants come first, then classes, then the rest."""
    return (0 if name.isupper() and len(name) > 1 else 1 if name[:1].isupper() else 2), name


def statement_of(module: str, names: Sequence[cst.ImportAlias], depth: int) -> cst.ImportFrom:
    """A statement of its own: `from module import names`; `depth`: of the block it stands in."""
    comma = cst.Comma(whitespace_after=cst.SimpleWhitespace(" "))
    plain = [one.with_changes(comma=comma) for one in names[:-1]]
    made = cst.ImportFrom(module=module_named(module), names=[*plain, names[-1]])
    if len(names) < 2 or 4 * depth + len(cst.Module([]).code_for_node(made)) <= _WIDTH:
        return made
    inner = cst.ParenthesizedWhitespace(indent=True, last_line=cst.SimpleWhitespace("    "))
    outer = inner.with_changes(last_line=NONE)
    lines = [one.with_changes(comma=cst.Comma(whitespace_after=inner)) for one in names[:-1]]
    last = names[-1].with_changes(comma=cst.Comma(whitespace_after=outer))
    return made.with_changes(lpar=cst.LeftParen(inner), names=[*lines, last], rpar=cst.RightParen())


def moved_whole(statement: cst.ImportFrom, module: str, names: Mapping[int, cst.ImportAlias]) -> Statement:
    """A statement that imports from another module, of its names only `names`, by their numbers."""
    aliases = [
        names[index].with_changes(comma=alias.comma) if index in names else alias
        for index, alias in enumerate(aliases_of(statement))
    ]
    made = statement.with_changes(module=module_named(module), relative=[], names=aliases)
    others = [index for index in range(len(aliases)) if index not in names]
    return _with(made, _leaving(others))


def has_comments(statement: Statement) -> bool:
    """Whether comments stand between its names."""
    found = Comments()
    statement.visit(found)
    return bool(found.found)


def module_named(path: str) -> cst.Attribute | cst.Name:
    """A dotted path as a node."""
    first, *rest = path.split(".")
    node: cst.Attribute | cst.Name = cst.Name(first)
    for name in rest:
        node = cst.Attribute(node, cst.Name(name))
    return node


def _with(statement: Statement, change: Callable[[Row[cst.ImportAlias]], None]) -> Statement:
    """A statement with a change of its names."""
    left = statement.lpar if isinstance(statement, cst.ImportFrom) else None
    right = statement.rpar if isinstance(statement, cst.ImportFrom) else None
    row = Row.of(
        left.whitespace_after if left is not None else NONE,
        aliases_of(statement),
        right.whitespace_before if right is not None else None,
    )
    change(row)
    made = statement.with_changes(
        names=[one.with_changes(comma=row.comma(index)) for index, one in enumerate(row.items)]
    )
    if left is None or right is None:
        return made
    return made.with_changes(
        lpar=left.with_changes(whitespace_after=row.opening), rpar=right.with_changes(whitespace_before=row.closing)
    )
