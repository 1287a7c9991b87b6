"""The catalog of a framework: its programs, loaded one by one when they are asked for.

Loading costs about a millisecond a program; nothing here imports pydantic or `packaging`.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from rlhflint.catalog.files import read_json, schemas
from rlhflint.catalog.intervals import Releases
from rlhflint.catalog.program import Program
from rlhflint.records import dataclass


@dataclass(frozen=True, slots=True)
class Companions:
    """What a release asks of Python and of other packages, as specifiers of `packaging`; an empty one pins nothing.

    `requires` holds the packages that rules know of; `extras` all of each extra, by its name (`vllm`, `ring`).
    """

    python: str
    requires: Mapping[str, str]
    extras: Mapping[str, Mapping[str, str]]

    def specifier(self, package: str) -> str | None:
        """The specifier of a package, an extra of its own name counted as well; None if the release names none."""
        if package in self.requires:
            return self.requires[package]
        return self.extras.get(package, {}).get(package)


class FrameworkCatalog:
    """All programs of one framework over all its releases."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._programs: dict[str, Program] = {}
        self._content = read_json(name, "releases.json")["releases"]
        self.releases = Releases(self._content)

    @property
    def newest(self) -> str:
        """The newest release the catalog knows."""
        return self.releases.newest

    @cached_property
    def programs(self) -> tuple[str, ...]:
        """The names of all programs of all releases, sorted."""
        return tuple(sorted(path.stem for path in (schemas() / self.name).glob("*.json") if path.stem != "releases"))

    def program(self, name: str) -> Program:
        """One program. Raises KeyError if no release has it."""
        if name not in self._programs:
            if name not in self.programs:
                raise KeyError(name)
            self._programs[name] = Program(name, read_json(self.name, f"{name}.json"), self)
        return self._programs[name]

    def programs_at(self, release: str) -> tuple[str, ...]:
        """The names of the programs that a release has."""
        return tuple(name for name in self.programs if self.program(name).exists(release))

    def programs_with(self, flag: str, release: str) -> tuple[str, ...]:
        """The names of the programs of a release that accept a flag, spelled in full."""
        return tuple(name for name in self.programs if self.program(name).accepts(flag, release))

    def companions(self, release: str) -> Companions:
        """What a release asks of other packages."""
        row = self._content[release]
        return Companions(row["python"], row["requires"], row["extras"])
