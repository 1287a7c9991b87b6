"""The Python files of a released wheel as text, nothing unpacked and nothing run."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterable
from pathlib import Path

from tools.schemas.histories import sort_releases

_DATA_FOLDER = re.compile(r"^[^/]+\.data/(?:purelib|platlib)/")


def release_of(wheel: Path) -> str:
    """The release in a wheel's file name: 1.16.0 of `trl-1.16.0-py3-none-any.whl`."""
    return wheel.name.split("-")[1]


def by_release(wheels: Iterable[Path]) -> dict[str, Path]:
    """Wheels by release, oldest first."""
    found = {release_of(wheel): wheel for wheel in wheels}
    return {release: found[release] for release in sort_releases(found)}


def texts(wheel: Path, *prefixes: str) -> dict[str, str]:
    """The `.py` files whose path starts with one of the prefixes, by path from the package root, sorted."""
    found: dict[str, str] = {}
    with zipfile.ZipFile(wheel) as archive:
        for name in archive.namelist():
            path = _DATA_FOLDER.sub("", name)
            if path.endswith(".py") and path.startswith(prefixes):
                found[path] = archive.read(name).decode("utf-8")
    return dict(sorted(found.items()))
