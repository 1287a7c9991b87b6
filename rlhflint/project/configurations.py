"""Finds the configuration file in force for a folder, reads it and those it extends, and keeps the answers."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import field, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from rlhflint.disk import has_entry, is_file, read_regular
from rlhflint.project.config import Config, ConfigError, Sourced
from rlhflint.project.discovery import CONFIGURATION_NAMES, Excludes
from rlhflint.project.layers import Layer, combined
from rlhflint.project.places import Place, Repositories, upward
from rlhflint.project.settings import Settings
from rlhflint.records import dataclass

if TYPE_CHECKING:
    from rlhflint.project.toml_source import TomlSource

_LARGEST = 1 << 20
_LONGEST_CHAIN = 16
"""Files that may extend each other."""


@dataclass(slots=True, eq=False, repr=False)
class Configurations:
    """The configuration of any file, under the options of the command line.

    In force is the nearest file above it that has a configuration: a `rlhflint.toml`, or a `pyproject.toml` with the
    table `tool.rlhflint`. The search ends at the root of the repository. All methods raise `ConfigError`.
    """

    settings: Settings = field(default_factory=Settings)
    repositories: Repositories = field(default_factory=Repositories)
    _by_folder: dict[str, Config] = field(default_factory=dict)
    _by_file: dict[str | None, Config] = field(default_factory=dict)

    def for_file(self, path: str | os.PathLike[str]) -> Config:
        """What is configured for a file, which need not exist."""
        return self.for_folder(os.path.dirname(os.path.abspath(path)))

    def for_folder(self, folder: str) -> Config:
        """What is configured for the files of a folder."""
        folder = os.path.abspath(folder)
        found = self._by_folder.get(folder)
        if found is None:
            found = self._by_folder[folder] = self._of_file(self._file(folder))
        return found

    @property
    def in_force(self) -> tuple[Config, ...]:
        """The configurations that were asked for so far."""
        return tuple(self._by_file.values())

    def excludes(self, folder: str) -> Excludes:
        """What is left out in a folder."""
        return self.for_folder(folder).excludes

    def _file(self, folder: str) -> str | None:
        if self.settings.isolated:
            return None
        if self.settings.config is not None:
            return os.path.abspath(self.settings.config)
        for above in upward(folder, self.repositories.root(folder)):
            for name in CONFIGURATION_NAMES:
                path = os.path.join(above, name)
                if has_entry(path) and _read(path) is not None:
                    return path
        return None

    def _of_file(self, path: str | None) -> Config:
        if path not in self._by_file:
            layers = [] if path is None else self._layers(path)
            found = combined([*layers, self.settings.layer()], path)
            self._by_file[path] = replace(found, needed=self.settings.needed) if self.settings.needed else found
        return self._by_file[path]

    def _layers(self, path: str) -> list[Layer]:
        """The layers of a file and of those it extends, the file itself last."""
        layers: list[Layer] = []
        seen: list[str] = []
        named_at = Place("")
        while True:
            document = _read(path)
            if document is None:
                missing = "has no table tool.rlhflint" if is_file(path) else "cannot be read"
                raise ConfigError(named_at, f"{path} {missing}")
            seen.append(path)
            values = document.checked()
            # A file chosen by an option speaks of the files at hand, wherever it lies itself.
            base = os.getcwd() if self.settings.config is not None and not layers else os.path.dirname(path)
            layers.insert(0, Layer(values, base, document.sourced))
            extended = values.get("extend")
            if extended is None:
                return layers
            named_at = document.place("extend")
            path = os.path.normpath(os.path.join(os.path.dirname(path), extended))
            if path in seen or len(seen) >= _LONGEST_CHAIN:
                raise ConfigError(named_at, f"{extended!r} leads back to this file, or the chain is too long")


class _Document(NamedTuple):
    """The table of one file."""

    path: str
    source: TomlSource
    prefix: tuple[str, ...]

    @property
    def table(self) -> Any:
        value: Any = self.source.data
        for key in self.prefix:
            value = value[key]
        return value

    def place(self, *path: str | int) -> Place:
        """The line of a key of the table."""
        return Place(self.path, self.source.line(*self.prefix, *path))

    def sourced(self, path: tuple[str | int, ...], value: Any) -> Sourced:
        """A value with the place of its key; names of packages may be spelled otherwise in the file."""
        return Sourced(value, self.place(*self._as_written(path)))

    def _as_written(self, path: tuple[str | int, ...]) -> list[str | int]:
        from rlhflint.packages.names import normalised

        value, written = self.table, list[str | int]()
        for key in path:
            if isinstance(value, dict) and key not in value:
                key = next((name for name in value if normalised(name) == key), key)
            written.append(key)
            try:
                value = value[key]
            except (KeyError, IndexError, TypeError):
                break
        return written

    def checked(self) -> Mapping[str, Any]:
        """The values of the table."""
        from rlhflint.project.checking import checked

        return checked(self.table, self.place)


def _read(path: str) -> _Document | None:
    """The table in a file; None if the file cannot be read or, being a pyproject.toml, has none."""
    raw = read_regular(path, most=_LARGEST)
    own = os.path.basename(path) != "pyproject.toml"
    if raw is None or not (own or b"rlhflint" in raw):
        return None
    from rlhflint.project.toml_source import TomlError, TomlSource

    try:
        source = TomlSource.from_bytes(raw)
    except TomlError as error:
        raise ConfigError(Place(path, error.line), f"this file is not TOML: {error.message}") from None
    if own:
        return _Document(path, source, ())
    tool = source.data.get("tool")
    return _Document(path, source, ("tool", "rlhflint")) if isinstance(tool, dict) and "rlhflint" in tool else None
