"""What every release of OpenRLHF accepts, from `schemas/openrlhf`."""

from __future__ import annotations

from functools import cache

from rlhflint.catalog.store import FrameworkCatalog


@cache
def openrlhf() -> FrameworkCatalog:
    """The catalog of OpenRLHF, loaded once."""
    return FrameworkCatalog("openrlhf")
