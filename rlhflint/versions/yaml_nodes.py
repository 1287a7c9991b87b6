"""YAML as nodes that know their lines, for the few keys that state releases."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rlhflint.expressions import expression

_BRACKET = expression(r"[\[\]{}]")
_DEEPEST = 50


class NoYAML(ValueError):
    """A text that is not YAML, or is nested too deeply to be read. `line` counts from 1."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(message)
        self.line = line


def root(text: str) -> Any:
    """The node of a document, None for an empty one. Raises `NoYAML`."""
    from ruamel.yaml import YAML
    from ruamel.yaml.error import MarkedYAMLError, YAMLError

    if _depth(text) > _DEEPEST:
        raise NoYAML(1, "this file is nested too deeply to be read")
    try:
        return YAML(typ="rt", pure=True).compose(text)
    except MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise NoYAML(mark.line + 1 if mark else 1, f"this file is not YAML: {error.problem}") from None
    except (YAMLError, RecursionError, ValueError):
        raise NoYAML(1, "this file is not YAML") from None


def value(node: Any, key: str) -> Any:
    """The node under a key of a mapping node, None where there is none."""
    if node is None or node.id != "mapping":
        return None
    return next((found for name, found in node.value if name.id == "scalar" and name.value == key), None)


def scalars(nodes: Iterable[Any]) -> list[tuple[int, str]]:
    """Line (from 1) and text of the scalar nodes among some nodes."""
    return [(one.start_mark.line + 1, str(one.value)) for one in nodes if one.id == "scalar"]


def items(node: Any) -> list[Any]:
    """The nodes of a sequence node, none of any other."""
    return list(node.value) if node is not None and node.id == "sequence" else []


def _depth(text: str) -> int:
    """How deep brackets are nested at most, those in quotes counted, too; the YAML reader is slow on hundreds."""
    depth = deepest = 0
    for bracket in _BRACKET.finditer(text):
        depth += 1 if bracket[0] in "[{" else -1
        deepest = max(deepest, depth)
    return deepest
