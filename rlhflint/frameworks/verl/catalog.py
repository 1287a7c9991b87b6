"""What every release of verl accepts: the settings of its trainer, extracted from the released configurations."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, cached_property
from typing import Any

from rlhflint.catalog.files import read_json
from rlhflint.catalog.intervals import Interval, Releases

PLAIN = "dp"
"""The engine of the configuration `ppo_trainer`."""


class Catalog:
    """The settings of `verl.trainer.main_ppo` by dotted name.

    A configuration belongs to an *engine* (`dp`, `megatron`, …), and the engines have different settings. A setting has
    a *kind*, that of its default: `group` for one that holds others, `int`, `float`, `bool`, `str`, `list`; `any` where
    the default is null or another setting's value.
    """

    def __init__(self) -> None:
        self.releases = Releases(read_json("verl", "releases.json")["releases"])
        content = read_json("verl", "main_ppo.json")
        self._rows: dict[str, list[dict[str, Any]]] = content["settings"]
        self._groups: dict[str, list[dict[str, Any]]] = content["groups"]
        self._kinds: dict[tuple[str, str], dict[str, str]] = {}

    def kinds(self, release: str, engine: str) -> dict[str, str]:
        """Name → kind of every setting of a release with an engine; empty if the release does not have the engine."""
        if (release, engine) not in self._kinds:
            states = ((name, self._state(name, release)) for name in self._rows)
            self._kinds[release, engine] = {name: state[engine] for name, state in states if engine in state}
        return self._kinds[release, engine]

    def engines(self, name: str, release: str) -> tuple[str, ...]:
        """The engines of a release that have a setting."""
        return tuple(self._state(name, release))

    def accepting(self, name: str) -> tuple[str, ...]:
        """The releases that have a setting with any engine, oldest first."""
        return self.releases.within(self._history(name))

    def groups(self, release: str) -> frozenset[str]:
        """The configuration groups of a release: names that choose a whole file when they are set."""
        return frozenset(
            name
            for name, rows in self._groups.items()
            if self.releases.at(tuple(map(Interval.from_row, rows)), release) is not None
        )

    @cached_property
    def known(self) -> frozenset[str]:
        """The names of all settings of all releases."""
        return frozenset(self._rows)

    def _state(self, name: str, release: str) -> dict[str, str]:
        interval = self.releases.at(tuple(self._history(name)), release)
        return {} if interval is None else dict(interval.state)

    def _history(self, name: str) -> Iterator[Interval]:
        return map(Interval.from_row, self._rows.get(name, ()))


@cache
def verl() -> Catalog:
    """The catalog of verl."""
    return Catalog()
