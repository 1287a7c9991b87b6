"""Python source made a syntax tree, and nothing said about it that its owner did not ask for."""

from __future__ import annotations

import ast
import warnings


class TooDeep(ValueError):
    """The source is nested more deeply than the parser goes, or takes more memory than there is."""


def syntax_tree(source: str | bytes) -> ast.Module:
    """The syntax tree of a module. Nothing of it is run.

    What Python warns of (`"\\d"`, `1if x`) is its own reader's business: it would be printed among the findings.

    Raises:
        SyntaxError: it is no Python.
        ValueError: it holds a NUL character, or is `TooDeep`.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return ast.parse(source)
        except (RecursionError, MemoryError):
            raise TooDeep("nested too deeply") from None
