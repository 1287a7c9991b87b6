"""Where the catalog's data files lie."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any


@cache
def schemas() -> Path:
    """The folder of the data files: `rlhflint/schemas` of an installed wheel, else `schemas` beside the package.

    Raises FileNotFoundError if neither is there, which only a damaged installation brings about.
    """
    package = Path(__file__).resolve().parent.parent
    for folder in (package / "schemas", package.parent / "schemas"):
        if folder.is_dir():
            return folder
    raise FileNotFoundError(f"the data files of rlhflint are missing: {package / 'schemas'}")


def read_json(*parts: str) -> dict[str, Any]:
    """The object in one data file, named by its path below the folder: `read_json("openrlhf", "train_sft.json")`.

    Raises OSError where the file cannot be read and ValueError where it is no JSON.
    """
    content: dict[str, Any] = json.loads(schemas().joinpath(*parts).read_bytes())
    return content
