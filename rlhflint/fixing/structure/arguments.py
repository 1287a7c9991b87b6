"""Arguments of calls, and keys of dictionaries: added and taken out in the style of the others."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import field
from typing import TYPE_CHECKING

import libcst as cst

from rlhflint.fixing.doubt import Doubt
from rlhflint.fixing.python import Rearranged, Removed
from rlhflint.fixing.python_text import PythonText, python_of
from rlhflint.fixing.structure.blanks import NONE, Comments, breaks
from rlhflint.fixing.structure.rows import Item, Row
from rlhflint.fixing.structure.tree import Rowed, Tree, tree_of
from rlhflint.records import dataclass

if TYPE_CHECKING:
    from rlhflint.finding import Edit
    from rlhflint.source import Source
    from rlhflint.text import Span


def rearranged(changes: Iterable[Rearranged], source: Source) -> list[Edit]:
    """The edits that make the changes of arguments in one file, all of them together.

    Comments stay, except those within a value that is moved. Raises `Doubt` where something cannot be found, or cannot
    be written there.
    """
    texts: dict[int, tuple[PythonText, list[Rearranged]]] = {}
    for change in changes:
        text = python_of(source, change.span if isinstance(change, Removed) else change.behind)
        texts.setdefault(id(text), (text, []))[1].append(change)
    edits: list[Edit] = []
    for text, some in texts.values():
        tree = tree_of(text.text)
        plan = _Plan(tree, text)
        for change in some:
            plan.add(change)
        edits += text.edits(tree.changed({tree.top(node): plan for node in plan.changes}))
    return edits


@dataclass(slots=True)
class _Changes:
    """What is done to one call or dictionary, by the numbers of its items."""

    removed: dict[int, list[cst.Comment]] = field(default_factory=dict)
    """The comments in each that stay."""
    inserted: dict[int, list[tuple[str, str]]] = field(default_factory=dict)
    """Behind each: names and values."""


class _Plan(cst.CSTTransformer):
    """The changes of all calls and dictionaries of a text."""

    def __init__(self, tree: Tree, text: PythonText) -> None:
        super().__init__()
        self.tree = tree
        self.text = text
        self.changes: dict[Rowed, _Changes] = {}

    def add(self, change: Rearranged) -> None:
        """Add a change. Raises `Doubt`."""
        if isinstance(change, Removed):
            node, index = self._item(change.span)
            self._of(node).removed[index] = _comments(_items(node)[index], change.moved)
            return
        if not change.last:
            node, index = self._item(change.behind)
        else:
            node, index = self._call(change.behind), -1
        if isinstance(node, cst.Call):
            index = _behind_positions(node, len(node.args) - 1 if index < 0 else index)
        self._of(node).inserted.setdefault(index, []).append((change.name, change.value))

    def _of(self, node: Rowed) -> _Changes:
        return self.changes.setdefault(node, _Changes())

    def _call(self, span: Span) -> cst.Call:
        found = self.tree.calls.get(self.tree.bytes_at(*self.text.place(span)))
        if found is None:
            raise Doubt("the call is not written in one piece")
        return found

    def _item(self, span: Span) -> tuple[Rowed, int]:
        """The call or dictionary that an argument or key stands in, and its number there."""
        first, count = place = self.tree.bytes_at(*self.text.place(span))
        for node, start, length in self.tree.rows:
            if start <= first and first + count <= start + length:
                for index, item in enumerate(_items(node)):
                    if self._is_at(item, place):
                        return node, index
        raise Doubt("the argument is not written in one piece")

    def _is_at(self, item: cst.CSTNode, place: tuple[int, int]) -> bool:
        if isinstance(item, cst.Arg) and item.keyword is None:
            return not item.star and self.tree.place(item.value) == place
        return isinstance(item, (cst.Arg, cst.DictElement)) and self.tree.place(item)[0] == place[0]

    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.BaseExpression:  # noqa: N802
        """The call with its changes."""
        changes = self.changes.get(original_node)
        if changes is None:
            return updated_node
        row = Row.of(updated_node.whitespace_before_args, updated_node.args)
        _change(row, changes, _keyword)
        args = [
            item.with_changes(comma=row.comma(index), whitespace_after_arg=NONE) for index, item in enumerate(row.items)
        ]
        if args:
            args[-1] = args[-1].with_changes(whitespace_after_arg=row.closing)
        return updated_node.with_changes(whitespace_before_args=row.opening, args=args)

    def leave_Dict(self, original_node: cst.Dict, updated_node: cst.Dict) -> cst.BaseExpression:  # noqa: N802
        """The dictionary with its changes."""
        changes = self.changes.get(original_node)
        if changes is None:
            return updated_node
        opening, closing = updated_node.lbrace, updated_node.rbrace
        row = Row.of(opening.whitespace_after, updated_node.elements, closing.whitespace_before)
        _change(row, changes, _key)
        return updated_node.with_changes(
            lbrace=opening.with_changes(whitespace_after=row.opening),
            elements=[item.with_changes(comma=row.comma(index)) for index, item in enumerate(row.items)],
            rbrace=closing.with_changes(whitespace_before=row.closing),
        )


def _items(node: Rowed) -> Sequence[cst.Arg] | Sequence[cst.BaseDictElement]:
    return node.args if isinstance(node, cst.Call) else node.elements


def _change(row: Row[Item], changes: _Changes, made: Callable[[str, str, Row[Item]], Item]) -> None:
    """Make the changes of a row, from its end on, so that the numbers of its items hold."""
    for index in sorted({*changes.removed, *changes.inserted}, reverse=True):
        row.insert(index + 1, [made(name, value, row) for name, value in changes.inserted.get(index, ())])
        if index in changes.removed:
            row.remove(index, changes.removed[index])


def _keyword(name: str, value: str, row: Row[cst.Arg]) -> cst.Arg:
    """A keyword argument with its value as it is written, and blanks around its sign as the last one has them."""
    call = _parsed(f"f({name}={value}\n)", name)
    if not isinstance(call, cst.Call) or len(call.args) != 1:
        raise Doubt(f"the value of {name} cannot be moved")
    equals = (item.equal for item in reversed(row.items) if isinstance(item.equal, cst.AssignEqual))
    equal = next((one for one in equals if not _breaks(one)), call.args[0].equal)
    return call.args[0].with_changes(equal=equal, comma=cst.MaybeSentinel.DEFAULT, whitespace_after_arg=NONE)


def _breaks(equal: cst.AssignEqual) -> bool:
    return breaks(equal.whitespace_before) or breaks(equal.whitespace_after)


def _key(name: str, value: str, row: Row[cst.BaseDictElement]) -> cst.BaseDictElement:
    """A key with its value as it is written, in the quotes of the others."""
    keys = (item.key for item in row.items if isinstance(item, cst.DictElement))
    quote = next((key.quote[-1] for key in keys if isinstance(key, cst.SimpleString)), '"')
    made = _parsed(f"{{{quote}{name}{quote}: {value}\n}}", name)
    if not isinstance(made, cst.Dict) or len(made.elements) != 1:
        raise Doubt(f"the value of {name} cannot be moved")
    return made.elements[0].with_changes(comma=cst.MaybeSentinel.DEFAULT)


def _parsed(text: str, name: str) -> cst.CSTNode:
    try:
        found = cst.parse_expression(text).visit(_AsWritten())
    except (cst.ParserSyntaxError, RecursionError, ValueError):
        raise Doubt(f"the value of {name} cannot be moved") from None
    if not isinstance(found, cst.CSTNode):
        raise Doubt(f"the value of {name} cannot be moved")
    return found


class _AsWritten(cst.CSTTransformer):
    """Keeps the lines of an expression as they are, however deep it is put."""

    def leave_ParenthesizedWhitespace(  # noqa: N802
        self, original_node: cst.ParenthesizedWhitespace, updated_node: cst.ParenthesizedWhitespace
    ) -> cst.BaseParenthesizableWhitespace:
        """The end of a line without the indentation of the block."""
        return updated_node.with_changes(indent=False)

    def leave_EmptyLine(  # noqa: N802
        self, original_node: cst.EmptyLine, updated_node: cst.EmptyLine
    ) -> cst.EmptyLine:
        """A line of blanks without the indentation of the block."""
        return updated_node.with_changes(indent=False)


def _behind_positions(node: cst.Call, index: int) -> int:
    """The item that a keyword argument may stand behind: no argument without a name may follow it."""
    if any(isinstance(one.value, cst.GeneratorExp) and not one.value.lpar for one in node.args):
        raise Doubt("the call ends in an argument that nothing can follow")
    places = [number for number, one in enumerate(node.args) if one.keyword is None and not one.star]
    return max([index, *places])


def _comments(item: cst.Arg | cst.BaseDictElement, moved: bool) -> list[cst.Comment]:
    """The comments within an argument or key; without those of its value where that is moved."""
    found = Comments()
    item.with_changes(comma=cst.MaybeSentinel.DEFAULT, **_blank(item, moved)).visit(found)
    return found.found


def _blank(item: cst.Arg | cst.BaseDictElement, moved: bool) -> dict[str, cst.CSTNode]:
    blank: dict[str, cst.CSTNode] = {"value": cst.Name("_")} if moved else {}
    return {**blank, "whitespace_after_arg": NONE} if isinstance(item, cst.Arg) else blank
