"""The fields a configuration class accepts: its own and those of its bases, as `dataclasses` merges them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from enum import Enum
from typing import Any

from rlhflint.catalog.annotations import parts_of
from rlhflint.records import dataclass


class Missing(Enum):
    """Stands for a default that is not there or not a literal."""

    REQUIRED = "required"
    """There is none: the field has to be given."""
    COMPUTED = "computed"
    """Upstream computes it; `Field.expression` is its source text."""


@dataclass(frozen=True, slots=True)
class Field:
    """One field of a configuration class at one release.

    `type` is the annotation in one spelling (`float | None`, `list[str]`, `dict | str`). `becomes` is what upstream
    puts in place of None while the object is built, as source text (`not fp16`); empty where None stays. `accepts` are
    the values of the enumeration that the value is turned into: any other value is refused at once. `choices` are only
    applied to words of a command line: () stands for any word, None for choices that upstream computes.
    """

    name: str
    type: str
    owner: str
    """Key of the class that defines it in this form."""
    default: object = None
    expression: str = ""
    becomes: str = ""
    choices: tuple[object, ...] | None = ()
    accepts: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    json: bool = False
    """Text that is JSON is read as such."""
    bare: bool = False
    """Its flag may stand without a value, which then is true, whatever its type."""
    deprecated: bool = False
    """Its help text says so."""
    init: bool = True

    @property
    def required(self) -> bool:
        """It has no default."""
        return self.default is Missing.REQUIRED

    @property
    def nullable(self) -> bool:
        """Its annotation names None."""
        return bool({"None", "Any"} & set(parts_of(self.type)))


@dataclass(frozen=True, slots=True)
class ClassShape:
    """The own part of a class at one release; see `rlhflint.catalog.source.class_source.ClassSource`."""

    key: str
    bases: tuple[str, ...] = ()
    is_dataclass: bool = True
    fields: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    replaced: Mapping[str, str] = field(default_factory=dict)
    enums: Mapping[str, Sequence[str]] = field(default_factory=dict)
    json_fields: tuple[str, ...] = ()


class Fields(Mapping[str, Field]):
    """What a class accepts as keywords, by name, in no order that means something.

    `unseen` names the bases that could not be read: while there are any, a name that is not here may be accepted.
    """

    def __init__(self, fields: Mapping[str, Field], unseen: Sequence[str] = ()) -> None:
        self._fields = dict(fields)
        self.unseen = tuple(unseen)

    def __getitem__(self, name: str) -> Field:
        return self._fields[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._fields)

    def __len__(self) -> int:
        return len(self._fields)

    def __repr__(self) -> str:
        return f"Fields({list(self._fields)}, unseen={self.unseen})"

    @property
    def complete(self) -> bool:
        """All bases were read: a name that is not here is refused."""
        return not self.unseen


def merge(key: str, find: Callable[[str], ClassShape | None]) -> Fields:
    """The fields of the class `key`, its bases looked up with `find`, which gives None for a class it cannot read.

    A field that is defined again keeps its place and takes the newer definition, as `dataclasses` does. A class that
    is no dataclass adds none.
    """
    unseen: list[str] = []
    shapes: dict[str, ClassShape] = {}

    def look_up(name: str) -> ClassShape | None:
        if name not in shapes:
            shape = find(name)
            if shape is None:
                if name not in _EMPTY_BASES and name not in unseen:
                    unseen.append(name)
                return None
            shapes[name] = shape
        return shapes[name]

    order = linearise(key, lambda name: shape.bases if (shape := look_up(name)) else ())
    merged: dict[str, Field] = {}
    for name in reversed(order):
        shape = shapes.get(name)
        if shape is not None and shape.is_dataclass:
            for own, state in shape.fields.items():
                merged[own] = read_field(own, state, shape.key)
    for name in reversed(order):
        shape = shapes.get(name)
        if shape is None:
            continue
        for own, text in shape.replaced.items():
            if own in merged:
                merged[own] = replace(merged[own], becomes=text)
        for own, values in shape.enums.items():
            if own in merged:
                merged[own] = replace(merged[own], accepts=tuple(values))
        for own in shape.json_fields:
            if own in merged:
                merged[own] = replace(merged[own], json=True)
    return Fields({name: one for name, one in merged.items() if one.init}, unseen)


_EMPTY_BASES = {"object", "ABC", "abc.ABC", "Generic", "typing.Generic", "Protocol", "typing.Protocol"}


def linearise(key: str, bases_of: Callable[[str], Sequence[str]]) -> list[str]:
    """The method resolution order of a class (C3); where upstream's bases allow none, each class once, bases last.

    A class that is its own base, as unfinished source text may say, is not followed again.
    """
    done: dict[str, list[str]] = {}

    def visit(name: str, path: tuple[str, ...]) -> list[str]:
        if name in done:
            return done[name]
        if name in path or len(path) > 50:
            return [name]
        bases = [base for base in bases_of(name) if base != name]
        sequences = [visit(base, (*path, name)) for base in bases]
        done[name] = [name, *_merge_orders([*sequences, bases])]
        return done[name]

    return list(dict.fromkeys(visit(key, ())))


def _merge_orders(sequences: Sequence[Sequence[str]]) -> list[str]:
    left = [list(sequence) for sequence in sequences if sequence]
    merged: list[str] = []
    while left:
        tails = [set(sequence[1:]) for sequence in left]
        head = next(
            (one[0] for one in left if not any(one[0] in tail for tail in tails)),
            left[0][0],
        )
        merged.append(head)
        left = [rest for one in left if (rest := [name for name in one if name != head])]
    return merged


def read_field(name: str, state: Mapping[str, Any], owner: str) -> Field:
    """The `Field` of one state in the form of the data files."""
    default: object
    if state.get("required"):
        default = Missing.REQUIRED
    elif "expr" in state:
        default = Missing.COMPUTED
    else:
        default = state.get("default")
    return Field(
        name=name,
        type=state["type"],
        owner=owner,
        default=default,
        expression=state.get("expr", ""),
        choices=None if state.get("choices", ()) is None else tuple(state.get("choices", ())),
        aliases=tuple(state.get("aliases") or ()),
        bare=state.get("bare", False),
        deprecated=state.get("deprecated", False),
        init=state.get("init", True),
    )
