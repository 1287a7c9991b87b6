"""Make `schemas/verl/` from released wheels of verl.

releases.json       the releases read, oldest first, each with the releases of other packages it asks for
main_ppo.json       the settings of `verl.trainer.main_ppo`: for each the kinds of its defaults by engine, as intervals
                    over releases, and the configuration groups

The configurations are read as data. From 0.5.0 on a release has them composed by Hydra in `_generated_…yaml`; before,
the primary configuration stands alone.
"""

from __future__ import annotations

import re
import zipfile
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Any

import yaml

from tools.schemas.histories import fold, to_json
from tools.schemas.requirements import requirements
from tools.schemas.wheel_texts import by_release

_FOLDER = "verl/trainer/config/"
_ENGINE = re.compile(r"(?:_generated_)?ppo_(?:(?P<engine>[a-z]+)_)?trainer\.yaml")
_PLAIN = "dp"
"""The engine of the configuration that names none."""


class _Loader(yaml.SafeLoader):
    """Numbers as OmegaConf reads them: `1e-6` is one, too."""


_Loader.add_implicit_resolver(
    "tag:yaml.org,2002:float",
    re.compile(
        r"[-+]?(?:[0-9][0-9_]*\.?[0-9_]*|\.[0-9_]+)(?:[eE][-+]?[0-9]+)|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)"
    ),
    list("-+0123456789."),
)


def build(wheels: Sequence[Path]) -> dict[str, str]:
    """The text of every data file by its path below `schemas/`. Raises ValueError where a release cannot be read."""
    releases: dict[str, dict[str, Any]] = {}
    settings: dict[str, dict[str, dict[str, str]]] = defaultdict(dict)
    groups: dict[str, dict[str, dict[str, Any]]] = defaultdict(dict)
    for release, wheel in by_release(wheels).items():
        releases[release] = requirements(wheel)
        found = configurations(wheel)
        if _PLAIN not in found:
            raise ValueError(f"verl {release} has no configuration of main_ppo")
        for engine, configuration in sorted(found.items()):
            for name, kind in kinds(configuration):
                settings[name].setdefault(release, {})[engine] = kind
        for group in _groups(wheel):
            groups[group][release] = {}
    order = list(releases)
    content = {
        "groups": _rows(groups, order),
        "settings": _rows(settings, order),
    }
    return {"verl/releases.json": to_json({"releases": releases}, 2), "verl/main_ppo.json": to_json(content, 2)}


def _rows(histories: Mapping[str, Mapping[str, Mapping[str, Any]]], order: Sequence[str]) -> dict[str, Any]:
    return {
        name: [interval.to_row() for interval in fold(history, order)] for name, history in sorted(histories.items())
    }


def configurations(wheel: Path) -> dict[str, Any]:
    """Engine → the whole configuration of its trainer."""
    found: dict[str, Any] = {}
    with zipfile.ZipFile(wheel) as archive:
        names = [name for name in archive.namelist() if name.startswith(_FOLDER)]
        generated = any("_generated_ppo_trainer" in name for name in names)
        for name in names:
            match = _ENGINE.fullmatch(name.removeprefix(_FOLDER))
            if match is None or generated != name.removeprefix(_FOLDER).startswith("_generated_"):
                continue
            content = yaml.load(archive.read(name), _Loader)
            if not isinstance(content, dict) or "defaults" in content:
                raise ValueError(f"{wheel.name}: {name} is no whole configuration")
            found[match["engine"] or _PLAIN] = content
    return found


def _groups(wheel: Path) -> set[str]:
    """The configuration groups: the folders below the one of the primary configuration."""
    with zipfile.ZipFile(wheel) as archive:
        below = (PurePosixPath(name.removeprefix(_FOLDER)) for name in archive.namelist() if name.startswith(_FOLDER))
        return {path.parts[0] for path in below if len(path.parts) > 1 and path.suffix == ".yaml"}


def kinds(content: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, str]]:
    """Every setting by its dotted name, with the kind of its default.

    `group` for a mapping, whose entries follow; `int`, `float`, `bool`, `str`, `list` for values; `any` for null and
    for what another setting gives.
    """
    for key, value in content.items():
        name = f"{prefix}{key}"
        if isinstance(value, dict):
            yield name, "group"
            yield from kinds(value, f"{name}.")
        else:
            yield name, _kind(value)


def _kind(value: object) -> str:
    if value is None or (isinstance(value, str) and "${" in value):
        return "any"
    for kind in (bool, int, float, str, list):
        if isinstance(value, kind):
            return kind.__name__
    return "any"
