"""Imports that nothing needs any more, since what used them was changed."""

from __future__ import annotations

import ast
import io
import os
import tokenize
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from rlhflint.expressions import expression
from rlhflint.fixing.doubt import Doubt
from rlhflint.fixing.plan import Planned
from rlhflint.fixing.python_text import pythons_of
from rlhflint.proposal import Change, Rewrite

if TYPE_CHECKING:
    from rlhflint.source import Source

_WORD = expression(r"\w+")


def left_unused(before: Mapping[str, Source], now: Mapping[str, Source]) -> list[Planned]:
    """Fixes that take out imported names of scripts and notebooks that were used before, and are used nowhere now.

    `before` and `now` are the files as they were and as they are, by path. An import stays where something else may
    want it: in an `__init__.py`, under its own name (`import x as x`), in `__all__` or any other text, behind a `noqa`,
    in a branch.
    """
    found: list[Planned] = []
    for path, source in now.items():
        old = before.get(path)
        if old is None or old.text == source.text or not path.endswith((".py", ".ipynb")):
            continue
        if os.path.basename(path) == "__init__.py":
            continue
        names = _no_longer_used(old, source)
        if names:
            found += _planned(names, source)
    return found


def _planned(names: set[str], source: Source) -> Iterator[Planned]:
    from rlhflint.fixing.structure.unused import taken_out

    try:
        edits = tuple(taken_out(names, source))
    except Doubt:
        return
    if edits:
        changes: tuple[Change, ...] = tuple(Rewrite(edit.span, edit.text) for edit in edits)
        yield Planned(f"Remove the import of {' and '.join(sorted(names))}", edits, changes)


def _no_longer_used(before: Source, now: Source) -> set[str]:
    """The imported names that occurred besides their import in one text and do not in another."""
    try:
        imported = {name for text in pythons_of(now) for name in _imported(text.text)}
        return imported & set(_used(before)) - set(_used(now))
    except (SyntaxError, ValueError, RecursionError, MemoryError, tokenize.TokenError):
        return set()


def _used(source: Source) -> Iterator[str]:
    """The words of a file outside of imports."""
    for text in pythons_of(source):
        yield from _words(text.text)
    if source.path.endswith(".ipynb"):
        yield from _words_beside(source)


def _words_beside(source: Source) -> Iterator[str]:
    """The words of a notebook that are no Python: of its other cells, and of the lines that are for IPython."""
    from rlhflint.readers.notebook import read_notebook

    read = read_notebook(source.path, source.text)
    lines = {line for text in read.python for line in text.text.split("\n")}
    for cell in read.cells:
        for line in cell.text.text.split("\n"):
            if cell.kind != "code" or line not in lines:
                yield from _WORD.findall(line)


def _imported(text: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            for alias in node.names:
                yield alias.asname or alias.name.partition(".")[0]


def _words(text: str) -> Iterator[str]:
    """The words outside of imports and of comments that say nothing of types."""
    lines = _of_imports(ast.parse(text))
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        comment = token.type == tokenize.COMMENT and "type:" not in token.string
        if not comment and not any(start <= token.start < end for start, end in lines.get(token.start[0], ())):
            yield from _WORD.findall(token.string)


def _of_imports(module: ast.Module) -> dict[int, list[tuple[tuple[int, int], tuple[int, int]]]]:
    """Where imports begin and end, by the lines they stand on."""
    found: dict[int, list[tuple[tuple[int, int], tuple[int, int]]]] = {}
    for node in ast.walk(module):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            place = (node.lineno, node.col_offset), (node.end_lineno or 0, node.end_col_offset or 0)
            for line in range(node.lineno, (node.end_lineno or node.lineno) + 1):
                found.setdefault(line, []).append(place)
    return found
