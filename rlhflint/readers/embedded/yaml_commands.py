"""Commands in YAML files: workflows and pipelines, RayJobs and pods, compose files, sky and dstack tasks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.error import YAMLError

from rlhflint.expressions import expression
from rlhflint.readers.embedded.keys import SCRIPTS, STARTED, has_commands
from rlhflint.readers.embedded.words import command_of, joined, with_holes
from rlhflint.readers.embedded.yaml_text import text_of_scalar
from rlhflint.text import Traced

_FILLED_IN = expression(r"\$?\{\{.{0,1000}?\}\}|<<\s{0,10}(?:parameters|pipeline)\.[^>]{0,200}>>")
_OF_POD = expression(r"\$\(\w+\)")
_DEEPEST = 100


def yaml_scripts(path: str, text: str) -> Iterator[Traced]:
    """The commands of all documents of a YAML text; none if it is not valid."""
    if not has_commands(text):
        return
    traced = Traced.of_file(path, text)
    try:
        documents = list(YAML(typ="safe", pure=True).compose_all(text))
    except (YAMLError, RecursionError, ValueError, LookupError, AttributeError, TypeError):
        # That it is not valid is told by the reader of its keys.
        return
    seen: set[int] = set()
    for document in documents:
        yield from _below(document, traced, seen, 0)


def _below(node: Any, traced: Traced, seen: set[int], depth: int) -> Iterator[Traced]:
    if node is None or id(node) in seen or depth > _DEEPEST:
        return
    seen.add(id(node))
    if node.id == "sequence":
        for item in node.value:
            yield from _below(item, traced, seen, depth + 1)
    elif node.id == "mapping":
        entries = {key.value: value for key, value in node.value if key.id == "scalar"}
        yield from _commands(entries, traced)
        for _, value in node.value:
            yield from _below(value, traced, seen, depth + 1)


def _commands(entries: dict[str, Any], traced: Traced) -> Iterator[Traced]:
    """The shell code of one mapping."""
    words: list[Traced] = []
    for key in STARTED:
        node = entries.get(key)
        if node is None:
            continue
        if node.id == "sequence":
            items = [item for item in node.value if item.id == "scalar"]
            if len(items) < len(node.value):
                return
            if key != "args" and not words and any(" -" in item.value for item in items[:1]):
                # Not the words of one command, but commands one after the other.
                yield joined((_text(item, traced) for item in items), "\n")
                continue
            words.extend(with_holes(_text(item, traced), _OF_POD, "the pod fills it in", many=False) for item in items)
        elif node.id == "scalar" and (key != "args" or words):
            started = _text(node, traced)
            yield joined((command_of(words), started), " ") if words else started
            words = []
    if words:
        yield command_of(words)
    for key, node in entries.items():
        if key not in SCRIPTS:
            continue
        if node.id == "scalar":
            yield _text(node, traced)
        elif node.id == "sequence":
            texts = [_text(item, traced) for item in node.value if item.id == "scalar"]
            if texts:
                yield joined(texts, "\n")


def _text(node: Any, traced: Traced) -> Traced:
    return with_holes(text_of_scalar(node, traced), _FILLED_IN, "it is filled in before the command runs", many=True)
