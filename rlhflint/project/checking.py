"""A configuration table held against its schema, its mistakes told in the words of the table.

Imported only when there is a table.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from pydantic import BaseModel, ValidationError

from rlhflint.project.config import ConfigError
from rlhflint.project.places import Place
from rlhflint.project.schema import ClusterTable, Override, Table
from rlhflint.wording import did_you_mean

_WORDS = {
    "string_type": "has to be text",
    "bool_type": "has to be true or false",
    "int_type": "has to be a whole number",
    "float_type": "has to be a number",
    "float_parsing": "has to be a number",
    "list_type": "has to be a list",
    "dict_type": "has to be a table",
    "model_type": "has to be a table",
    "missing": "is missing",
    "too_short": "must not be empty",
    "union_tag_not_found": 'has to be text such as "2x8", or a table',
}


def checked(table: Any, place: Callable[..., Place]) -> Mapping[str, Any]:
    """The values that the table gives, by key as the table spells it.

    Args:
        table: as `tomllib` gives it.
        place: the place of a key, from its path in the table.

    Raises:
        ConfigError: a key is unknown or a value is wrong; the first in the file is told.
    """
    if not isinstance(table, dict):
        raise ConfigError(place(), "tool.rlhflint has to be a table")
    try:
        model = Table.model_validate(table)
    except ValidationError as error:
        raise min(
            (_told(detail, table, place) for detail in error.errors(include_url=False)),
            key=lambda told: told.place.line,
        ) from None
    return model.model_dump(by_alias=True, exclude_unset=True)


def _told(detail: Any, table: dict[str, Any], place: Callable[..., Place]) -> ConfigError:
    path = _path_in(table, detail["loc"])
    key = _dotted(path)
    cause = detail.get("ctx", {}).get("error")
    if detail["type"] == "extra_forbidden":
        named = str(path[-1])
        near = did_you_mean(named.replace("_", "-"), _keys_beside(path))
        if path == ("tool",):
            near = "; in a file of rlhflint's own, the keys stand at the top"
        message = f"unknown key {named!r}{near}"
    elif cause is not None:
        message = f"{key}: {cause}"
    elif detail["type"] == "missing":
        message = f"{_dotted((*path, detail['loc'][-1]))} is missing"
    else:
        words = _WORDS.get(detail["type"]) or str(detail["msg"]).replace("Input should be", "has to be")
        message = f"{key} {words}"
    return ConfigError(place(*path), message)


def _path_in(table: dict[str, Any], location: tuple[int | str, ...]) -> tuple[int | str, ...]:
    """The part of pydantic's location that is in the table: it also names the branch of a union."""
    value: Any = table
    path: list[int | str] = []
    for part in location:
        inside = (isinstance(value, dict) and part in value) or (
            isinstance(value, list) and isinstance(part, int) and part < len(value)
        )
        if inside:
            path.append(part)
            value = value[part]
    return tuple(path)


def _dotted(path: tuple[int | str, ...]) -> str:
    return "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path).lstrip(".")


def _keys_beside(path: tuple[int | str, ...]) -> list[str]:
    """The keys that the table of an unknown key has."""
    table: type[BaseModel] = Table
    if len(path) > 1:
        table = ClusterTable if path[-2] == "cluster" else Override
    return [field.alias or name for name, field in table.model_fields.items()]
