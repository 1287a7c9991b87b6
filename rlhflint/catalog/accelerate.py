"""The options of `accelerate launch` at a release of accelerate."""

from __future__ import annotations

from functools import cache
from typing import Any

from rlhflint.catalog.files import read_json
from rlhflint.catalog.intervals import Interval, Releases
from rlhflint.catalog.option import Option, options_by_spelling


@cache
def releases() -> Releases:
    """The releases of accelerate in the catalog: the last one of each minor version."""
    return Releases(read_json("accelerate", "releases.json")["releases"])


@cache
def launch_options(release: str) -> dict[str, Option]:
    """The options of `accelerate launch` by every spelling, at a listed release; abbreviations are not taken."""
    rows = {flag: releases().row_at(one, release) for flag, one in _histories().items()}
    return options_by_spelling({flag: row for flag, row in rows.items() if row is not None})


def accepting(spelling: str) -> tuple[str, ...]:
    """The listed releases whose `accelerate launch` takes an option so spelt, oldest first."""
    rows = [row for flag, one in _histories().items() for row in one if spelling in (flag, *row.get("aliases", ()))]
    return releases().within(map(Interval.from_row, rows))


@cache
def _histories() -> dict[str, list[dict[str, Any]]]:
    return read_json("accelerate", "launch.json")
