"""Arguments of calls in a text, found by the standard library's parser, and taken out of it or added to it."""

from __future__ import annotations

import ast
import io
import tokenize
from collections.abc import Iterator

from rlhflint.fixing.edits import applied
from rlhflint.fixing.python import Inserted, Rearranged, Removed
from rlhflint.fixing.structure.arguments import rearranged
from rlhflint.source import Source
from rlhflint.text import Span

PATH = "train.py"


def span(text: str, node: ast.expr | ast.keyword) -> Span:
    """The characters of a node."""
    data = text.encode()
    starts = [0]
    for line in data.split(b"\n"):
        starts.append(starts[-1] + len(line) + 1)
    assert node.end_lineno is not None
    assert node.end_col_offset is not None
    first, last = starts[node.lineno - 1] + node.col_offset, starts[node.end_lineno - 1] + node.end_col_offset
    return Span(PATH, len(data[:first].decode()), len(data[:last].decode()))


def calls(text: str) -> Iterator[ast.Call]:
    """The calls in a text."""
    return (node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call))


def argument(text: str, name: str) -> Span:
    """The characters of an argument or key of this name; those of a position by its source."""
    for call in calls(text):
        for keyword in call.keywords:
            if keyword.arg == name:
                return span(text, keyword)
        for one in call.args:
            if ast.unparse(one) == name:
                return span(text, one)
    for node in ast.walk(ast.parse(text)):
        for key, value in zip(node.keys, node.values, strict=True) if isinstance(node, ast.Dict) else ():
            if isinstance(key, ast.Constant) and key.value == name:
                return span(text, key).to(span(text, value))
    raise AssertionError(f"there is no {name}")


def call(text: str, name: str) -> Span:
    """The characters of the call of a name."""
    return next(span(text, one) for one in calls(text) if ast.unparse(one.func) == name)


def changed(text: str, *changes: Rearranged) -> str:
    """A text with changes of its arguments made."""
    return applied(text, rearranged(changes, Source(PATH, text)))


def removed(text: str, *names: str, moved: bool = False) -> str:
    """A text without some arguments."""
    return changed(text, *(Removed(argument(text, name), moved) for name in names))


def inserted(text: str, behind: str, *pairs: tuple[str, str]) -> str:
    """A text with keyword arguments behind another one."""
    return changed(text, *(Inserted(argument(text, behind), name, value) for name, value in pairs))


def appended(text: str, to: str, *pairs: tuple[str, str]) -> str:
    """A text with keyword arguments as the last ones of a call."""
    return changed(text, *(Inserted(call(text, to), name, value, last=True) for name, value in pairs))


def comments(text: str) -> list[str]:
    """The comments of a text, sorted."""
    tokens = tokenize.generate_tokens(io.StringIO(text, newline="").readline)
    return sorted(token.string.rstrip("\r") for token in tokens if token.type == tokenize.COMMENT)
