"""The options of `accelerate launch` at a release of accelerate."""

from __future__ import annotations

from functools import cache

from rlhflint.catalog.files import read_json
from rlhflint.catalog.intervals import Releases
from rlhflint.catalog.option import Option, options_by_spelling
from rlhflint.catalog.trl.store import state_at


@cache
def releases() -> Releases:
    """The releases of accelerate in the catalog: the last one of each minor version."""
    return Releases(read_json("accelerate", "releases.json")["releases"])


@cache
def launch_options(release: str) -> dict[str, Option]:
    """The options of `accelerate launch` by every spelling, at a listed release; abbreviations are not taken."""
    order = releases()
    rows = {flag: state_at(one, order, release) for flag, one in read_json("accelerate", "launch.json").items()}
    return options_by_spelling({flag: row for flag, row in rows.items() if row is not None})
