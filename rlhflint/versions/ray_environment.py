"""Runtime environments of Ray: the packages and the image that a job brings along."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from textwrap import dedent
from typing import Any

from rlhflint.expressions import expression
from rlhflint.packages.names import may_name_one
from rlhflint.versions.collecting import Collector
from rlhflint.versions.images import add_image
from rlhflint.versions.requirement import Origin

_LONGEST = 100_000
"""Characters of an environment that are looked at."""
_TOOLS = ("pip", "uv")
_BLOCK = expression(r"^(?P<indent> *)runtimeEnvYAML[ \t]*:[ \t]*[|>][-+0-9]*[ \t]*(?:#.*)?\r?\n", re.MULTILINE)
"""The key of a RayJob's manifest whose value is the environment, as text."""


def read_environment(collector: Collector, line: int, text: str, origin: Origin) -> None:
    """`pip`, `uv` and `image_uri` of a runtime environment in JSON, as `ray job submit` takes it."""
    try:
        environment: Any = json.loads(text[:_LONGEST])
    except (ValueError, RecursionError):
        return
    if not isinstance(environment, dict):
        return
    for tool in _TOOLS:
        packages = environment.get(tool)
        if isinstance(packages, dict):
            packages = packages.get("packages")
        texts = packages if isinstance(packages, list) else []
        _packages(collector, tool, ((line, one) for one in texts if isinstance(one, str)), origin)
    for container in (environment.get("image_uri"), environment.get("container")):
        image = container.get("image") if isinstance(container, dict) else container
        if isinstance(image, str):
            add_image(collector, line, image)


def read_manifest(collector: Collector, text: str) -> None:
    """`pip` and `uv` of the runtime environments that the RayJobs of a manifest bring along."""
    for found in _BLOCK.finditer(text):
        before = text.count("\n", 0, found.end())
        block = "".join(_indented(text[found.end() : found.end() + _LONGEST], len(found["indent"])))
        if may_name_one(block.encode(errors="replace")):
            _read_block(collector, before, dedent(block))


def _read_block(collector: Collector, before: int, block: str) -> None:
    from rlhflint.versions.yaml_nodes import NoYAML, items, root, scalars, value

    try:
        environment = root(block)
    except NoYAML:
        return
    for tool in _TOOLS:
        packages = value(environment, tool)
        found = scalars(items(value(packages, "packages") or packages))
        _packages(collector, tool, ((before + line, one) for line, one in found), Origin.OWN_FILE)


def _packages(collector: Collector, tool: str, requirements: Iterable[tuple[int, str]], origin: Origin) -> None:
    for line, requirement in requirements:
        collector.text(line, requirement, origin, f"{tool} of the Ray environment")


def _indented(text: str, indent: int) -> Iterator[str]:
    """The lines of a block scalar whose key stands at `indent`."""
    for line in text.splitlines(keepends=True):
        if line.strip() and len(line) - len(line.lstrip(" ")) <= indent:
            break
        yield line
