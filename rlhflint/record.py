"""Records: classes that are their fields, never change, and take a fraction of the time of a data class to define.

Most of what a run of a short-lived program costs is defining classes. `dataclass(frozen=True)` compiles up to seven
functions for each; a record has one of its own, `__init__`, and shares the others.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING, Field, FrozenInstanceError, dataclass, field, fields
from operator import attrgetter
from typing import Any, NoReturn, TypeVar, dataclass_transform, overload

T = TypeVar("T")

_set = object.__setattr__


@overload
@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def record(cls: type[T], /) -> type[T]: ...


@overload
@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def record(*, eq: bool = True, slots: bool = True) -> Callable[[type[T]], type[T]]: ...


def record(cls: type[T] | None = None, /, *, eq: bool = True, slots: bool = True) -> Any:
    """As `dataclass(frozen=True, slots=True)`, whose functions (`replace`, `fields`) work on records, too.

    Args:
        cls: the class.
        eq: two records are equal if their fields are; else only if they are one object.
        slots: without, instances have a `__dict__`, which `cached_property` needs.
    """

    def made(cls: type[T]) -> type[T]:
        new = dataclass(init=False, repr=False, eq=False, slots=slots)(cls)
        own: dict[str, Any] = {
            "__init__": _init(fields(new)),  # type: ignore[arg-type]
            "__repr__": _repr,
            "__setattr__": _frozen,
            "__delattr__": _frozen,
        }
        if slots:
            own |= {"__getstate__": _state, "__setstate__": _restore}
        if eq:
            own |= _equality(new)
        for name, function in own.items():
            if name not in cls.__dict__:
                setattr(new, name, function)
        return new

    return made if cls is None else made(cls)


def _init(all_fields: tuple[Field[Any], ...]) -> Callable[..., None]:
    """The function that sets the fields, with the arguments of a data class."""
    given: dict[str, Any] = {"_assign": _set, "_absent": MISSING}
    arguments, body = [], []
    for one in all_fields:
        value = name = one.name
        if one.default_factory is not MISSING:
            given[f"_default_{name}"] = one.default_factory
            value = f"_default_{name}() if {name} is _absent else {name}"
            arguments.append(f"{name}=_absent")
        elif one.default is not MISSING:
            given[f"_default_{name}"] = one.default
            arguments.append(f"{name}=_default_{name}")
        else:
            arguments.append(name)
        body.append(f" _assign(_self, {name!r}, {value})")
    exec(f"def __init__(_self, {', '.join(arguments)}):\n" + "\n".join(body or [" pass"]), given)
    function: Callable[..., None] = given["__init__"]
    return function


def _equality(cls: type[Any]) -> dict[str, Any]:
    names = [one.name for one in fields(cls) if one.compare]
    hashed = [one.name for one in fields(cls) if (one.compare if one.hash is None else one.hash)]
    compared = attrgetter(*names) if names else lambda _: ()
    key = attrgetter(*hashed) if hashed else lambda _: ()

    def equal(self: object, other: object) -> bool:
        return compared(self) == compared(other) if other.__class__ is self.__class__ else NotImplemented

    def number(self: object) -> int:
        return hash(key(self))

    return {"__eq__": equal, "__hash__": number}


def _repr(self: Any) -> str:
    shown = ", ".join(f"{one.name}={getattr(self, one.name)!r}" for one in fields(self) if one.repr)
    return f"{type(self).__qualname__}({shown})"


def _frozen(self: object, name: str, *_: object) -> NoReturn:
    raise FrozenInstanceError(f"cannot change field {name!r}")


def _state(self: Any) -> list[Any]:
    return [getattr(self, one.name) for one in fields(self)]


def _restore(self: Any, state: list[Any]) -> None:
    for one, value in zip(fields(self), state, strict=True):
        _set(self, one.name, value)
