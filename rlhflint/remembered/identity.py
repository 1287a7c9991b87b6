"""What has to be the same for a result to be that of another run: the linter, its options, where it is started."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator

from rlhflint import __version__
from rlhflint.catalog.files import schemas
from rlhflint.digest import digest
from rlhflint.project.settings import Settings

_LIBRARIES = ("click", "libcst", "packaging", "pydantic", "pydantic_core", "ruamel", "tree_sitter")
"""How the names of the packages begin that take part in a check."""
_JUST = 5
"""Seconds within which a change of the linter may be later than what this run has loaded of it."""


def identity_of(settings: Settings) -> str | None:
    """A name for runs with these options, started in the working directory with the linter as it is installed.

    None where that is not certain: the linter lies in an archive, or its files have changed just now.
    """
    package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    parts = [__version__, sys.version, sys.getfilesystemencoding(), os.getcwd(), repr(settings), *_libraries()]
    newest = 0
    try:
        for top in (package, str(schemas())):
            for path, found in _files(top):
                parts.append(f"{path} {found.st_size} {found.st_mtime_ns} {found.st_ctime_ns} {found.st_ino}")
                newest = max(newest, found.st_ctime_ns)
    except OSError:
        return None
    if newest > time.time_ns() - _JUST * 10**9:
        return None
    return digest("\0".join(parts))


def _files(top: str) -> Iterator[tuple[str, os.stat_result]]:
    """Every file below a folder but compiled ones."""
    waiting = [top]
    while waiting:
        with os.scandir(waiting.pop()) as scan:
            for entry in sorted(scan, key=lambda one: one.name):
                if not entry.is_dir(follow_symlinks=False):
                    yield entry.path, entry.stat()
                elif entry.name != "__pycache__":
                    waiting.append(entry.path)


def _libraries() -> Iterator[str]:
    """The releases of the libraries, by the names of the folders that describe them."""
    for folder in dict.fromkeys(sys.path):
        try:
            held = sorted(os.listdir(folder or os.curdir))
        except OSError:
            continue
        yield from (name for name in held if name.endswith("-info") and name.lower().startswith(_LIBRARIES))
