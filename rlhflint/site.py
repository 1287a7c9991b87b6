"""Where a file stands: its project, what is declared there, the machines it is meant for."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from rlhflint.disk import is_file
from rlhflint.records import dataclass

if TYPE_CHECKING:
    from rlhflint.command import Command, Script
    from rlhflint.files import Files
    from rlhflint.project.cluster import Cluster
    from rlhflint.project.config import Config
    from rlhflint.versions.declared import Declared


@dataclass(frozen=True)
class Site:
    """The surroundings of one file.

    `path` is absolute. `declare` works out what is declared about releases, here and by the `scripts` of the file; it
    is called when the first launch asks.
    """

    path: str
    files: Files
    config: Config
    declare: Callable[[Sequence[Script]], Declared]
    scripts: Sequence[Script] = ()

    @cached_property
    def declared(self) -> Declared:
        """What is declared about releases for this file."""
        return self.declare(self.scripts)

    @property
    def asked(self) -> bool:
        """Whether anything wanted to know what is declared."""
        return "declared" in self.__dict__

    def find(self, path: str, command: Command) -> str | None:
        """The file of the project that a path in a command names; None if there is none."""
        folders = [os.path.dirname(self.path), os.getcwd(), str(self.files.root)]
        if command.directory is not None and command.directory.known:
            folders.insert(0, os.path.join(folders[0], command.directory.text))
        for folder in folders:
            candidate = os.path.normpath(os.path.join(folder, path))
            if self.files.exists(candidate) and is_file(candidate):
                return candidate
        return None

    @cached_property
    def cluster(self) -> Cluster | None:
        """What the user says of the machines."""
        return self.config.cluster_for(self.path)

    @cached_property
    def program(self) -> str | None:
        """The program that the user says the file belongs to."""
        return self.config.program_for(self.path)

    def extra(self, program: str) -> frozenset[str]:
        """The options, without dashes, that a fork of a program has besides upstream's."""
        return self.config.extra_flags_for(program)
