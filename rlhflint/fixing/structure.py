"""Arguments added to calls and taken out of them, in the style of the call, with every comment kept.

The call is taken apart and put together again by libcst; what differs then becomes edits.
"""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from typing import TYPE_CHECKING

import libcst as cst
from libcst.metadata import ByteSpanPositionProvider, MetadataWrapper

from rlhflint.expressions import expression
from rlhflint.finding import Edit
from rlhflint.fixing.doubt import Doubt
from rlhflint.text import Span

if TYPE_CHECKING:
    from rlhflint.source import Source

_TOKEN = expression(r"\w+|\s|[^\w\s]")


def appended(source: Source, call: Span, arguments: Sequence[tuple[str, str]]) -> list[Edit]:
    """The edits that add keyword arguments (name, value as Python source) behind the last one of a call.

    Raises `Doubt` where the call cannot be found, or ends in arguments that cannot be followed by keywords.
    """
    wrapper, node = _call(source, call)
    made = [_keyword(name, value) for name, value in arguments]
    if not node.args:
        return _between(source, call, wrapper, node, node.with_changes(args=[*_separated(made), made[-1]]))
    last = node.args[-1]
    between = _between_arguments(node)
    behind = last.comma if isinstance(last.comma, cst.Comma) else cst.MaybeSentinel.DEFAULT
    if isinstance(behind, cst.Comma):
        closing = behind.whitespace_after
        moved = last.with_changes(comma=behind.with_changes(whitespace_after=_joined(closing, between)))
        tail = made[-1].with_changes(comma=cst.Comma(whitespace_after=_bare(closing)))
    else:
        closing = last.whitespace_after_arg
        comma = cst.Comma(whitespace_after=_joined(closing, between))
        moved = last.with_changes(comma=comma, whitespace_after_arg=cst.SimpleWhitespace(""))
        tail = made[-1].with_changes(whitespace_after_arg=_bare(closing))
    inner = [one.with_changes(comma=cst.Comma(whitespace_after=between)) for one in made[:-1]]
    return _between(source, call, wrapper, node, node.with_changes(args=[*node.args[:-1], moved, *inner, tail]))


def _separated(made: Sequence[cst.Arg]) -> list[cst.Arg]:
    after = cst.SimpleWhitespace(" ")
    return [one.with_changes(comma=cst.Comma(whitespace_after=after)) for one in made[:-1]]


def _call(source: Source, span: Span) -> tuple[MetadataWrapper, cst.Call]:
    """The file taken apart, and the call whose characters are `span`."""
    try:
        wrapper = MetadataWrapper(cst.parse_module(source.text), unsafe_skip_copy=True)
    except (cst.ParserSyntaxError, RecursionError, ValueError):
        raise Doubt("the file cannot be taken apart") from None
    start = len(source.text[: span.start].encode())
    length = len(source.text[span.start : span.end].encode())
    for node, place in wrapper.resolve(ByteSpanPositionProvider).items():
        if isinstance(node, cst.Call) and (place.start, place.length) == (start, length):
            return wrapper, node
    raise Doubt("the call is not written in one piece")


def _keyword(name: str, value: str) -> cst.Arg:
    try:
        expression = cst.parse_expression(value)
    except (cst.ParserSyntaxError, RecursionError):
        raise Doubt(f"the value of {name} cannot be moved") from None
    return cst.Arg(
        expression, cst.Name(name), equal=cst.AssignEqual(cst.SimpleWhitespace(""), cst.SimpleWhitespace(""))
    )


def _between_arguments(node: cst.Call) -> cst.BaseParenthesizableWhitespace:
    """What stands between two arguments of a call: a line end with the indentation, or a blank."""
    for one in node.args[:-1]:
        if isinstance(one.comma, cst.Comma):
            return (
                _bare(one.comma.whitespace_after) if _breaks(one.comma.whitespace_after) else cst.SimpleWhitespace(" ")
            )
    before = node.whitespace_before_args
    last = node.args[-1]
    closing = last.comma.whitespace_after if isinstance(last.comma, cst.Comma) else last.whitespace_after_arg
    return _bare(before) if _breaks(before) and _breaks(closing) else cst.SimpleWhitespace(" ")


def _breaks(blank: cst.BaseParenthesizableWhitespace) -> bool:
    return isinstance(blank, cst.ParenthesizedWhitespace)


def _bare(blank: cst.BaseParenthesizableWhitespace) -> cst.BaseParenthesizableWhitespace:
    """The same without its comments."""
    if not isinstance(blank, cst.ParenthesizedWhitespace):
        return blank
    first = blank.first_line.with_changes(comment=None, whitespace=cst.SimpleWhitespace(""))
    return blank.with_changes(first_line=first, empty_lines=[])


def _joined(
    closing: cst.BaseParenthesizableWhitespace, between: cst.BaseParenthesizableWhitespace
) -> cst.BaseParenthesizableWhitespace:
    """What stood before the closing bracket, its comments included, now before one more argument."""
    if not isinstance(closing, cst.ParenthesizedWhitespace):
        return between
    if not isinstance(between, cst.ParenthesizedWhitespace):
        if closing.first_line.comment is None and not closing.empty_lines:
            return between
        return closing
    return closing.with_changes(indent=between.indent, last_line=between.last_line)


def _between(source: Source, span: Span, wrapper: MetadataWrapper, old: cst.Call, new: cst.Call) -> list[Edit]:
    """The edits that make the text of one call that of another."""
    changed = wrapper.module.deep_replace(old, new)
    if not isinstance(changed, cst.Module) or wrapper.module.code != source.text:
        raise Doubt("the file cannot be put together again")
    before = source.text[span.start : span.end]
    after = changed.code[span.start : len(changed.code) - (len(source.text) - span.end)]
    left, right = _TOKEN.findall(before), _TOKEN.findall(after)
    starts = [0]
    for token in left:
        starts.append(starts[-1] + len(token))
    matcher = difflib.SequenceMatcher(None, left, right, autojunk=False)
    return [
        Edit(Span(span.path, span.start + starts[i], span.start + starts[j]), "".join(right[k:m]))
        for tag, i, j, k, m in matcher.get_opcodes()
        if tag != "equal"
    ]
