"""The data files of TRL and transformers: one class at one release, nothing loaded that is not asked for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from rlhflint.catalog.fields import ClassShape
from rlhflint.catalog.files import read_json, schemas
from rlhflint.catalog.intervals import Releases

Rows = list[Mapping[str, Any]]


@cache
def releases() -> Releases:
    """The releases of TRL in the catalog."""
    return Releases(read_json("trl", "releases.json")["releases"])


@cache
def transformers_releases() -> Releases:
    """The releases of transformers in the catalog."""
    return Releases(_transformers()["releases"])


@cache
def _transformers() -> dict[str, Any]:
    return read_json("transformers", "training_arguments.json")


@cache
def _file(*parts: str) -> dict[str, Any]:
    """A data file below `trl/`; empty where there is none."""
    path = schemas().joinpath("trl", *parts)
    return read_json("trl", *parts) if path.is_file() else {}


def config_table(key: str) -> Mapping[str, Any]:
    """All that is known of a configuration class in any release: `class`, `fields`, `replaced`, `enums`; or empty."""
    if key.startswith("transformers:"):
        found: Mapping[str, Any] = _transformers()["classes"].get(key, {})
        return found
    return _named("configs", key)


def trainer_table(key: str) -> Mapping[str, Any]:
    """All that is known of a trainer in any release: `class`, `parameters`; or empty."""
    return _named("trainers", key)


def config_keys(name: str) -> tuple[str, ...]:
    """The keys of the configuration classes called `name`."""
    return tuple(_file("configs", f"{name}.json"))


def trainer_keys(name: str) -> tuple[str, ...]:
    """The keys of the trainers called `name`."""
    return tuple(_file("trainers", f"{name}.json"))


def _named(folder: str, key: str) -> Mapping[str, Any]:
    name = key.rpartition(":")[2]
    if not name.isidentifier():
        return {}
    found: Mapping[str, Any] = _file(folder, f"{name}.json").get(key, {})
    return found


def names_table(group: str) -> Mapping[str, Mapping[str, Rows]]:
    """What the modules of a package give, in any release: module → name → rows; the name "" is the module itself."""
    return _file("names", f"{group}.json")


def homes() -> Mapping[str, Rows]:
    """Where the public names of TRL live: name → rows with `at`."""
    return _file("homes.json")


def commands() -> Mapping[str, Mapping[str, Rows]]:
    """The command line in any release.

    `commands`: subcommand → rows with `script`; `scripts`: module → rows with `classes`, `parser`, `call` and `with`.
    """
    return _file("commands.json")


def requirement(package: str, trl: str) -> str | None:
    """What a listed release of TRL asks of `python` or another package, as a specifier; None where it asks nothing.

    That of an optional package (vllm, peft, deepspeed, liger-kernel) is what the extra of its name asks.
    """
    row = releases().row_at(_file("requirements.json").get(package, ()), trl)
    return None if row is None else str(row["specifier"])


@cache
def changes(package: str = "trl") -> Mapping[str, Any]:
    """The reviewed overlay of a package (`trl`, `transformers`), compiled from its `changes.toml`."""
    return read_json(package, "changes.json")


def overlay_rows(section: str, name: str) -> Iterator[Mapping[str, Any]]:
    """The rows of a section of the overlay that speak of a class, by its lineage (see `programs.lineage`)."""
    package = "transformers" if name.startswith("transformers:") else "trl"
    for row in changes(package).get(section, ()):
        if "*" in row["class"] or name in row["class"]:
            yield row


def holds(row: Mapping[str, Any], release: str, name: str = "") -> bool:
    """Whether a row of the overlay is about a listed release; of transformers where `name` is a class of it."""
    order = transformers_releases() if name.startswith("transformers:") else releases()
    position = order.position(release)
    return order.position(row.get("since", order.oldest)) <= position <= order.position(row.get("until", order.newest))


def shape(key: str, trl: str, transformers: str) -> ClassShape | None:
    """The own part of a class at a pair of listed releases; None where the class does not exist there."""
    order, release = (transformers_releases(), transformers) if key.startswith("transformers:") else (releases(), trl)
    table = config_table(key)
    state = order.row_at(table.get("class", ()), release)
    if state is None:
        return None
    return ClassShape(
        key=key,
        bases=tuple(state["bases"]),
        is_dataclass=state.get("dataclass", True),
        fields=_at(table.get("fields", {}), order, release),
        replaced={name: row["by"] for name, row in _at(table.get("replaced", {}), order, release).items()},
        enums={name: row["values"] for name, row in _at(table.get("enums", {}), order, release).items()},
        json_fields=tuple(state.get("json", ())),
    )


def _at(histories: Mapping[str, Rows], order: Releases, release: str) -> dict[str, Mapping[str, Any]]:
    found = {name: order.row_at(rows, release) for name, rows in histories.items()}
    return {name: row for name, row in found.items() if row is not None}
