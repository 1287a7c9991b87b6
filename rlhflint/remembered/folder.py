"""The folder of what is remembered: where it is, and how files in it are read and written."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from contextlib import suppress

from rlhflint.digest import digest

MOST_BYTES = 128 << 20
"""What all files together may take; those that were not used for longest go first."""
_MARK = b"rlhflint remembers "
_TEMPORARY = ".part"


def folder_of(environ: Mapping[str, str]) -> str | None:
    """Where results are kept, by the environment; None where no place is known.

    That is `RLHFLINT_CACHE_DIR`, else `rlhflint` in the folder that the system has for such files.
    """
    if stated := environ.get("RLHFLINT_CACHE_DIR"):
        return os.path.abspath(stated)
    home = environ.get("HOME") or environ.get("USERPROFILE")
    if sys.platform == "win32":
        above = environ.get("LOCALAPPDATA")
    elif sys.platform == "darwin":
        above = home and os.path.join(home, "Library", "Caches")
    else:
        above = environ.get("XDG_CACHE_HOME") or (home and os.path.join(home, ".cache"))
    return os.path.join(above, "rlhflint") if above and os.path.isabs(above) else None


def read(folder: str, name: str) -> bytes | None:
    """What was written under a name; None where that is nothing, or not what was written."""
    path = os.path.join(folder, name)
    try:
        with open(path, "rb") as file:
            first, content = file.readline(), file.read()
        if first != _first(content):
            return None
        os.utime(path)
    except OSError:
        return None
    return content


def write(folder: str, name: str, content: bytes) -> bool:
    """Keep a content under a name, whole or not at all; whether that could be done.

    What another run keeps there at the same time stays if it is later.
    """
    if len(content) > MOST_BYTES // 2:
        return False
    try:
        os.makedirs(folder, mode=0o700, exist_ok=True)
        temporary = os.path.join(folder, f"{name}-{os.getpid()}{_TEMPORARY}")
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o600)
        try:
            with open(descriptor, "wb") as file:
                file.write(_first(content) + content)
            os.replace(temporary, os.path.join(folder, name))
        except BaseException:
            with suppress(OSError):
                os.unlink(temporary)
            raise
        _bound(folder)
    except OSError:
        return False
    return True


def _first(content: bytes) -> bytes:
    """The line before a content, which tells whether it is whole."""
    return _MARK + digest(content).encode() + b"\n"


def _bound(folder: str) -> None:
    """Take the files away that are too much, those first that were not used for longest."""
    with os.scandir(folder) as scan:
        held = sorted(
            ((entry.stat(), entry.path) for entry in scan if entry.is_file()), key=lambda one: -one[0].st_mtime
        )
    size = 0
    for found, path in held:
        size += found.st_size
        if size > MOST_BYTES:
            with suppress(OSError):
                os.unlink(path)
