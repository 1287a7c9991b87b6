"""Configurations laid over each other: a file over the one it extends, the command line over all."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import field
from typing import TYPE_CHECKING, Any, NamedTuple

from rlhflint.disk import exists
from rlhflint.project.config import Config, ConfigError, Globbed, Override, Sourced
from rlhflint.project.discovery import DEFAULT_EXCLUDES, Excludes
from rlhflint.project.patterns import Patterns
from rlhflint.project.places import shown
from rlhflint.project.selection import Selection
from rlhflint.records import dataclass

if TYPE_CHECKING:
    from rlhflint.project.cluster import Cluster

_RULES = ("select", "ignore", "extend-select", "extend-ignore")
_SCALARS = ("fail-on", "require-reason", "markdown", "python", "cluster")
_BY_NAME = ("severity", "versions", "extra-flags")


class Layer(NamedTuple):
    """What one file, or the command line, says: checked values by key, in the spelling of the table.

    `base` is the folder (absolute) that globs and paths are relative to; `sourced` gives a value together with the
    place of its key, named by the path to it: `("versions", "openrlhf")`.
    """

    values: Mapping[str, Any]
    base: str
    sourced: Callable[[tuple[str | int, ...], Any], Sourced]


def combined(layers: Iterable[Layer], path: str | None) -> Config:
    """The configuration of layers, the one that counts least in front; `path` is the file in force.

    Raises:
        ConfigError: there is nothing where `python` says.
    """
    merge = _Merge()
    for layer in layers:
        merge.add(layer)
    return merge.config(path)


@dataclass(slots=True, eq=False, repr=False)
class _Merge:
    said: dict[str, list[Sourced]] = field(default_factory=dict)
    selections: list[Selection] = field(default_factory=list)
    per_file_ignores: list[tuple[Globbed, tuple[str, ...]]] = field(default_factory=list)
    excludes: list[tuple[str, Patterns]] = field(
        default_factory=lambda: [(os.sep, Patterns.of_globs(DEFAULT_EXCLUDES))]
    )
    overrides: list[Override] = field(default_factory=list)
    programs: list[tuple[Globbed, str]] = field(default_factory=list)
    clusters: list[Cluster] = field(default_factory=list)
    python: str | None = None

    def add(self, layer: Layer) -> None:
        """Lay one more over those so far."""
        self._rules(layer)
        self._excludes(layer)
        for key in _SCALARS:
            if (value := layer.values.get(key)) is not None:
                self.said[key] = [layer.sourced((key,), value)]
        for key in _BY_NAME:
            for name, value in layer.values.get(key, {}).items():
                self.said[f"{key}.{name}"] = [layer.sourced((key, name), value)]
        if "cluster" in layer.values:
            self.clusters.append(_cluster(layer, ("cluster",), layer.values["cluster"]))
        if (python := layer.values.get("python")) is not None:
            self.python = os.path.normpath(os.path.join(layer.base, python))
        for glob, program in layer.values.get("programs", {}).items():
            self.programs.append((Globbed.of(layer.base, [glob]), program))
            self.said[f"programs.{glob}"] = [layer.sourced(("programs", glob), program)]
        for position, values in enumerate(layer.values.get("overrides", [])):
            self.overrides.append(_override(layer, position, values))
            self.said.setdefault("overrides", []).append(layer.sourced(("overrides", position), [values]))

    def _rules(self, layer: Layer) -> None:
        values = layer.values
        if values.get("select") is not None:
            for key in _RULES:
                self.said.pop(key, None)
        for key in (*_RULES, "mandatory", "experimental"):
            if values.get(key):
                self.said.setdefault(key, []).append(layer.sourced((key,), list(values[key])))
        select = values.get("select")
        self.selections.append(
            Selection(
                None if select is None else tuple(select),
                *(tuple(values.get(key, ())) for key in ("ignore", "extend-select", "extend-ignore")),
            )
        )
        for glob, ignored in values.get("per-file-ignores", {}).items():
            self.per_file_ignores.append((Globbed.of(layer.base, [glob]), tuple(ignored)))
            self.said.setdefault(f"per-file-ignores.{glob}", []).append(
                layer.sourced(("per-file-ignores", glob), list(ignored))
            )

    def _excludes(self, layer: Layer) -> None:
        if (exclude := layer.values.get("exclude")) is not None:
            self.excludes = [(layer.base, Patterns.of_globs(exclude))]
            self.said["exclude"] = [layer.sourced(("exclude",), list(exclude))]
            self.said.pop("extend-exclude", None)
        if more := layer.values.get("extend-exclude"):
            self.excludes.append((layer.base, Patterns.of_globs(more)))
            self.said.setdefault("extend-exclude", []).append(layer.sourced(("extend-exclude",), list(more)))

    def config(self, path: str | None) -> Config:
        """What the layers come to. Raises `ConfigError`."""
        if self.python is not None and not exists(self.python):
            said = self.said["python"][-1]
            raise ConfigError(said.place, f"{said.option or 'python'}: there is nothing at {shown(self.python)}")
        return Config(
            path=path,
            selections=tuple(self.selections),
            per_file_ignores=tuple(self.per_file_ignores),
            excludes=Excludes(tuple(self.excludes)),
            severity=self._by_name("severity"),
            versions={
                key.partition(".")[2]: said[-1] for key, said in self.said.items() if key.startswith("versions.")
            },
            overrides=tuple(self.overrides),
            programs=tuple(self.programs),
            cluster=self.clusters[-1] if self.clusters else None,
            extra_flags={name: tuple(flags) for name, flags in self._by_name("extra-flags").items()},
            mandatory=tuple(code for sourced in self.said.get("mandatory", ()) for code in sourced.value),
            fail_on=self._scalar("fail-on", "warning"),
            require_reason=self._scalar("require-reason", False),
            markdown=self._scalar("markdown", False),
            python=self.python,
            experimental=frozenset(name for sourced in self.said.get("experimental", ()) for name in sourced.value),
            said=self.said,
        )

    def _scalar(self, key: str, default: Any) -> Any:
        return self.said[key][-1].value if key in self.said else default

    def _by_name(self, key: str) -> dict[str, Any]:
        return {
            name.partition(".")[2]: said[-1].value for name, said in self.said.items() if name.startswith(f"{key}.")
        }


def _override(layer: Layer, position: int, values: Mapping[str, Any]) -> Override:
    path = ("overrides", position)
    versions = values.get("versions", {})
    cluster = values.get("cluster")
    program = values.get("program")
    return Override(
        where=Globbed.of(layer.base, values["paths"]),
        versions={name: layer.sourced((*path, "versions", name), value) for name, value in versions.items()},
        program=None if program is None else layer.sourced((*path, "program"), program),
        cluster=None if cluster is None else _sourced_cluster(layer, (*path, "cluster"), cluster),
    )


def _sourced_cluster(layer: Layer, path: tuple[str | int, ...], value: Any) -> Sourced:
    return layer.sourced(path, value)._replace(value=_cluster(layer, path, value))


def _cluster(layer: Layer, path: tuple[str | int, ...], value: Any) -> Cluster:
    from rlhflint.project.cluster import Cluster, parse_cluster

    source = layer.sourced(path, value).source
    if isinstance(value, str):
        return parse_cluster(value, source)
    return Cluster(
        value.get("nodes"),
        value.get("gpus-per-node"),
        value.get("cpus-per-node"),
        value.get("memory-per-node"),
        value.get("gpu-memory"),
        value.get("gpu"),
        source,
    )
