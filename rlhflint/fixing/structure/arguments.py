"""Arguments of calls, and keys of dictionaries: added and taken out in the style of the others."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import field
from typing import TYPE_CHECKING

import libcst as cst

from rlhflint.fixing.doubt import Doubt
from rlhflint.fixing.python import Inserted, Named, Rearranged, Removed
from rlhflint.fixing.python_text import PythonText, python_of
from rlhflint.fixing.structure.blanks import NONE, Comments
from rlhflint.fixing.structure.rows import Item, Row
from rlhflint.fixing.structure.stretches import Stretch, stretches_of
from rlhflint.fixing.structure.tree import Rowed
from rlhflint.fixing.structure.written import key, keyword, named
from rlhflint.records import dataclass

if TYPE_CHECKING:
    from rlhflint.finding import Edit
    from rlhflint.source import Source
    from rlhflint.text import Span


def rearranged(changes: Sequence[Rearranged], source: Source) -> list[Edit]:
    """The edits that make the changes of arguments in one file, all of them together.

    Comments stay, except those of an argument that is moved: within its value, and at the end of its line. Raises
    `Doubt` where something cannot be found, or cannot be written there.
    """
    plans: dict[int, _Plan] = {}

    def plan(span: Span) -> _Plan:
        text = python_of(source, span)
        return plans.setdefault(id(text), _Plan(text))

    comments: dict[Span, cst.Comment] = {}
    for change in changes:
        if isinstance(change, Inserted) and change.moved is not None and plan(change.behind).in_lines(change.behind):
            comment = plan(change.moved).own_comment(change.moved)
            if comment is not None:
                comments[change.moved] = comment
    for change in changes:
        if isinstance(change, Removed):
            plan(change.span).remove(change, whole=change.span in comments)
        elif isinstance(change, Named):
            plan(change.span).name(change)
        else:
            plan(change.behind).insert(change, comments.get(change.moved) if change.moved is not None else None)
    return [edit for one in plans.values() for edit in one.edits()]


@dataclass(slots=True)
class _Changes:
    """What is done to one call or dictionary, by the numbers of its items."""

    removed: dict[int, tuple[list[cst.Comment], bool]] = field(default_factory=dict)
    """The comments in each that stay, and whether the one at the end of its line does not."""
    inserted: dict[int, list[tuple[str, str, cst.Comment | None]]] = field(default_factory=dict)
    """Behind each: names, values, and comments at the ends of their lines."""
    named: dict[int, str] = field(default_factory=dict)
    """The names that arguments without one get."""


class _Plan(cst.CSTTransformer):
    """The changes of all calls and dictionaries of a text."""

    def __init__(self, text: PythonText) -> None:
        super().__init__()
        self.text = text
        self.changes: dict[Rowed, _Changes] = {}
        self._changed: dict[Stretch, None] = {}

    def edits(self) -> list[Edit]:
        """The edits that make the changes."""
        return self.text.edits([change for stretch in self._changed for change in stretch.changed(self)])

    def in_lines(self, span: Span) -> bool:
        """Whether what is written behind the last argument of a call gets a line of its own."""
        _, node = self._call(span)
        return _row(node).in_lines

    def own_comment(self, span: Span) -> cst.Comment | None:
        """The comment at the end of an argument's own line."""
        _, node, index = self._item(span)
        return _row(node).own_comment(index)

    def remove(self, change: Removed, *, whole: bool) -> None:
        """Take an argument out, where `whole` with the comment at the end of its line. Raises `Doubt`."""
        stretch, node, index = self._item(change.span)
        self._of(stretch, node).removed[index] = _comments(_items(node)[index], change.moved), whole

    def name(self, change: Named) -> None:
        """Give an argument a name. Raises `Doubt`."""
        stretch, node, index = self._item(change.span)
        self._of(stretch, node).named[index] = change.name

    def insert(self, change: Inserted, comment: cst.Comment | None) -> None:
        """Add an argument, with a comment at the end of its line. Raises `Doubt`."""
        node: Rowed
        if not change.last:
            stretch, node, index = self._item(change.behind)
        else:
            (stretch, node), index = self._call(change.behind), -1
        if isinstance(node, cst.Call):
            index = _behind_positions(node, len(node.args) - 1 if index < 0 else index)
        self._of(stretch, node).inserted.setdefault(index, []).append((change.name, change.value, comment))

    def _of(self, stretch: Stretch, node: Rowed) -> _Changes:
        self._changed[stretch] = None
        return self.changes.setdefault(node, _Changes())

    def _call(self, span: Span) -> tuple[Stretch, cst.Call]:
        start, end = self.text.place(span)
        stretch = stretches_of(self.text.text).around(start, end)
        found = stretch.tree.calls.get(stretch.place(start, end))
        if found is None:
            raise Doubt("the call is not written in one piece")
        return stretch, found

    def _item(self, span: Span) -> tuple[Stretch, Rowed, int]:
        """The call or dictionary that an argument or key stands in, and its number there."""
        start, end = self.text.place(span)
        stretch = stretches_of(self.text.text).around(start, end)
        first, count = place = stretch.place(start, end)
        for node, begin, length in stretch.tree.rows:
            if begin <= first and first + count <= begin + length:
                for index, item in enumerate(_items(node)):
                    if _is_at(item, place, stretch):
                        return stretch, node, index
        raise Doubt("the argument is not written in one piece")

    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.BaseExpression:  # noqa: N802
        """The call with its changes."""
        changes = self.changes.get(original_node)
        if changes is None:
            return updated_node
        row = _row_of_call(updated_node)
        for index, name in changes.named.items():
            row.items[index] = named(row.items[index], name)
        _change(row, changes, keyword)
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
        row = _row_of_dict(updated_node)
        _change(row, changes, key)
        return updated_node.with_changes(
            lbrace=opening.with_changes(whitespace_after=row.opening),
            elements=[item.with_changes(comma=row.comma(index)) for index, item in enumerate(row.items)],
            rbrace=closing.with_changes(whitespace_before=row.closing),
        )


