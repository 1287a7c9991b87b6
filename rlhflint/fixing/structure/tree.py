"""A Python text taken apart: its statements, and the nodes at places of it."""

from __future__ import annotations

import ast
from bisect import bisect_right
from collections.abc import Mapping
from functools import cached_property, lru_cache
from typing import TypeAlias

import libcst as cst
from libcst.metadata import ByteSpanPositionProvider, MetadataWrapper

from rlhflint.fixing.doubt import Doubt
from rlhflint.fixing.python_text import Changed
from rlhflint.fixing.structure.difference import difference

Rowed: TypeAlias = cst.Call | cst.Dict
_MOST = 500
"""Operands of `and` and `or` in a row."""
_NOT_APART = "the file cannot be taken apart"


class Tree:
    """A text and its nodes."""

    def __init__(self, text: str) -> None:
        """Raises `Doubt` where the text cannot be taken apart and put together again."""
        self.text = text
        if not _is_flat(text):
            raise Doubt(_NOT_APART)
        try:
            wrapper = MetadataWrapper(cst.parse_module(text), unsafe_skip_copy=True)
            self.module = wrapper.module
            self._places = wrapper.resolve(ByteSpanPositionProvider)
            head = "".join(map(self.module.code_for_node, self.module.header))
            self._codes = [self.code(index, statement) for index, statement in enumerate(self.module.body)]
        except (cst.ParserSyntaxError, RecursionError, KeyError, ValueError):
            raise Doubt(_NOT_APART) from None
        self._starts = [len(head)]
        for code in self._codes:
            self._starts.append(self._starts[-1] + len(code))
        if head + "".join(self._codes) != text[: self._starts[-1]]:
            raise Doubt(_NOT_APART)

    def code(self, index: int, statement: cst.CSTNode) -> str:
        """The text of a statement that stands at a place of the top, with the lines in front of it that are none."""
        code = self.module.code_for_node(statement)
        if not self.module.has_trailing_newline and index == len(self.module.body) - 1:
            return code.removesuffix(self.module.default_newline)
        return code

    def place(self, node: cst.CSTNode) -> tuple[int, int]:
        """The first byte of a node, without brackets around it, and the number of its bytes."""
        place = self._places[node]
        return place.start, place.length

    def top(self, node: cst.CSTNode) -> int:
        """The number of the statement at the top that a node stands in."""
        starts = [self._places[statement].start for statement in self.module.body]
        return bisect_right(starts, self._places[node].start) - 1

    def bytes_at(self, start: int, end: int) -> tuple[int, int]:
        """The first byte and the number of bytes of some characters."""
        if self.text.isascii():
            return start, end - start
        return len(self.text[:start].encode()), len(self.text[start:end].encode())

    @cached_property
    def rows(self) -> list[tuple[Rowed, int, int]]:
        """The calls and dictionaries, each with its first byte and the number of its bytes."""
        return [
            (node, place.start, place.length)
            for node, place in self._places.items()
            if isinstance(node, (cst.Call, cst.Dict))
        ]

    @cached_property
    def calls(self) -> dict[tuple[int, int], cst.Call]:
        """The calls by their place."""
        return {(start, length): node for node, start, length in self.rows if isinstance(node, cst.Call)}

    @cached_property
    def attributes(self) -> list[cst.Attribute]:
        """Whatever is reached by a dot."""
        return [node for node in self._places if isinstance(node, cst.Attribute)]

    def changed(self, made: Mapping[int, cst.CSTTransformer]) -> list[Changed]:
        """The changes of the text where statements at the top, by their numbers, are transformed."""
        found: list[Changed] = []
        for index, transformer in sorted(made.items()):
            statement = self.module.body[index].visit(transformer)
            after = "" if isinstance(statement, cst.RemovalSentinel) else self._written(index, statement)
            found += difference(self._codes[index], after, self._starts[index])
        return found

    def _written(self, index: int, made: cst.CSTNode | cst.FlattenSentinel[cst.CSTNode]) -> str:
        if not isinstance(made, cst.FlattenSentinel):
            return self.code(index, made)
        *others, last = made
        return "".join([*map(self.module.code_for_node, others), self.code(index, last)])


def _is_flat(text: str) -> bool:
    """Whether libcst can take a text apart: each `and` and `or` of a row is a level deeper to it, down to its end."""
    try:
        nodes = ast.walk(ast.parse(text))
        return all(len(node.values) <= _MOST for node in nodes if isinstance(node, ast.BoolOp))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False


@lru_cache(maxsize=4)
def tree_of(text: str) -> Tree:
    """A text taken apart. Raises `Doubt`."""
    return Tree(text)
