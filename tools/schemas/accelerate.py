"""Make `schemas/accelerate/` from released wheels of accelerate.

releases.json   the releases read, oldest first
launch.json     the options of `accelerate launch`: flag → intervals in the form of `schemas/openrlhf/`
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

from rlhflint.catalog.source.argparse_source import read_program
from tools.schemas.class_tables import History, rows
from tools.schemas.histories import to_json
from tools.schemas.wheel_texts import by_release, texts

_LAUNCH = "accelerate/commands/launch.py"
_OWN_PARSER = "CustomArgumentParser"
"""The parser of accelerate 0.28 and newer takes hyphens for underscores and registers what it is told, no more."""


def build(wheels: Sequence[Path]) -> dict[str, str]:
    """The text of every data file by its path below `schemas/`. Raises ValueError where the parser cannot be read."""
    options: dict[str, History] = defaultdict(dict)
    order: list[str] = []
    for release, wheel in by_release(wheels).items():
        order.append(release)
        found = read_program(_LAUNCH, texts(wheel, "accelerate/").get)
        if found is None or found.broken or (found.open and _OWN_PARSER not in found.open):
            raise ValueError(f"accelerate {release} {_LAUNCH}: {found.open or found.broken if found else 'no Python'}")
        for flag, row in found.options.items():
            aliases = list(row.get("aliases", ()))
            if _OWN_PARSER in found.open and flag.startswith("--") and "_" in flag:
                aliases.append(flag.replace("_", "-"))
            options[flag][release] = {**row, "aliases": aliases} if aliases else row
    return {
        "accelerate/releases.json": to_json({"releases": order}, 1),
        "accelerate/launch.json": to_json({flag: rows(history, order) for flag, history in options.items()}, 1),
    }
