"""Environment files of conda, and the requirements for pip in them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from rlhflint.expressions import expression
from rlhflint.packages.names import may_name_one, normalised, tracked
from rlhflint.versions.collecting import Collector
from rlhflint.versions.poetry import specifier_of_conda
from rlhflint.versions.requirement import Origin, Statements

_MATCH = expression(
    r"(?:[^\s:\[\]]+::)?(?P<name>[A-Za-z0-9._-]+)\s*"
    r"(?:\[.*?version\s*=\s*['\"]?(?P<bracket>[^'\"\]]+)['\"]?.*\]|(?P<version>[^\[\]#]*))"
)
_BRACKET = expression(rb"[\[\]{}]")
_DEEPEST = 50
_NAMES = {"pytorch": "torch", "pytorch-gpu": "torch", "ray-default": "ray", "ray-core": "ray", "ray-all": "ray"}
"""What packages of conda are called on the package index."""


def read_environment(path: str, raw: bytes) -> Statements:
    """What the environment file at `path` says; nothing is imported unless it names a tracked package."""
    collector = Collector(path)
    if not may_name_one(raw):
        return collector.statements()
    for line, text, for_pip in _dependencies(collector, raw):
        if for_pip:
            if not text.startswith("-"):
                collector.text(line, text, Origin.ENVIRONMENT)
        else:
            _match(collector, line, text)
    return collector.statements(collector.listing())


def conda_package(text: str) -> tuple[str, str] | None:
    """Name (of the package index) and specifier in a match specification such as `pytorch::pytorch=2.5`."""
    found = _MATCH.fullmatch(text.strip()[:1000])
    if found is None:
        return None
    name = normalised(found["name"])
    name = _NAMES.get(name, name)
    if not tracked(name):
        return None
    version = found["bracket"] or found["version"] or ""
    # `name=version=build` and `name version build`: the build says nothing of the release
    version = re.sub(r"^(=[^=<>!~,\s]+)=.*$", r"\1", version.strip())
    version = re.sub(r"(?<=[\w*])\s+[\w*].*$", "", version)
    return name, specifier_of_conda(version)


def _match(collector: Collector, line: int, text: str) -> None:
    package = conda_package(text)
    if package is not None:
        collector.specifier(line, *package, Origin.ENVIRONMENT)


def _dependencies(collector: Collector, raw: bytes) -> Iterator[tuple[int, str, bool]]:
    """Line, text, and whether it is for pip, of each entry of `dependencies`."""
    from ruamel.yaml import YAML
    from ruamel.yaml.error import MarkedYAMLError, YAMLError

    if _depth(raw) > _DEEPEST:
        collector.trouble(1, "this file is nested too deeply to be read")
        return
    reader = YAML(typ="rt", pure=True)
    try:
        root: Any = reader.compose(raw.decode("utf-8-sig", errors="replace"))
    except MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        collector.trouble(mark.line + 1 if mark else 1, f"this file is not YAML: {error.problem}")
        return
    except (YAMLError, RecursionError, ValueError):
        collector.trouble(1, "this file is not YAML")
        return
    for entry in _items(_value(root, "dependencies")):
        if entry.id == "scalar":
            yield entry.start_mark.line + 1, str(entry.value), False
        for inner in _items(_value(entry, "pip")):
            if inner.id == "scalar":
                yield inner.start_mark.line + 1, str(inner.value), True


def _depth(raw: bytes) -> int:
    """How deep brackets are nested at most, those in quotes counted, too; the YAML reader is slow on hundreds."""
    depth = deepest = 0
    for bracket in _BRACKET.finditer(raw):
        depth += 1 if bracket[0] in b"[{" else -1
        deepest = max(deepest, depth)
    return deepest


def _value(node: Any, key: str) -> Any:
    """The node under a key of a mapping node, None where there is none."""
    if node is None or node.id != "mapping":
        return None
    return next((value for name, value in node.value if name.id == "scalar" and name.value == key), None)


def _items(node: Any) -> list[Any]:
    """The nodes of a sequence node, none of any other."""
    return list(node.value) if node is not None and node.id == "sequence" else []
