"""The stretches of a Python text that arguments can change in: each is taken apart by itself, when it is asked for.

A file may be long, and taking it apart costs far more than reading it; a call is short.
"""

from __future__ import annotations

import ast
from bisect import bisect_right
from functools import lru_cache

import libcst as cst

from rlhflint.command import Problem
from rlhflint.fixing.doubt import Doubt
from rlhflint.fixing.python_text import Changed
from rlhflint.fixing.structure.tree import Tree
from rlhflint.readers.python.source import Source
from rlhflint.text import Traced


class Stretch:
    """A call or dictionary that stands in no other one. Places in it are bytes of `tree`'s text."""

    def __init__(self, text: str, start: int, end: int) -> None:
        """Raises `Doubt` where it cannot be taken apart and put together again."""
        # In brackets it may go over several lines, as it may where it stands.
        self.tree = Tree(f"({text[start:end]})")
        self._ahead = start - 1

    def place(self, start: int, end: int) -> tuple[int, int]:
        """The first byte and the number of bytes of some characters of the text."""
        return self.tree.bytes_at(start - self._ahead, end - self._ahead)

    def changed(self, transformer: cst.CSTTransformer) -> list[Changed]:
        """The changes of the text where the stretch is transformed."""
        return [
            Changed(one.start + self._ahead, one.end + self._ahead, one.text)
            for one in self.tree.changed({0: transformer})
        ]


class Stretches:
    """All stretches of a text, in their order."""

    def __init__(self, text: str) -> None:
        self._text = text
        source = Source("", [Traced.of_file("", text)])
        self._bounds = sorted(
            (source.start(node), source.end(node))
            for module in source.parse()
            if not isinstance(module, Problem)
            for node in _outermost(module)
        )
        self._apart: dict[int, Stretch] = {}

    def around(self, start: int, end: int) -> Stretch:
        """The stretch that some characters stand in. Raises `Doubt` where they stand in none."""
        index = bisect_right(self._bounds, start, key=lambda one: one[0]) - 1
        if index < 0 or end > self._bounds[index][1]:
            raise Doubt("it is written in no call")
        if index not in self._apart:
            self._apart[index] = Stretch(self._text, *self._bounds[index])
        return self._apart[index]


def _outermost(module: ast.Module) -> list[ast.expr]:
    found: list[ast.expr] = []
    waiting: list[ast.AST] = [module]
    while waiting:
        node = waiting.pop()
        if isinstance(node, (ast.Call, ast.Dict)):
            found.append(node)
        elif not isinstance(node, ast.JoinedStr):  # Python 3.11 does not place what is inside
            waiting += ast.iter_child_nodes(node)
    return found


@lru_cache(maxsize=4)
def stretches_of(text: str) -> Stretches:
    """The stretches of a text. A text that is no Python has none."""
    return Stretches(text)