def _is_at(item: cst.CSTNode, place: tuple[int, int], stretch: Stretch) -> bool:
    """Whether an argument or key, or the value of one without a name, stands at a place of its stretch."""
    if isinstance(item, cst.Arg) and item.keyword is None:
        own = stretch.tree.place(item.value) == place or stretch.tree.place(item)[0] == place[0]  # `(1, 2)` and `(1)`
        return own and not item.star
    return isinstance(item, (cst.Arg, cst.DictElement)) and stretch.tree.place(item)[0] == place[0]


def _items(node: Rowed) -> Sequence[cst.Arg] | Sequence[cst.BaseDictElement]:
    return node.args if isinstance(node, cst.Call) else node.elements


def _row(node: Rowed) -> Row[cst.Arg] | Row[cst.BaseDictElement]:
    return _row_of_call(node) if isinstance(node, cst.Call) else _row_of_dict(node)


def _row_of_call(node: cst.Call) -> Row[cst.Arg]:
    return Row.of(node.whitespace_before_args, node.args)


def _row_of_dict(node: cst.Dict) -> Row[cst.BaseDictElement]:
    return Row.of(node.lbrace.whitespace_after, node.elements, node.rbrace.whitespace_before)


def _change(row: Row[Item], changes: _Changes, made: Callable[[str, str, Row[Item]], Item]) -> None:
    """Make the changes of a row, from its end on, so that the numbers of its items hold."""
    for index in sorted({*changes.removed, *changes.inserted}, reverse=True):
        inserted = changes.inserted.get(index, [])
        items = [made(name, value, row) for name, value, _ in inserted]
        row.insert(index + 1, items, [comment for _, _, comment in inserted])
        if index in changes.removed:
            inside, whole = changes.removed[index]
            row.remove(index, inside, whole=whole)


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
