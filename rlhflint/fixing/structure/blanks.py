"""What stands between two items in brackets: blanks, line ends, comments."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeAlias

import libcst as cst

Blank: TypeAlias = cst.BaseParenthesizableWhitespace

NONE = cst.SimpleWhitespace("")
ONE = cst.SimpleWhitespace(" ")
_BEFORE_COMMENT = cst.SimpleWhitespace("  ")
_INDENT = "    "


def breaks(blank: Blank) -> bool:
    """Whether a line ends there, other than by a backslash."""
    return isinstance(blank, cst.ParenthesizedWhitespace)


def comments_of(blank: Blank) -> list[cst.Comment]:
    """The comments, in their order."""
    if not isinstance(blank, cst.ParenthesizedWhitespace):
        return []
    found = [blank.first_line.comment, *(line.comment for line in blank.empty_lines)]
    return [comment for comment in found if comment is not None]


def bare(blank: Blank) -> Blank:
    """The same without its comments and empty lines."""
    if not isinstance(blank, cst.ParenthesizedWhitespace):
        return blank
    first = blank.first_line.with_changes(comment=None, whitespace=NONE)
    return blank.with_changes(first_line=first, empty_lines=[])


def without_first(blank: Blank) -> Blank:
    """The same without the comment on the line that ends there."""
    if not isinstance(blank, cst.ParenthesizedWhitespace):
        return blank
    return blank.with_changes(first_line=blank.first_line.with_changes(comment=None, whitespace=NONE))


def commented(blank: Blank, comment: cst.Comment | None) -> Blank:
    """The same with a comment on the line that ends there."""
    if comment is None or not isinstance(blank, cst.ParenthesizedWhitespace):
        return blank
    first = blank.first_line.with_changes(whitespace=_BEFORE_COMMENT, comment=comment)
    return blank.with_changes(first_line=first)


def with_first(blank: Blank, other: Blank) -> Blank:
    """The same with the end of the line that `other` has."""
    if isinstance(blank, cst.ParenthesizedWhitespace) and isinstance(other, cst.ParenthesizedWhitespace):
        return blank.with_changes(first_line=other.first_line)
    return blank


def ending(blank: Blank, other: Blank) -> Blank:
    """The same, and behind it the line begins as behind `other`; `other` itself where no line ends."""
    if isinstance(blank, cst.ParenthesizedWhitespace) and isinstance(other, cst.ParenthesizedWhitespace):
        return blank.with_changes(indent=other.indent, last_line=other.last_line)
    return other


def merged(left: Blank, inside: Sequence[cst.Comment], right: Blank, *, first: bool, last: bool) -> Blank:
    """What is left where an item was taken out: every comment, and the line ends and indentation of its neighbours.

    Args:
        left: what stood in front of the item.
        inside: the comments in it that stay.
        right: what stood behind it and its comma.
        first: it was the first one, and `left` stands behind the bracket.
        last: it was the last one, and `right` stands in front of the bracket.
    """
    if not inside and not comments_of(left) and not comments_of(right):
        if first and last:
            return NONE
        if first or last:
            return left if first else right
        if not (breaks(left) and breaks(right)):
            return left if breaks(left) or not _goes_on(right) else right
    return _with_comments(left, inside, right, first=first, last=last)


def _goes_on(blank: Blank) -> bool:
    """Whether what is behind it stands on another line."""
    return breaks(blank) or (isinstance(blank, cst.SimpleWhitespace) and "\n" in blank.value)


def _with_comments(left: Blank, inside: Sequence[cst.Comment], right: Blank, *, first: bool, last: bool) -> Blank:
    before, behind = _lines(left), _lines(right)
    own = list(inside)
    at = left if isinstance(left, cst.ParenthesizedWhitespace) else right
    if isinstance(right, cst.ParenthesizedWhitespace) and right.first_line.comment is not None:
        own.append(right.first_line.comment)
    if not isinstance(at, cst.ParenthesizedWhitespace):
        at = cst.ParenthesizedWhitespace(indent=True, last_line=cst.SimpleWhitespace("" if last else _INDENT))
    start = at.first_line
    if at is not left and own:
        blank = right.first_line.whitespace if isinstance(right, cst.ParenthesizedWhitespace) else NONE
        start = start.with_changes(comment=own.pop(0), whitespace=blank if len(blank.value) > 1 else _BEFORE_COMMENT)
    deeper = at is not left and last
    margin = cst.SimpleWhitespace(at.last_line.value + _INDENT) if deeper else at.last_line
    lines = [*before, *(cst.EmptyLine(at.indent, margin, comment) for comment in own), *behind]
    end = right if isinstance(right, cst.ParenthesizedWhitespace) else at
    return at.with_changes(
        first_line=start,
        empty_lines=list(_tidy(lines, before, behind, first=first, last=last)),
        indent=end.indent,
        last_line=end.last_line,
    )


def _lines(blank: Blank) -> Sequence[cst.EmptyLine]:
    return blank.empty_lines if isinstance(blank, cst.ParenthesizedWhitespace) else ()


def _tidy(
    lines: Sequence[cst.EmptyLine],
    before: Sequence[cst.EmptyLine],
    behind: Sequence[cst.EmptyLine],
    *,
    first: bool,
    last: bool,
) -> Iterator[cst.EmptyLine]:
    """The lines without the empty ones that only set the item apart that is gone."""
    kept = list(lines)
    if first and not (before and before[0].comment is None):
        while kept and kept[0].comment is None:
            kept.pop(0)
    if last and not (behind and behind[-1].comment is None):
        while kept and kept[-1].comment is None:
            kept.pop()
    most = max(_run(before), _run(behind))
    empty = 0
    for line in kept:
        empty = empty + 1 if line.comment is None else 0
        if empty <= most:
            yield line


def _run(lines: Sequence[cst.EmptyLine]) -> int:
    """The most empty lines in a row."""
    longest = run = 0
    for line in lines:
        run = run + 1 if line.comment is None else 0
        longest = max(longest, run)
    return longest


class Comments(cst.CSTVisitor):
    """Collects comments."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[cst.Comment] = []

    def visit_Comment(self, node: cst.Comment) -> None:  # noqa: N802
        """Note a comment."""
        self.found.append(node)
