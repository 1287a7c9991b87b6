"""Make `schemas/openrlhf/` from released wheels of OpenRLHF.

releases.json       the releases read, oldest first, each with the releases of other packages it asks for
PROGRAM.json        one entry point of `openrlhf.cli`: its life and its options, as intervals over releases
"""

from __future__ import annotations

import zipfile
from collections import defaultdict
from collections.abc import Sequence
from email.parser import HeaderParser
from pathlib import Path, PurePosixPath
from typing import Any

from packaging.requirements import Requirement

from rlhflint.catalog.argparse_source import has_parser, read_program
from rlhflint.catalog.intervals import fold, to_json
from tools.schemas.wheel_texts import by_release, texts

_CLI = "openrlhf/cli/"
_COMPANIONS = {"accelerate", "deepspeed", "flash-attn", "peft", "ray", "torch", "transformers", "vllm"}


def build(wheels: Sequence[Path]) -> dict[str, str]:
    """The text of every data file by its path below `schemas/`. Raises ValueError where a program cannot be read."""
    lives: dict[str, dict[str, dict[str, Any]]] = defaultdict(dict)
    options: dict[str, dict[str, dict[str, dict[str, Any]]]] = defaultdict(lambda: defaultdict(dict))
    releases: dict[str, dict[str, Any]] = {}
    for release, wheel in by_release(wheels).items():
        releases[release] = _requirements(wheel)
        files = texts(wheel, "openrlhf/")
        for path, source in files.items():
            if not path.startswith(_CLI) or not has_parser(source):
                continue
            program = PurePosixPath(path).stem
            reading = read_program(path, files.get)
            if reading is None or reading.open or not reading.allow_abbrev:
                raise ValueError(f"openrlhf {release} {path}: {reading.open if reading else 'no Python'}")
            lives[program][release] = {"broken": reading.broken} if reading.broken else {}
            for flag, row in reading.options.items():
                options[program][flag][release] = dict(row)
    order = list(releases)
    files = {"openrlhf/releases.json": to_json({"releases": releases}, 2)}
    for program, life in sorted(lives.items()):
        rows = {
            flag: [interval.to_row() for interval in fold(history, order)]
            for flag, history in sorted(options[program].items())
        }
        content = {"life": [interval.to_row() for interval in fold(life, order)], "options": rows}
        files[f"openrlhf/{program}.json"] = to_json(content, 2)
    return files


def _requirements(wheel: Path) -> dict[str, Any]:
    """`{"python": …, "requires": {package: specifier}, "extras": {extra: {package: specifier}}}` of the metadata."""
    with zipfile.ZipFile(wheel) as archive:
        name = next(name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        metadata = HeaderParser().parsestr(archive.read(name).decode("utf-8"))
    extras: dict[str, dict[str, str]] = {
        str(extra).replace("-", "_"): {} for extra in metadata.get_all("Provides-Extra", [])
    }
    requires: dict[str, str] = {}
    for line in metadata.get_all("Requires-Dist", []):
        requirement = Requirement(str(line))
        needing = [
            extra
            for extra in extras
            if requirement.marker and requirement.marker.evaluate({"extra": extra.replace("_", "-")})
        ]
        if requirement.marker and "extra" in str(requirement.marker):
            for extra in needing:
                extras[extra][requirement.name] = str(requirement.specifier)
        elif requirement.name in _COMPANIONS:
            requires[requirement.name] = str(requirement.specifier)
    return {
        "python": str(metadata["Requires-Python"]),
        "requires": dict(sorted(requires.items())),
        "extras": dict(sorted(extras.items())),
    }
