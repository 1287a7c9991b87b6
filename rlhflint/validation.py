"""Typed models as pydantic sees them: the schema by which it converts and checks the values of a model's fields.

Loaded only where a value is not what its field holds already (`rlhflint.fitting`), or where pydantic asks for a model's
schema.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache, partial, reduce
from operator import or_
from typing import TYPE_CHECKING, Any

from pydantic import GetCoreSchemaHandler, TypeAdapter, ValidationError
from pydantic_core import CoreSchema, core_schema

from rlhflint.given import Given, Refused

if TYPE_CHECKING:
    from rlhflint.model import Field, Group

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


def schema_of(model: type[Group], handler: GetCoreSchemaHandler) -> CoreSchema:
    """The schema of a typed model: a mapping of field names to values, each of which may be a `Given`, makes one."""
    fields = {name: _field(field, handler) for name, field in model.model_fields.items()}
    return core_schema.no_info_after_validator_function(
        partial(_filled, model),
        core_schema.model_fields_schema(
            {name: core_schema.model_field(schema) for name, schema in fields.items()},
            model_name=model.__name__,
            extra_behavior="forbid",
        ),
        serialization=core_schema.plain_serializer_function_ser_schema(_dumped),
    )


def _field(field: Field, handler: GetCoreSchemaHandler) -> CoreSchema:
    if field.group is not None:
        inner = handler.generate_schema(field.group)
        return core_schema.with_default_schema(inner, default_factory=field.group)
    held = handler.generate_schema(reduce(or_, (_TYPES[kind] for kind in field.types)))
    converted = core_schema.no_info_before_validator_function(_converted, held)
    return core_schema.with_default_schema(converted, default=field.default)


def _converted(value: object) -> object:
    return value.convert(value.raw) if isinstance(value, Given) else value


def _filled(model: type[Group], validated: tuple[dict[str, Any], None, set[str]]) -> Group:
    """An instance of what pydantic gives for the fields of a model: their values, and the names of those given."""
    values, _, given = validated
    made = model()
    vars(made).update(values)
    made.model_fields_set.update(given)
    return made


def _dumped(group: Group) -> dict[str, object]:
    """The values of a model by field, those of its groups by theirs; what is not known is left out."""
    return {
        name: _dumped(vars(group)[name]) if field.group is not None else vars(group)[name]
        for name, field in type(group).model_fields.items()
        if name in vars(group)
    }


@cache
def _adapter(model: type[Group]) -> TypeAdapter[Group]:
    return TypeAdapter(model)


def validated(model: type[Group], known: Mapping[str, object]) -> tuple[dict[str, object], tuple[Refused, ...]]:
    """The values by canonical name as their fields hold them, and those that do not convert."""
    # mypy compares `Hashable` with the hash of an instance, not of the class
    adapter = _adapter(model)  # type: ignore[arg-type]
    left = dict(known)
    refused: list[Refused] = []
    while True:
        try:
            built = adapter.validate_python(_nested(left))
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


def _flat(group: Group, prefix: str = "") -> Iterator[tuple[str, object]]:
    for name, field in type(group).model_fields.items():
        value = getattr(group, name)
        if field.group is not None:
            yield from _flat(value, f"{prefix}{name}.")
        elif name in group.model_fields_set:
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
