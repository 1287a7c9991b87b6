"""Arguments of calls and keys of dictionaries made of names, and of values as they are written."""

from __future__ import annotations

import libcst as cst

from rlhflint.fixing.doubt import Doubt
from rlhflint.fixing.structure.blanks import NONE, breaks
from rlhflint.fixing.structure.rows import Row


def named(item: cst.Arg, name: str) -> cst.Arg:
    """An argument without a name, with one."""
    return item.with_changes(keyword=cst.Name(name), equal=cst.AssignEqual(NONE, NONE))


def keyword(name: str, value: str, row: Row[cst.Arg]) -> cst.Arg:
    """A keyword argument with its value as it is written, and blanks around its sign as the last one has them."""
    call = _parsed(f"f({name}={value}\n)", name)
    if not isinstance(call, cst.Call) or len(call.args) != 1:
        raise Doubt(f"the value of {name} cannot be moved")
    equals = (item.equal for item in reversed(row.items) if isinstance(item.equal, cst.AssignEqual))
    equal = next((one for one in equals if not _breaks(one)), call.args[0].equal)
    return call.args[0].with_changes(equal=equal, comma=cst.MaybeSentinel.DEFAULT, whitespace_after_arg=NONE)


def _breaks(equal: cst.AssignEqual) -> bool:
    return breaks(equal.whitespace_before) or breaks(equal.whitespace_after)


def key(name: str, value: str, row: Row[cst.BaseDictElement]) -> cst.BaseDictElement:
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
