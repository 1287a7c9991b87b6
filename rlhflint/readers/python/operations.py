"""Arithmetic and other operators between values."""

from __future__ import annotations

import ast

from rlhflint.readers.python import constants
from rlhflint.readers.python.containers import listed, with_table
from rlhflint.readers.python.decisions import package_of
from rlhflint.readers.python.run import Run
from rlhflint.readers.python.values import Abstract, Imported, Items, Maybe, Open, Release, Sure, Table


def binary(run: Run, kind: type[ast.operator], left: Abstract, right: Abstract, node: ast.AST) -> Abstract:
    """`left + right` and so on, of two single values that `node` gives."""
    states = [run.behind(value) for value in (left, right)]
    first, second = states
    if isinstance(first, Table) and kind is ast.BitOr:
        return run.each(second, lambda other: run.allocate(with_table(run, first, other, _words(run, node))))
    if isinstance(first, Items) and isinstance(second, Items) and kind is ast.Add:
        return run.allocate(listed(first.kind, (*first.slots, *second.slots), first.more or second.more))
    if isinstance(first, Sure | Maybe) and isinstance(second, Sure | Maybe):
        one = first.value if isinstance(first, Sure) else first.default
        other = second.value if isinstance(second, Sure) else second.default
        try:
            result = constants.binary(kind, one, other)
        except constants.NotWorkedOut:
            return run.unknown(_words(run, node))
        doubts = [value.because for value in (first, second) if isinstance(value, Maybe)]
        return Maybe(result, "; ".join(dict.fromkeys(doubts)), run.number()) if doubts else Sure(result)
    for value in states:
        if isinstance(value, Open):
            return run.unknown(value.because, probe=value.probe)
        if isinstance(value, Imported | Release):
            package = value.package if isinstance(value, Release) else package_of(run, value)
            return run.unknown(_words(run, node), probe=package)
    return run.unknown(_words(run, node))


def _words(run: Run, node: ast.AST) -> str:
    shown = run.source.words(node) if isinstance(node, ast.expr) else "the result"
    return f"{shown} is only known when it runs"
