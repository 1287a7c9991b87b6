"""Which files git would not track: `.gitignore` in every folder of a repository, and its `info/exclude`."""

from __future__ import annotations

import os

from rlhflint.disk import is_file, read_regular
from rlhflint.project.patterns import Patterns
from rlhflint.project.places import below, upward

_LARGEST = 1 << 20
"""Bytes of an ignore file that are read."""


class Ignores:
    """What the ignore files say of the entries of one folder; paths are absolute.

    Folders that are ignored are not to be entered: what lies in them cannot be let through again.
    """

    __slots__ = ("_lists",)

    def __init__(self, lists: tuple[tuple[str, Patterns], ...] = ()) -> None:
        self._lists = lists
        """The folder a list lies in, and the list; the one that decides first in front."""

    @classmethod
    def at(cls, top: str, folder: str) -> Ignores:
        """What holds for the entries of `folder`, which lies in `top`, the root of its repository."""
        excluded = _read(_info_exclude(top))
        ignores = cls(((top, excluded),) if excluded else ())
        for between in reversed(upward(folder, top)):
            ignores = ignores.with_file_in(between)
        return ignores

    def with_file_in(self, folder: str) -> Ignores:
        """These, and the `.gitignore` in `folder`."""
        patterns = _read(os.path.join(folder, ".gitignore"))
        return Ignores(((folder, patterns), *self._lists)) if patterns else self

    def hides(self, path: str, name: str, *, folder: bool) -> bool:
        """Whether the entry `name` at `path` is ignored."""
        for base, patterns in self._lists:
            inner, last = below(path, base), name
            if not inner.isascii():
                inner, last = _as_bytes(inner), _as_bytes(last)
            verdict = patterns.verdict(inner, last, folder=folder)
            if verdict is not None:
                return verdict
        return False


def _as_bytes(name: str) -> str:
    """One character for each byte of a file name, as in `Patterns.of_bytes`."""
    return os.fsencode(name).decode("latin-1")


def _read(path: str) -> Patterns | None:
    raw = read_regular(path, most=_LARGEST, links=False)  # git does not follow a link here either
    return Patterns.of_bytes(raw) if raw else None


def _info_exclude(top: str) -> str:
    """Where the repository's own ignore file is; in a worktree it belongs to the repository behind it."""
    directory = os.path.join(top, ".git")
    if is_file(directory):
        pointed = _line(directory).removeprefix("gitdir:").strip()
        directory = os.path.normpath(os.path.join(top, pointed))
        common = _line(os.path.join(directory, "commondir"))
        directory = os.path.normpath(os.path.join(directory, common)) if common else directory
    return os.path.join(directory, "info", "exclude")


def _line(path: str) -> str:
    raw = read_regular(path, most=4096) or b""
    return os.fsdecode(raw.split(b"\n", 1)[0]).strip()
