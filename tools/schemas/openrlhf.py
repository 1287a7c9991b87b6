"""Make `schemas/openrlhf/` from released wheels of OpenRLHF.

releases.json       the releases read, oldest first, each with the releases of other packages it asks for
PROGRAM.json        one entry point of `openrlhf.cli`: its life and its options, as intervals over releases, and what
                    the overlay `changes.toml` says of it
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path, PurePosixPath
from typing import Any

from rlhflint.catalog.intervals import Releases
from rlhflint.catalog.source.argparse_source import has_parser, read_program
from tools.schemas.histories import fold, to_json
from tools.schemas.openrlhf_changes import Overlay, ProgramData, load
from tools.schemas.requirements import requirements
from tools.schemas.wheel_texts import by_release, texts

_CLI = "openrlhf/cli/"


def build(wheels: Sequence[Path]) -> tuple[dict[str, str], list[str]]:
    """The text of every data file by its path below `schemas/`, and what is wrong with the overlay over them.

    Raises ValueError where a program cannot be read.
    """
    lives: dict[str, dict[str, dict[str, Any]]] = defaultdict(dict)
    options: dict[str, dict[str, dict[str, dict[str, Any]]]] = defaultdict(lambda: defaultdict(dict))
    releases: dict[str, dict[str, Any]] = {}
    for release, wheel in by_release(wheels).items():
        releases[release] = requirements(wheel)
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
    contents: dict[str, dict[str, Any]] = {}
    for program, life in sorted(lives.items()):
        rows = {
            flag: [interval.to_row() for interval in fold(history, order)]
            for flag, history in sorted(options[program].items())
        }
        contents[program] = {"life": [interval.to_row() for interval in fold(life, order)], "options": rows}
    data = {program: ProgramData.read(content) for program, content in contents.items()}
    overlay = Overlay(load(), Releases(order), data).apply()
    files = {"openrlhf/releases.json": to_json({"releases": releases}, 2)}
    for program, content in contents.items():
        files[f"openrlhf/{program}.json"] = to_json(content | overlay.parts[program], 2)
    return files, overlay.problems
