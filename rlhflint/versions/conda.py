"""Environment files of conda, and the requirements for pip in them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rlhflint.expressions import expression
from rlhflint.packages.names import may_name_one, normalised, tracked
from rlhflint.versions.collecting import Collector
from rlhflint.versions.poetry import specifier_of_conda
from rlhflint.versions.requirement import Origin, Statements

_MATCH = expression(
    r"(?:[^\s:\[\]]+::)?(?P<name>[A-Za-z0-9._-]+)\s*"
    r"(?:\[.*?version\s*=\s*['\"]?(?P<bracket>[^'\"\]]+)['\"]?.*\]|(?P<version>[^\[\]#]*))"
)
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
    from rlhflint.versions.yaml_nodes import NoYAML, items, root, scalars, value

    try:
        environment = root(raw.decode("utf-8-sig", errors="replace"))
    except NoYAML as error:
        collector.trouble(error.line, str(error))
        return
    for entry in items(value(environment, "dependencies")):
        yield from ((line, text, False) for line, text in scalars([entry]))
        yield from ((line, text, True) for line, text in scalars(items(value(entry, "pip"))))
