"""Items between brackets with commas between them: arguments, keys of a dictionary, imported names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Generic, TypeVar

import libcst as cst

from rlhflint.fixing.structure.blanks import (
    NONE,
    ONE,
    Blank,
    bare,
    breaks,
    commented,
    comments_of,
    ending,
    merged,
    with_first,
    without_first,
)
from rlhflint.records import dataclass

Item = TypeVar("Item", cst.Arg, cst.BaseDictElement, cst.ImportAlias)


@dataclass(slots=True)
class Gap:
    """What stands behind an item: in front of its comma, and behind it."""

    before: Blank
    after: Blank


@dataclass(slots=True)
class Row(Generic[Item]):
    """Some items. `opening` stands in front of the first one; behind the last one there is a comma if `trailing`.

    What stands in front of the closing bracket is `after` in the last of the gaps, with a comma or without.
    """

    opening: Blank
    items: list[Item]
    gaps: list[Gap]
    trailing: bool

    @classmethod
    def of(cls, opening: Blank, items: Sequence[Item], closing: Blank | None = None) -> Row[Item]:
        """The row of items as they are parsed; `closing` stands in front of the bracket where the bracket has it."""
        gaps = [_gap(item) for item in items]
        if gaps and closing is not None and not _empty(closing):
            gaps[-1].after = closing
        trailing = bool(items) and isinstance(items[-1].comma, cst.Comma)
        return cls(opening, list(items), gaps, trailing)

    def own_comment(self, index: int) -> cst.Comment | None:
        """The comment at the end of an item's line, if it has one of its own."""
        gap, before = self.gaps[index], self.gaps[index - 1].after if index else self.opening
        if not breaks(before) or not isinstance(gap.after, cst.ParenthesizedWhitespace) or comments_of(gap.before):
            return None
        return gap.after.first_line.comment

    @property
    def in_lines(self) -> bool:
        """Whether the last item has a line of its own, and what is written behind it gets one."""
        before = self.gaps[-2].after if len(self.gaps) > 1 else self.opening
        return bool(self.gaps) and breaks(before) and breaks(self.gaps[-1].after)

    def remove(self, index: int, inside: Sequence[cst.Comment] = (), *, whole: bool = False) -> None:
        """Take an item out. `inside` are its comments that stay, as those around it do.

        `whole`: the comment at the end of its line goes as well.
        """
        last = index == len(self.items) - 1
        del self.items[index]
        gap: Gap = self.gaps.pop(index)
        if whole:
            gap.after = without_first(gap.after)
        staying = [*inside, *comments_of(gap.before)]
        if index == 0:
            self.opening = merged(self.opening, staying, gap.after, first=True, last=last)
            return
        left = self.gaps[index - 1]
        if last and not self.trailing and comments_of(left.before):
            left.after = merged(left.before, (), left.after, first=False, last=False)
            left.before = NONE
        left.after = merged(left.after, staying, gap.after, first=False, last=last)

    def insert(self, index: int, items: Sequence[Item], comments: Sequence[cst.Comment | None] = ()) -> None:
        """Put further items in front of the one at `index`: on lines of their own where their neighbour has its own.

        `comments` stand at the ends of their lines then.
        """
        if not items:
            return
        if not self.items:
            gaps = [Gap(NONE, ONE) for _ in items]
            gaps[-1].after = NONE
        elif index == 0:
            gaps = self._in_front(len(items))
        else:
            gaps = self._behind(index - 1, len(items))
        for gap, comment in zip(gaps, comments, strict=False):
            gap.after = commented(gap.after, comment)
        self.items[index:index] = items
        self.gaps[index:index] = gaps

    def _in_front(self, count: int) -> list[Gap]:
        opening = self.opening
        if not isinstance(opening, cst.ParenthesizedWhitespace):
            return [Gap(NONE, ONE) for _ in range(count)]
        self.opening = opening.with_changes(empty_lines=[])
        between: Blank = bare(opening)
        return [*(Gap(NONE, between) for _ in range(count - 1)), Gap(NONE, without_first(opening))]

    def _behind(self, index: int, count: int) -> list[Gap]:
        """The gaps behind new items that stand behind another one, whose own gap is made to fit."""
        before = self.gaps[index - 1].after if index else self.opening
        behind, last = self.gaps[index].after, index == len(self.items) - 1
        between: Blank = bare(before)
        first = closing = without_first(behind)
        if not breaks(before) or not (breaks(behind) or (last and index)):
            between, first, closing = ONE, ONE, behind
        elif last:  # the comments in front of the bracket are about what stands above them
            first, closing = ending(behind, between), bare(behind)
        else:
            first = with_first(between, behind)
        self.gaps[index].after = first
        return [*(Gap(NONE, between) for _ in range(count - 1)), Gap(NONE, closing)]

    def comma(self, index: int) -> cst.Comma | cst.MaybeSentinel:
        """The comma behind an item."""
        if index == len(self.items) - 1 and not self.trailing:
            return cst.MaybeSentinel.DEFAULT
        return cst.Comma(self.gaps[index].before, self.gaps[index].after)

    @property
    def closing(self) -> Blank:
        """What stands in front of the bracket where no comma stands behind the last item."""
        return self.gaps[-1].after if self.gaps and not self.trailing else NONE


def _gap(item: cst.Arg | cst.BaseDictElement | cst.ImportAlias) -> Gap:
    if isinstance(item.comma, cst.Comma):
        return Gap(item.comma.whitespace_before, item.comma.whitespace_after)
    return Gap(NONE, item.whitespace_after_arg if isinstance(item, cst.Arg) else NONE)


def _empty(blank: Blank) -> bool:
    return isinstance(blank, cst.SimpleWhitespace) and not blank.value
