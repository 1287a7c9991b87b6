"""Finds the statements that concern a file: in it, and in the folders from its own up to the root of the repository."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import field
from typing import NamedTuple, Protocol

from rlhflint.packages.names import normalised
from rlhflint.packages.ranges import exact, specifier_of
from rlhflint.project.config import Sourced
from rlhflint.project.kinds import FileKind, kind_of_text
from rlhflint.project.places import Repositories, upward
from rlhflint.records import dataclass
from rlhflint.versions.collecting import Collector
from rlhflint.versions.commands import read_command
from rlhflint.versions.declared import Declared, Near
from rlhflint.versions.folder import read_dockerfile_at, read_folder, read_requirements_named
from rlhflint.versions.own_file import read_own_text
from rlhflint.versions.requirement import Origin, Requirement, Statements
from rlhflint.versions.said import Said
from rlhflint.versions.vendored import Vendored, vendored_in

MOST_FOLDERS = 4096
"""Folders whose statements are kept."""

CONFIGURED = -1
INSTALLED = 1 << 20
"""Distances: what is set on purpose is nearest, what happens to be installed is farther than all that is written."""


class Configured(Protocol):
    """What a configuration says about the releases in force for a file."""

    def versions_for(self, path: str) -> Mapping[str, Sourced]:
        """Package (normalised) → version or specifier, and where that is said."""


class _Folder(NamedTuple):
    statements: Statements
    copies: list[Vendored]


@dataclass(slots=True, eq=False, repr=False)
class VersionSearch:
    """Finds statements for many files; what a folder says is read once.

    `repositories` finds the folder where a search upward ends.
    """

    repositories: Repositories = field(default_factory=Repositories)
    _folders: dict[str, _Folder] = field(default_factory=dict)
    _installed: dict[str, Statements] = field(default_factory=dict)

    def declared(
        self,
        path: str | os.PathLike[str],
        *,
        text: str = "",
        kind: FileKind | None = None,
        commands: Iterable[Said] = (),
        config: Configured | None = None,
        python: str | None = None,
    ) -> Declared:
        """What is stated about releases for the file at `path`.

        Args:
            path: the file; it need not exist (standard input).
            text: what is in it, for script metadata and images; `kind` as the file's name has it, if None.
            commands: the commands in it, in which packages may be installed (see `said_in`); those of a Dockerfile are
                read from its text instead, which tells its stages apart.
            config: what is configured for it.
            python: an interpreter or environment whose installed packages count where nothing else says anything.
        """
        absolute = os.path.abspath(path)
        root = self.repositories.root(os.path.dirname(absolute))
        kind = kind or kind_of_text(absolute, text)
        own = self._own(absolute, root, text, kind, commands)
        parts = [(CONFIGURED, _configured(absolute, config)), (0, own)]
        copies: list[Vendored] = []
        for distance, folder in enumerate(upward(os.path.dirname(absolute), root), start=1):
            found = self._folder(folder, root)
            parts.append((distance, found.statements))
            copies += [copy for copy in found.copies if copy.folder not in [known.folder for known in copies]]
        if python is not None:
            parts.append((INSTALLED, self._installed_at(python)))
        return Declared(
            tuple(Near(distance, one) for distance, part in parts for one in part.requirements),
            tuple(listing for _, part in parts for listing in part.listings),
            tuple(copies),
            tuple(dict.fromkeys(trouble for _, part in parts for trouble in part.troubles)),
            any(part.opaque for _, part in parts),
            own.opaque and kind is not FileKind.DOCKERFILE,
        )

    def _own(
        self,
        path: str,
        root: str,
        text: str,
        kind: FileKind,
        commands: Iterable[Said],
    ) -> Statements:
        if kind is FileKind.DOCKERFILE:
            return read_dockerfile_at(path, text.encode(errors="replace"), root)
        collectors, included = {path: Collector(path)}, list[str]()
        for command in commands:
            collector = collectors.setdefault(command.path or path, Collector(command.path or path))
            read_command(collector, command.line, command.words, Origin.OWN_FILE, included.append)
        folders = upward(os.path.dirname(path), root)
        return Statements.joined(
            [
                *(collector.statements() for collector in collectors.values()),
                *read_requirements_named(included, folders, root, Origin.OWN_FILE),
                read_own_text(path, text, kind),
            ]
        )

    def _folder(self, folder: str, root: str) -> _Folder:
        found = self._folders.get(folder)
        if found is None:
            if len(self._folders) >= MOST_FOLDERS:
                self._folders.clear()
            statements, copies = read_folder(folder, root), vendored_in(folder)
            releases = tuple(copy.release for copy in copies if copy.release is not None)
            found = _Folder(Statements.joined([statements, Statements(releases)]), copies)
            self._folders[folder] = found
        return found

    def _installed_at(self, python: str) -> Statements:
        if python not in self._installed:
            from rlhflint.versions.installed import read_environment_at

            self._installed[python] = read_environment_at(python)
        return self._installed[python]


def _configured(path: str, config: Configured | None) -> Statements:
    stated: list[Requirement] = []
    for name, said in (config.versions_for(path) if config is not None else {}).items():
        specifier = specifier_of(str(said.value))
        pinned = exact(specifier)
        origin = Origin.OPTION if said.option else Origin.CONFIGURATION
        specifier = f"=={pinned}" if pinned else specifier
        stated.append(Requirement(normalised(name), specifier, pinned, origin, said.place, told=said.option))
    return Statements(tuple(stated))
