"""Dependencies in pyproject.toml: the standard tables, and those of poetry, pdm and uv."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rlhflint.packages.names import normalised, tracked
from rlhflint.project.toml_source import TomlError, TomlSource
from rlhflint.records import dataclass
from rlhflint.versions.collecting import Collector
from rlhflint.versions.pep508 import extras_of, may_hold, release_of_tag
from rlhflint.versions.poetry import specifier_of_poetry
from rlhflint.versions.requirement import Origin, Statements


def read_pyproject(path: str, raw: bytes) -> Statements:
    """What the pyproject.toml at `path` says."""
    collector = Collector(path)
    try:
        source = TomlSource.from_bytes(raw)
    except TomlError as error:
        collector.trouble(error.line, f"this file is not TOML: {error.message}")
        return collector.statements()
    reader = _Reader(collector, source)
    reader.standard()
    reader.poetry()
    reader.pdm()
    reader.uv()
    return collector.statements(collector.listing())


@dataclass(slots=True, eq=False, repr=False)
class _Reader:
    collector: Collector
    source: TomlSource

    def standard(self) -> None:
        """`project` and `dependency-groups`."""
        if isinstance(python := self._at("project", "requires-python"), str):
            self._add(Origin.PROJECT, "", ("project", "requires-python"), "python", python)
        self._list(Origin.PROJECT, "", "project", "dependencies")
        for name in _keys(self._at("project", "optional-dependencies")):
            self._list(Origin.VARIANT, f"extra {name}", "project", "optional-dependencies", name)
        for name in _keys(self._at("dependency-groups")):
            self._list(Origin.VARIANT, f"group {name}", "dependency-groups", name)

    def poetry(self) -> None:
        """`tool.poetry`: caret and tilde ranges, tables with git tags and extras."""
        base = ("tool", "poetry")
        self._poetry_table(Origin.PROJECT, "", *base, "dependencies")
        self._poetry_table(Origin.VARIANT, "group dev", *base, "dev-dependencies")
        for name in _keys(self._at(*base, "group")):
            self._poetry_table(Origin.VARIANT, f"group {name}", *base, "group", name, "dependencies")

    def pdm(self) -> None:
        """`tool.pdm.dev-dependencies`."""
        for name in _keys(self._at("tool", "pdm", "dev-dependencies")):
            self._list(Origin.VARIANT, f"group {name}", "tool", "pdm", "dev-dependencies", name)

    def uv(self) -> None:
        """`tool.uv`: overrides, constraints, and tags of sources, which say more than the requirement itself."""
        for key in ("override-dependencies", "constraint-dependencies"):
            self._list(Origin.PROJECT, "", "tool", "uv", key)
        self._list(Origin.VARIANT, "group dev", "tool", "uv", "dev-dependencies")
        for name in _keys(self._at("tool", "uv", "sources")):
            source = self._at("tool", "uv", "sources", name)
            for entry in source if isinstance(source, list) else [source]:
                if tracked(normalised(name)) and (pinned := _tag(entry)):
                    self._add(Origin.PROJECT, "", ("tool", "uv", "sources", name), name, f"=={pinned}")

    def _at(self, *path: str) -> Any:
        """The value at a path, None where a part of it is missing."""
        value: Any = self.source.data
        for key in path:
            value = value.get(key) if isinstance(value, dict) else None
        return value

    def _list(self, origin: Origin, note: str, *path: str) -> None:
        """Requirements in a list, each as pip writes it."""
        values = self._at(*path)
        for position, text in enumerate(values if isinstance(values, list) else []):
            if isinstance(text, str) and not self.collector.full:
                self.collector.text(self.source.line(*path, position), text, origin, note)

    def _poetry_table(self, origin: Origin, note: str, *path: str) -> None:
        for name in _keys(self._at(*path)):
            if not tracked(normalised(name)):
                continue
            value = self._at(*path, name)
            for entry in value if isinstance(value, list) else [value]:
                self._poetry_entry(origin, note, (*path, name), entry)

    def _poetry_entry(self, origin: Origin, note: str, path: tuple[str, ...], entry: Any) -> None:
        name = path[-1]
        if isinstance(entry, str):
            self._add(origin, note, path, name, specifier_of_poetry(entry))
        elif isinstance(entry, dict):
            if isinstance(marker := entry.get("markers"), str) and not may_hold(marker):
                return
            extras = entry.get("extras")
            named = extras_of(",".join(map(str, extras))) if isinstance(extras, list) else frozenset[str]()
            pinned = _tag(entry)
            version = entry.get("version", "*")
            specifier = f"=={pinned}" if pinned else specifier_of_poetry(version) if isinstance(version, str) else ""
            self._add(origin, "optional" if entry.get("optional") is True else note, path, name, specifier, named)

    def _add(
        self,
        origin: Origin,
        note: str,
        path: tuple[str, ...],
        name: str,
        specifier: str,
        extras: frozenset[str] = frozenset(),
    ) -> None:
        self.collector.specifier(self.source.line(*path), normalised(name), specifier, origin, note, extras)


def _keys(value: Any) -> Iterator[str]:
    return iter(value) if isinstance(value, dict) else iter(())


def _tag(entry: Any) -> str | None:
    """The release that the tag of a git source is."""
    if not isinstance(entry, dict) or "git" not in entry:
        return None
    tag = entry.get("tag", entry.get("rev"))
    return release_of_tag(tag) if isinstance(tag, str) else None
