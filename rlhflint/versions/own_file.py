"""What the file that holds a launch says itself, besides the commands in it."""

from __future__ import annotations

import re

from rlhflint.expressions import expression
from rlhflint.project.kinds import FileKind
from rlhflint.project.toml_source import TomlError, TomlSource
from rlhflint.versions.collecting import Collector
from rlhflint.versions.lines import Lines
from rlhflint.versions.requirement import Origin, Statements

_IMAGE_KEY = expression(
    r"(?:^[ \t]*(?:-[ \t]+)?|[{,][ \t]*)(?P<quote>[\"']?)(?:image|image_id|imageName|container)(?P=quote)[ \t]*:"
    r"[ \t]*(?P<image>[^\s#,}]+)",
    re.MULTILINE,
)
_CONTAINERS = expression(r"^[ \t]*(?:-[ \t]+)?(?:containers|initContainers)[ \t]*:", re.MULTILINE)
"""What runs in a pod runs in an image, also where another file names it."""
_DIRECTIVE = expression(r"^#SBATCH[ \t]+--container-image[= \t]+(?P<image>\S+)", re.MULTILINE)
_SCRIPT = expression(r"^# /// script[ \t]*\r?$", re.MULTILINE)


def read_own_text(path: str, text: str, kind: FileKind) -> Statements:
    """Inline script metadata of Python (PEP 723), images and Ray environments of YAML, the image of a Slurm script."""
    collector = Collector(path)
    if kind is FileKind.PYTHON and (start := _SCRIPT.search(text)):
        _script_metadata(collector, text, start.end())
        return collector.statements(collector.listing())
    pattern = {FileKind.YAML: _IMAGE_KEY, FileKind.SHELL: _DIRECTIVE}.get(kind)
    lines = Lines(text)
    for found in pattern.finditer(text) if pattern is not None else ():
        from rlhflint.versions.images import add_image

        if collector.full:
            break
        add_image(collector, lines.at(found.start("image")), found["image"])
    if kind is FileKind.YAML:
        collector.opaque |= _CONTAINERS.search(text) is not None
        from rlhflint.versions.ray_environment import read_manifest

        read_manifest(collector, text)
    return collector.statements()


def _script_metadata(collector: Collector, text: str, start: int) -> None:
    first = text.count("\n", 0, start) + 1
    lines: list[str] = []
    for line in text[start:].split("\n")[1:]:
        line = line.rstrip("\r")
        if not line.startswith("#"):
            return  # a block that does not end is none
        if line == "# ///":
            break
        lines.append(line[2:])
    try:
        source = TomlSource("\n".join(lines))
    except TomlError as error:
        collector.trouble(first + error.line, f"the script metadata is not TOML: {error.message}")
        return
    dependencies = source.data.get("dependencies")
    for position, dependency in enumerate(dependencies if isinstance(dependencies, list) else []):
        if isinstance(dependency, str):
            collector.text(
                first + source.line("dependencies", position), dependency, Origin.OWN_FILE, "script metadata"
            )
    python = source.data.get("requires-python")
    if isinstance(python, str):
        collector.specifier(
            first + source.line("requires-python"), "python", python, Origin.OWN_FILE, "script metadata"
        )


def read_python_version(path: str, raw: bytes) -> Statements:
    """What a `.python-version` says: `3.11`, `3.11.7`, one release a line, of which the first counts."""
    collector = Collector(path)
    for number, line in enumerate(raw[:10_000].decode("utf-8", errors="replace").splitlines(), start=1):
        found = re.fullmatch(r"(?:python-?)?(?P<release>3\.\d+(?:\.\d+)?)", line.partition("#")[0].strip())
        if found is not None:
            wildcard = ".*" if found["release"].count(".") < 2 else ""
            collector.specifier(number, "python", f"=={found['release']}{wildcard}", Origin.PROJECT)
            break
    return collector.statements()
