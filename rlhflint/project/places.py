"""Places in the files of a project, and how they are named to people."""

from __future__ import annotations

import os
from typing import NamedTuple

from rlhflint.disk import has_entry


class Place(NamedTuple):
    """A line of a file, counted from 1; line 0 is the file as a whole."""

    path: str
    line: int = 0

    def __str__(self) -> str:
        return f"{shown(self.path)} line {self.line}" if self.line else shown(self.path)


def shown(path: str) -> str:
    """`path` as output shows it: relative to the working directory and with `/`.

    It is absolute if it lies elsewhere and has no folder in common with it but the root.
    """
    if not os.path.isabs(path):
        path = os.path.normpath(path)
        if not path.startswith(os.pardir):
            return path.replace(os.sep, "/")
    absolute = os.path.abspath(path)
    here = os.getcwd()
    if absolute == here:
        return os.curdir
    if inside(absolute, here) or absolute.split(os.sep)[:2] != here.split(os.sep)[:2]:
        return below(absolute, here)
    return os.path.relpath(absolute, here).replace(os.sep, "/")


def inside(path: str, folder: str) -> bool:
    """`path` is `folder` or lies in it; both are absolute, without `..`."""
    return path == folder or path.startswith(folder if folder.endswith(os.sep) else folder + os.sep)


def below(path: str, folder: str) -> str:
    """`path` relative to `folder`, with `/`; as it is if it does not lie in there. Both are absolute, without `..`."""
    if inside(path, folder):
        path = path[len(folder) :].lstrip(os.sep)
    return path.replace(os.sep, "/")


def upward(folder: str, top: str) -> list[str]:
    """`folder` and the folders above it, nearest first, `top` the last; `folder` alone if it is not in `top`."""
    found = [folder]
    if not inside(folder, top):
        return found
    while folder != top:
        folder = os.path.dirname(folder)
        found.append(folder)
    return found


class Repositories:
    """Finds the repository a folder belongs to; answers are kept.

    `fallback` is where a search upward ends when no repository is found: the folder rlhflint was started in.
    """

    def __init__(self, fallback: str | None = None) -> None:
        self.fallback = os.path.abspath(fallback if fallback is not None else os.getcwd())
        self._known: dict[str, str | None] = {}

    def root(self, folder: str) -> str:
        """Where a search that starts in `folder` ends.

        That is the nearest folder above it that has a `.git` entry (a folder; a file in worktrees and submodules);
        without one the fallback if `folder` lies in it, else `folder` itself.
        """
        folder = os.path.abspath(folder)
        repository = self._repository(folder)
        if repository is not None:
            return repository
        return self.fallback if inside(folder, self.fallback) else folder

    def _repository(self, folder: str) -> str | None:
        climbed: list[str] = []
        answer: str | None = None
        while True:
            if folder in self._known:
                answer = self._known[folder]
                break
            climbed.append(folder)
            if has_entry(os.path.join(folder, ".git")):
                answer = folder
                break
            above = os.path.dirname(folder)
            if above == folder:
                break
            folder = above
        for seen in climbed:
            self._known[seen] = answer
        return answer
