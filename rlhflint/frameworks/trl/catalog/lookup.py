"""The fields of a configuration class and the parameters of a trainer at one pair of releases."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from rlhflint.catalog.fields import ClassShape, Fields, linearise, merge
from rlhflint.frameworks.trl.catalog import store
from rlhflint.frameworks.trl.catalog.imports import ClassRef, Shim, class_at
from rlhflint.frameworks.trl.catalog.names import class_key
from rlhflint.records import dataclass

if TYPE_CHECKING:
    from rlhflint.catalog.source.class_source import ClassSource
    from rlhflint.frameworks.trl.catalog.tree import Tree

Find = Callable[[str], ClassShape | None]


def config_fields(key: str, trl: str | Tree, transformers: str, own: Mapping[str, ClassSource] | None = None) -> Fields:
    """What a configuration class takes as keywords, by name: its own fields and those of all its bases.

    Args:
        key: of the class; with `own`, the dotted name of one of the user's classes may stand here.
        trl: the release or the package read from source.
        transformers: the release whose TrainingArguments are the base.
        own: the user's classes by dotted name, as `rlhflint.catalog.source.module_source` reads them. Their bases are
            followed through import paths of TRL and transformers.

    Raises:
        KeyError: the class does not exist at this release.
    """
    if own is None and isinstance(trl, str):
        return _released(key, trl, transformers)
    find = _finder(trl, transformers, own or {})
    if find(key) is None:
        raise KeyError(f"{key} does not exist in this TRL")
    return merge(key, find)


@lru_cache(maxsize=64)
def _released(key: str, trl: str, transformers: str) -> Fields:
    if store.shape(key, trl, transformers) is None:
        raise KeyError(f"{key} does not exist in trl {trl}")
    return merge(key, lambda name: store.shape(name, trl, transformers))


def class_order(key: str, trl: str, transformers: str) -> list[str]:
    """The keys of a class and its bases in the order in which Python looks them through."""
    return linearise(key, lambda name: shape.bases if (shape := store.shape(name, trl, transformers)) else ())


def _finder(trl: str | Tree, transformers: str, own: Mapping[str, ClassSource]) -> Find:
    def find(name: str) -> ClassShape | None:
        if name in own:
            source = own[name]
            return shape_of(source, name, source.bases)
        if name.startswith("trl."):
            match class_at(name, trl):
                case ClassRef(key=name) | Shim(key=name):
                    pass
        elif name.startswith("transformers."):
            name = class_key(name)
        if isinstance(trl, str) or name.startswith("transformers:"):
            return store.shape(name, trl if isinstance(trl, str) else "", transformers)
        found = trl.configs.get(name)
        return None if found is None else shape_of(found, name, trl.bases(found), trl)

    return find


def shape_of(source: ClassSource, key: str, bases: Sequence[str], tree: Tree | None = None) -> ClassShape:
    """The own part of a class that was read from source; enumerations are looked up in its package."""
    enums: dict[str, Sequence[str]] = {}
    for name, enumeration in source.enums.items():
        found = tree.definition(f"{source.module}.{enumeration}") if tree else None
        if found is not None and found.values:
            enums[name] = found.values
    return ClassShape(key, tuple(bases), source.is_dataclass, source.fields, source.replaced, enums, source.json_fields)


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a constructor. `position` counts from 0 behind `self`; None for one that needs its name."""

    name: str
    position: int | None
    required: bool


class Parameters(Mapping[str, Parameter]):
    """What a trainer's constructor takes, by name, in order.

    `catches_all`: any further keyword is taken (`**kwargs`). `unseen`: a base that could not be read, whose
    constructor it is; then nothing is known.
    """

    def __init__(self, parameters: Mapping[str, Parameter], *, catches_all: bool = False, unseen: str = "") -> None:
        self._parameters = dict(parameters)
        self.catches_all = catches_all
        self.unseen = unseen

    def __getitem__(self, name: str) -> Parameter:
        return self._parameters[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._parameters)

    def __len__(self) -> int:
        return len(self._parameters)

    @property
    def complete(self) -> bool:
        """A keyword that is not here is refused."""
        return not self.catches_all and not self.unseen

    def at(self, position: int) -> Parameter | None:
        """The parameter that a positional argument fills."""
        return next((one for one in self._parameters.values() if one.position == position), None)


def trainer_parameters(key: str, trl: str | Tree, own: Mapping[str, ClassSource] | None = None) -> Parameters:
    """The constructor parameters of a trainer; one that has no constructor of its own takes its base's.

    `own` are the user's classes by dotted name, see `config_fields`. Raises KeyError for a trainer that does not exist
    at this release.
    """
    seen: dict[str, tuple[tuple[str, ...], Mapping[str, Mapping[str, object]] | None]] = {}

    def look_up(name: str) -> tuple[tuple[str, ...], Mapping[str, Mapping[str, object]] | None] | None:
        if name not in seen:
            found = _constructor(name, trl, own or {})
            if found is None:
                return None
            seen[name] = found
        return seen[name]

    if look_up(key) is None:
        raise KeyError(f"{key} does not exist in this TRL")
    for name in linearise(key, lambda one: found[0] if (found := look_up(one)) else ()):
        found = look_up(name)
        if found is None:
            return Parameters({}, unseen=name)
        if found[1] is not None:
            return _parameters(found[1])
    return Parameters({})


def _constructor(
    name: str, trl: str | Tree, own: Mapping[str, ClassSource]
) -> tuple[tuple[str, ...], Mapping[str, Mapping[str, object]] | None] | None:
    """The bases of a trainer and the states of its own constructor's parameters; None for a class that is not known."""
    if name in own:
        source = own[name]
        return source.bases, None if source.forwards else source.parameters
    if name.startswith("trl."):
        match class_at(name, trl):
            case ClassRef(key=name) | Shim(key=name):
                pass
    if not isinstance(trl, str):
        found = trl.trainers.get(name)
        return None if found is None else (trl.bases(found), None if found.forwards else found.parameters)
    table, order = store.trainer_table(name), store.releases()
    state = order.row_at(table.get("class", ()), trl)
    if state is None:
        return None
    if state.get("inherits"):
        return tuple(state["bases"]), None
    rows = {one: order.row_at(history, trl) for one, history in table.get("parameters", {}).items()}
    return tuple(state["bases"]), {one: row for one, row in rows.items() if row is not None}


def _parameters(states: Mapping[str, Mapping[str, object]]) -> Parameters:
    plain: dict[str, Parameter] = {}
    for name, state in states.items():
        if not name.startswith("*"):
            position = state.get("position")
            plain[name] = Parameter(name, position if isinstance(position, int) else None, bool(state.get("required")))
    ordered = sorted(plain.values(), key=lambda one: (one.position is None, one.position or 0))
    return Parameters({one.name: one for one in ordered}, catches_all=any(name.startswith("**") for name in states))
