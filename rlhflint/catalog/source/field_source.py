"""The fields of configuration classes: their annotations and values in the form of the data files."""

from __future__ import annotations

import ast
import re
from typing import Any

from rlhflint.catalog.annotations import last_name, spell_type

State = dict[str, Any]
"""What is kept of one field or parameter, as JSON has it."""


def field_state(annotation: ast.expr, value: ast.expr | None) -> State:
    """What the data files keep of a field.

    `type` (see `spell_type`); one of `default` (a literal, tuples as lists), `expr` (source of a default that is no
    literal) and `required: true`; `init: false` for one that the constructor does not take; `choices` and `aliases`
    from the metadata, null where they are computed; `bare: true` where its flag may stand without a value;
    `deprecated: true` where the help text says so.
    """
    state: State = {"type": spell_type(annotation)}
    if value is None:
        return state | {"required": True}
    if not (isinstance(value, ast.Call) and last_name(value) == "field"):
        return state | _literal(value)
    given = {keyword.arg: keyword.value for keyword in value.keywords if keyword.arg}
    match given:
        case {"default": default}:
            state |= _literal(default)
        case {"default_factory": ast.Lambda(body=body)}:
            state |= _literal(body)
        case {"default_factory": ast.Name(id="list")}:
            state["default"] = []
        case {"default_factory": ast.Name(id="dict")}:
            state["default"] = {}
        case {"default_factory": factory}:
            state["expr"] = f"{ast.unparse(factory)}()"
        case _:
            state["required"] = True
    match given:
        case {"init": ast.Constant(value=False)}:
            state["init"] = False
    return state | _metadata(given.get("metadata"))


def _literal(node: ast.expr) -> State:
    try:
        value = ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return {"expr": ast.unparse(node)}
    if isinstance(value, tuple):
        value = list(value)
    if isinstance(value, set | bytes | complex):
        return {"expr": ast.unparse(node)}
    return {"default": value}


def _metadata(node: ast.expr | None) -> State:
    found: State = {}
    if not isinstance(node, ast.Dict):
        return found
    for key, item in zip(node.keys, node.values, strict=True):
        match key:
            case ast.Constant(value="help") if re.search("deprecat", _text(item), re.IGNORECASE):
                found["deprecated"] = True
            case ast.Constant(value="choices" | "aliases" as name):
                content = _literal(item).get("default")
                found[name] = content if isinstance(content, list) else None
            case ast.Constant(value="nargs") if isinstance(item, ast.Constant) and item.value == "?":
                found["bare"] = True
    return found


def _text(node: ast.expr) -> str:
    """The constant parts of a string expression."""
    return " ".join(part.value for part in ast.walk(node) if isinstance(part, ast.Constant) and type(part.value) is str)
