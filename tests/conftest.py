"""Released packages for the tests that compare with upstream."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tools.schemas.packages import Unavailable, wheel


@pytest.fixture(scope="session")
def released_wheel() -> Callable[[str, str], Path]:
    """Finds the wheel of a package's release, downloads it if need be, and skips the test if that fails."""

    def find(package: str, release: str) -> Path:
        try:
            return wheel(package, release)
        except Unavailable as missing:
            pytest.skip(f"not to be had: {missing}")

    return find
