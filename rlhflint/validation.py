"""Values that have to be converted or checked to fit into a typed model: by pydantic, with the model's annotations.

Loaded only where a value is not what its field holds already (`rlhflint.fitting`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache, reduce
from operator import or_
from typing import TYPE_CHECKING, Annotated, Any

import pydantic
from pydantic import BaseModel, BeforeValidator, ConfigDict, ValidationError

from rlhflint.given import Given, Refused

if TYPE_CHECKING:
    from rlhflint.model import Group

_TYPES: dict[str, Any] = {
    "Any": Any,
    "None": None,
    "bool": bool,
    "float": float,
    "int": int,
    "list[float]": list[float],
    "list[int]": list[int],
    "list[str]": list[str],
    "str": str,
}
"""What the types in an annotation are called."""


def _converted(value: object) -> object:
    return value.convert(value.raw) if isinstance(value, Given) else value


class _Settings(BaseModel):
    """What the pydantic models of all groups have in common."""

    model_config = ConfigDict(defer_build=True, extra="forbid", protected_namespaces=(), arbitrary_types_allowed=True)


@cache
def schema_of(model: type[Group]) -> type[BaseModel]:
    """The pydantic model of a typed model: the same fields, each of which takes a `Given` as well."""
    fields: dict[str, Any] = {}
    for name, field in model.model_fields.items():
        if field.group is not None:
            inner = schema_of(field.group)  # type: ignore[arg-type]
            fields[name] = (inner, pydantic.Field(default_factory=inner))
        else:
            held = reduce(or_, (_TYPES[kind] for kind in field.types))
            fields[name] = (Annotated[held, BeforeValidator(_converted)], field.default)
    made: type[BaseModel] = pydantic.create_model(model.__name__, __base__=_Settings, **fields)
    return made


def validated(model: type[Group], known: Mapping[str, object]) -> tuple[dict[str, object], tuple[Refused, ...]]:
    """The values by canonical name as their fields hold them, and those that do not convert."""
    # mypy compares `Hashable` with the hash of an instance, not of the class
    schema = schema_of(model)  # type: ignore[arg-type]
    left = dict(known)
    refused: list[Refused] = []
    while True:
        try:
            built = schema.model_validate(_nested(left))
        except ValidationError as error:
            before = len(left)
            for detail in error.errors(include_url=False):
                name = _owner(detail["loc"], left)
                refused.append(Refused(name, _message(detail), detail.get("ctx", {}).get("error")))
                left.pop(name, None)
            if len(left) == before:
                raise
        else:
            return dict(_flat(built)), tuple(refused)


def _nested(flat: Mapping[str, object]) -> dict[str, Any]:
    tree: dict[str, Any] = {}
    for name, value in flat.items():
        *groups, leaf = name.split(".")
        node = tree
        for group in groups:
            node = node.setdefault(group, {})
        node[leaf] = value
    return tree


def _flat(model: BaseModel, prefix: str = "") -> Iterator[tuple[str, object]]:
    for name in type(model).model_fields:
        value = getattr(model, name)
        if isinstance(value, _Settings):
            yield from _flat(value, f"{prefix}{name}.")
        elif name in model.model_fields_set:
            yield prefix + name, value


def _owner(location: tuple[int | str, ...], known: Mapping[str, object]) -> str:
    """The setting an error belongs to: the longest leading part of its location that names one."""
    parts = [str(part) for part in location]
    for length in range(len(parts), 0, -1):
        if (name := ".".join(parts[:length])) in known:
            return name
    return ".".join(parts)


def _message(detail: Any) -> str:
    cause = detail.get("ctx", {}).get("error")
    return str(cause) if cause is not None else str(detail["msg"])
