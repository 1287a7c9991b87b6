"""Released wheels on this machine, fetched from the package index where they are missing."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from tools.schemas.wheel_texts import release_of

_ANY_PYTHON = (
    *("--only-binary", ":all:", "--python-version", "3.11", "--implementation", "cp"),
    *("--platform", "manylinux1_x86_64", "--platform", "manylinux2014_x86_64"),
)
"""Some releases have wheels for one Python and one platform only; no matter which, as nothing of them is run."""


class Unavailable(Exception):
    """A wheel is neither here nor can it be fetched."""


def folder() -> Path:
    """Where wheels are kept: RLHFLINT_PACKAGES, else a folder below the system's temporary one."""
    return Path(os.environ.get("RLHFLINT_PACKAGES") or Path(tempfile.gettempdir()) / "rlhflint-packages")


def present(package: str, packages: Path) -> dict[str, Path]:
    """The wheels of a package that lie in a folder or in its subfolder named after the package, by release."""
    prefix = package.replace("-", "_")
    wheels = (path for below in (packages, packages / package) for path in sorted(below.glob(f"{prefix}-*.whl")))
    return {release_of(wheel): wheel for wheel in wheels}


def wheel(package: str, release: str, packages: Path | None = None) -> Path:
    """The wheel of one release, downloaded with pip if it is missing. Raises Unavailable if that fails."""
    packages = packages or folder()
    found = present(package, packages)
    if release not in found:
        packages.mkdir(parents=True, exist_ok=True)
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"]
        command += [*_ANY_PYTHON, "--dest", str(packages), f"{package}=={release}"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        found = present(package, packages)
        if release not in found:
            raise Unavailable(f"{package} {release}: {done.stderr.strip()[-300:]}")
    return found[release]
