"""Released packages for the tests that compare with upstream."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tools.schemas.packages import Unavailable, wheel

settings.register_profile("any-machine", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("any-machine")
"""How long an example takes says nothing about the code where other work runs beside it."""


@pytest.fixture(scope="session")
def released_wheel() -> Callable[[str, str], Path]:
    """Finds the wheel of a package's release, downloads it if need be, and skips the test if that fails."""

    def find(package: str, release: str) -> Path:
        try:
            return wheel(package, release)
        except Unavailable as missing:
            pytest.skip(f"not to be had: {missing}")

    return find
