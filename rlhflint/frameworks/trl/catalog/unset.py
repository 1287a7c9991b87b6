"""What an unset option comes to, as far as the other options say."""

from __future__ import annotations

import ast
from collections.abc import Callable

from rlhflint.catalog.fields import Field, Missing
from rlhflint.value import Known, OneOf, Unknown, Value


def unset_value(field: Field, look_up: Callable[[str], Value]) -> Value:
    """The value of an option that is not given: its default, or what upstream puts in its place.

    `look_up` gives the value in force of another option of the same class, by its name at this release.
    """
    if field.default is Missing.REQUIRED:
        return Unknown("it has no default")
    if field.default is Missing.COMPUTED:
        return Unknown(f"upstream computes its default: {field.expression}")
    if field.default is None and field.becomes:
        try:
            return _value(ast.parse(field.becomes, mode="eval").body, look_up)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return Unknown(f"upstream computes it: {field.becomes}")
    return Known(field.default)


def _value(node: ast.expr, look_up: Callable[[str], Value]) -> Value:
    match node:
        case ast.Constant():
            return Known(node.value)
        case ast.Name(id=name):
            return look_up(name)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            value = _value(operand, look_up)
            if isinstance(value, Known):
                return Known(not value.value)
            return OneOf(not value.default, value.because) if isinstance(value, OneOf) else value
        case ast.IfExp(test=test, body=body, orelse=orelse):
            decided = _value(test, look_up)
            if isinstance(decided, Known):
                return _value(body if decided.value else orelse, look_up)
            return Unknown(decided.because)
    try:
        return Known(ast.literal_eval(node))
    except (ValueError, TypeError):
        return Unknown(f"upstream computes it: {ast.unparse(node)}")
