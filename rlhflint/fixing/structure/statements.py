"""The imports of a Python text in their places, and others put there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field

import libcst as cst

from rlhflint.fixing.doubt import Doubt
from rlhflint.records import dataclass

Lined = cst.SimpleStatementLine | cst.SimpleStatementSuite


@dataclass(frozen=True, slots=True)
class Place:
    """Where a small statement stands: in which line, in which block, and as the which statement of that.

    What stands behind the colon of a compound statement has a block of its own, which nothing else is in.
    """

    line: Lined
    block: Sequence[cst.BaseStatement]
    index: int
    within: tuple[cst.CSTNode, ...]
    """The statements around it, the outermost first."""

    @property
    def alone(self) -> bool:
        """Whether it has a line of its own."""
        return isinstance(self.line, cst.SimpleStatementLine) and len(self.line.body) == 1

    @property
    def following(self) -> cst.BaseStatement | None:
        """The statement behind its line in the same block."""
        return self.block[self.index + 1] if self.index + 1 < len(self.block) else None


def places_of(module: cst.Module) -> dict[cst.BaseSmallStatement, Place]:
    """The places of all imports."""
    found: dict[cst.BaseSmallStatement, Place] = {}
    waiting: list[tuple[Sequence[cst.BaseStatement], tuple[cst.CSTNode, ...]]] = [(module.body, ())]
    while waiting:
        block, within = waiting.pop()
        for index, statement in enumerate(block):
            if isinstance(statement, cst.SimpleStatementLine):
                _note(found, statement, block, index, within)
                continue
            for suite in _suites(statement):
                if isinstance(suite, cst.IndentedBlock):
                    waiting.append((suite.body, (*within, statement)))
                elif isinstance(suite, cst.SimpleStatementSuite):
                    _note(found, suite, [statement], 0, (*within, statement))
    return found


def _note(
    found: dict[cst.BaseSmallStatement, Place],
    line: Lined,
    block: Sequence[cst.BaseStatement],
    index: int,
    within: tuple[cst.CSTNode, ...],
) -> None:
    for small in line.body:
        if isinstance(small, (cst.Import, cst.ImportFrom)):
            found[small] = Place(line, block, index, within)


def _suites(statement: cst.CSTNode) -> list[cst.BaseSuite]:
    """The blocks of a compound statement, those of its branches as well."""
    found: list[cst.BaseSuite] = []
    for child in statement.children:
        if isinstance(child, (cst.IndentedBlock, cst.SimpleStatementSuite)):
            found.append(child)
        elif isinstance(
            child, (cst.If, cst.Else, cst.ExceptHandler, cst.ExceptStarHandler, cst.Finally, cst.MatchCase)
        ):
            found += _suites(child)
    return found


@dataclass(slots=True)
class Rewriting:
    """Small statements that others take the place of; none where a statement goes.

    A statement that had a line of its own has its successors on lines of their own; others go on in the same line.
    """

    places: Mapping[cst.BaseSmallStatement, Place]
    instead: dict[cst.BaseSmallStatement, list[cst.BaseSmallStatement]] = field(default_factory=dict)
    _left: dict[cst.BaseStatement, list[cst.EmptyLine]] = field(default_factory=dict)
    """What is left of lines that go, by the statement that it stands in front of then."""

    def settle(self) -> list[cst.CSTNode]:
        """The statements that change. Raises `Doubt` where one cannot go, since nothing would be left or follow."""
        gone = {id(place.line): place for one in self.instead if (place := self.places[one]) and self._goes(place)}
        for place in sorted(gone.values(), key=lambda one: one.index, reverse=True):
            following = next((one for one in place.block[place.index + 1 :] if id(one) not in gone), None)
            if following is None or not isinstance(place.line, cst.SimpleStatementLine):
                raise Doubt("the import is the last statement of its block")
            comment = place.line.trailing_whitespace.comment
            own = [*place.line.leading_lines, *([cst.EmptyLine(comment=comment)] if comment is not None else [])]
            if following not in self._left:
                first = not place.within and place.index == 0
                behind = list(getattr(following, "leading_lines", ()))
                while first and not own and behind and behind[0].comment is None:
                    behind.pop(0)
                self._left[following] = behind
            self._left[following] = _joined(own, self._left[following])
        return [*(self.places[one].line for one in self.instead), *self._left]

    def _goes(self, place: Place) -> bool:
        return not any(self.instead.get(one, [one]) for one in place.line.body)

    def line(
        self, original: cst.CSTNode, updated: cst.CSTNode
    ) -> cst.CSTNode | cst.FlattenSentinel[cst.CSTNode] | cst.RemovalSentinel:
        """A statement with its changes."""
        if isinstance(original, cst.BaseStatement) and original in self._left:
            updated = updated.with_changes(leading_lines=self._left[original])
        if not isinstance(original, Lined) or self.instead.keys().isdisjoint(original.body):
            return updated
        bodies = zip(original.body, getattr(updated, "body", ()), strict=True)
        small = [other for one, now in bodies for other in self.instead.get(one, [now])]
        if not small:
            return cst.RemoveFromParent()
        if not isinstance(updated, cst.SimpleStatementLine) or len(original.body) > 1:
            return updated.with_changes(body=[*map(_ended, small[:-1]), _last(small[-1])])
        lines = [cst.SimpleStatementLine([one]) for one in small[1:]]
        return cst.FlattenSentinel([updated.with_changes(body=small[:1]), *lines])


class Lines(cst.CSTTransformer):
    """Puts other statements in their places."""

    def __init__(self, rewriting: Rewriting) -> None:
        super().__init__()
        self.rewriting = rewriting

    def on_leave(self, original_node: cst.CSTNodeT, updated_node: cst.CSTNodeT) -> object:  # type: ignore[override]
        """A statement with its changes."""
        left = super().on_leave(original_node, updated_node)
        return self.rewriting.line(original_node, left) if isinstance(left, cst.CSTNode) else left


def _ended(small: cst.BaseSmallStatement) -> cst.BaseSmallStatement:
    if isinstance(small.semicolon, cst.Semicolon):
        return small
    return small.with_changes(semicolon=cst.Semicolon(whitespace_after=cst.SimpleWhitespace(" ")))


def _last(small: cst.BaseSmallStatement) -> cst.BaseSmallStatement:
    return small.with_changes(semicolon=cst.MaybeSentinel.DEFAULT)


def _joined(left: Sequence[cst.EmptyLine], own: Sequence[cst.EmptyLine]) -> list[cst.EmptyLine]:
    """The lines in front of a statement that goes and those of the one behind it: no empty ones twice."""
    if own and own[0].comment is None and all(line.comment is None for line in left):
        return list(own)
    return [*left, *own]
