"""The files to check under the paths a user names."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterable, Iterator
from dataclasses import field
from typing import NamedTuple

from rlhflint.disk import NO_FILE, NOT_THERE, Unreadable, unreadable
from rlhflint.project.ignores import Ignores
from rlhflint.project.kinds import FileKind, kind_of_file, kind_of_name
from rlhflint.project.patterns import Patterns
from rlhflint.project.places import Repositories, below, inside
from rlhflint.records import dataclass

DEFAULT_EXCLUDES = (
    ".bzr",
    ".direnv",
    ".eggs",
    ".git",
    ".hg",
    ".hypothesis",
    ".ipynb_checkpoints",
    ".mypy_cache",
    ".nox",
    ".pixi",
    ".pytest_cache",
    ".ruff_cache",
    ".svn",
    ".tox",
    ".venv",
    "__pycache__",
    "__pypackages__",
    "build",
    "dist",
    "dist-packages",
    "node_modules",
    "site-packages",
    "venv",
)
"""Names of folders and files that are left out unless a configuration sets `exclude`."""

CONFIGURATION_NAMES = (".rlhflint.toml", "rlhflint.toml", "pyproject.toml")
"""Configuration files; of several in one folder the first here is taken."""


class Candidate(NamedTuple):
    """A file that may hold launches: its path, beginning as the user wrote it, and how it is read."""

    path: str
    kind: FileKind


class Excludes(NamedTuple):
    """What a configuration leaves out. `lists` holds folders (absolute) and the patterns that are relative to them."""

    lists: tuple[tuple[str, Patterns], ...] = ()

    def hides(self, path: str, name: str, *, folder: bool) -> bool:
        """Whether the entry `name` at the absolute `path` is left out."""
        return any(patterns.verdict(below(path, base), name, folder=folder) for base, patterns in self.lists)

    def hides_below(self, top: str, path: str, *, folder: bool = False) -> bool:
        """Whether the file or folder at `path`, or a folder between it and `top`, is left out; both are absolute.

        What `top` itself is called, and what lies above it, does not matter: a project may lie in a folder `build`.
        """
        inner = below(path, top).split("/") if inside(path, top) else [os.path.basename(path)]
        at = top if inside(path, top) else os.path.dirname(path)
        for position, name in enumerate(inner):
            at = os.path.join(at, name)
            if self.hides(at, name, folder=folder or position < len(inner) - 1):
                return True
        return False


@dataclass(slots=True, eq=False, repr=False)
class Discovery:
    """Finds files.

    Args:
        excludes: what is left out in a folder (absolute) by the configuration in force there. Asked for each path the
            user named, and for each folder on the way that has a configuration file of its own.
        unreadable: told of paths that do not exist or cannot be read, and why.
        force_exclude: leave out named files, too, where the configuration says so.
    """

    excludes: Callable[[str], Excludes]
    unreadable: Callable[[str, Unreadable], None]
    force_exclude: bool = False
    repositories: Repositories = field(default_factory=Repositories)

    def candidates(self, paths: Iterable[str | os.PathLike[str]]) -> Iterator[Candidate]:
        """The files under `paths`, each once, in the order of the paths and of the names in a folder.

        A named file comes whatever it is called; a folder is searched all through for files whose names tell that
        rlhflint reads them, except what git ignores and what is excluded. Symbolic links are followed only where the
        user names them: what they lead to inside of a folder is found there, and nothing outside is looked at.
        """
        named = list(paths)
        if len(named) == 1:  # a walk comes to no file twice
            yield from self._under(os.fspath(named[0]))
            return
        seen: set[str] = set()
        for path in named:
            for candidate in self._under(os.fspath(path)):
                absolute = os.path.abspath(candidate.path)
                if absolute not in seen:
                    seen.add(absolute)
                    yield candidate

    def _under(self, path: str) -> Iterator[Candidate]:
        try:
            # An empty path is none: os.path.normpath would make the working directory of it.
            mode = os.stat(path and os.path.normpath(path)).st_mode
        except (OSError, ValueError) as error:
            self.unreadable(path, unreadable(error) if path else Unreadable("its path is empty", remedy=NOT_THERE))
            return
        path = os.path.normpath(path)
        absolute = os.path.abspath(path)
        if stat.S_ISDIR(mode):
            if not self._forced_out(absolute, absolute):
                yield from self._in_folder(path, absolute)
        elif not stat.S_ISREG(mode):
            self.unreadable(path, Unreadable("it is not a regular file", remedy=NO_FILE))
        elif not self._forced_out(absolute, os.path.dirname(absolute)):
            yield Candidate(path, kind_of_file(path) or FileKind.OTHER)

    def _forced_out(self, path: str, folder: str) -> bool:
        """Whether a named path is left out all the same; `folder` is the path itself or the folder it lies in."""
        if not self.force_exclude:
            return False
        return self.excludes(folder).hides_below(self.repositories.root(folder), path, folder=path == folder)

    def _in_folder(self, path: str, absolute: str) -> Iterator[Candidate]:
        top = self.repositories.root(absolute)
        first = _Folder(
            path="" if path == os.curdir else path,
            absolute=absolute,
            ignores=Ignores.at(top, absolute),
            excludes=self.excludes(absolute),
            named=True,
        )
        waiting: list[_Folder | Candidate] = [first]
        while waiting:
            entry = waiting.pop()
            if isinstance(entry, _Folder):
                waiting += reversed(self._entries(entry))
            else:
                yield entry

    def _entries(self, folder: _Folder) -> list[_Folder | Candidate]:
        """What is to be looked at in a folder, sorted by name."""
        try:
            with os.scandir(folder.absolute) as scan:
                entries = list(scan)
        except OSError as error:
            self.unreadable(folder.path, unreadable(error))
            return []
        names = {entry.name for entry in entries}
        if "pyvenv.cfg" in names and not folder.named:
            return []
        folder = self._with_own_files(folder, names)
        found: list[tuple[str, _Folder | Candidate]] = []
        for entry in entries:
            name = entry.name
            kind = kind_of_name(name)
            if kind is None and "." in name and not entry.is_dir(follow_symlinks=False):
                continue
            if (inner := self._entry(folder, entry, kind)) is not None:
                found.append((name, inner))
        found.sort(key=lambda pair: pair[0])
        return [inner for _, inner in found]

    def _with_own_files(self, folder: _Folder, names: set[str]) -> _Folder:
        """A folder with what its own ignore and configuration files add."""
        if not folder.named:
            if ".git" in names:
                folder = folder._replace(ignores=Ignores.at(folder.absolute, folder.absolute))
            elif ".gitignore" in names:
                folder = folder._replace(ignores=folder.ignores.with_file_in(folder.absolute))
            if not names.isdisjoint(CONFIGURATION_NAMES):
                folder = folder._replace(excludes=self.excludes(folder.absolute))
        return folder

    def _entry(self, folder: _Folder, entry: os.DirEntry[str], kind: FileKind | None) -> _Folder | Candidate | None:
        name = entry.name
        is_folder = entry.is_dir(follow_symlinks=False)
        if not is_folder and not entry.is_file(follow_symlinks=False):
            return None
        absolute = folder.absolute + os.sep + name
        if folder.excludes.hides(absolute, name, folder=is_folder):
            return None
        if folder.ignores.hides(absolute, name, folder=is_folder):
            return None
        path = os.path.join(folder.path, name)
        if not is_folder:
            kind = kind or kind_of_file(absolute)
            return Candidate(path, kind) if kind is not None else None
        return _Folder(path, absolute, folder.ignores, folder.excludes)


class _Folder(NamedTuple):
    path: str
    absolute: str
    ignores: Ignores
    excludes: Excludes
    named: bool = False
    """Named by the user, its `ignores` complete."""
