"""What the reader knows of the value of an expression while it follows a module.

Values that can change (dictionaries, lists, objects) live in the store under a number, their `place`; a variable holds
a `Ref` to it. Their states are immutable: a change puts another state at the place.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import field
from typing import TypeAlias

from rlhflint.call import Class, Origin
from rlhflint.readers.python.conditions import HEAVIEST, Conditions, Decision, possible, weight
from rlhflint.records import dataclass
from rlhflint.text import Span

TOO_MANY = "it has more than 64 values"
MOST_OPTIONS = 64
"""More values than these that one expression may have are not told apart."""


@dataclass(frozen=True, slots=True)
class Sure:
    """A constant. `literal` is where it is written, if one literal gives it."""

    value: object
    literal: Span | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Maybe:
    """`default` unless something from outside gives another value."""

    default: object
    because: str
    symbol: int


@dataclass(frozen=True, slots=True)
class Open:
    """Not known.

    `probe` is the package it tells something about; `decision` is set for a test's outcome, `method` for what may be a
    method of an object that a watched call made.
    """

    because: str
    symbol: int
    probe: str = ""
    decision: Decision | None = field(default=None, compare=False)
    method: Method | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Imported:
    """Something named by its dotted path in a package, or in `builtins`."""

    path: str


@dataclass(frozen=True, slots=True)
class Release:
    """The installed release of a package (`text` empty), or a release that it is compared with."""

    package: str = ""
    text: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Function:
    """A function or lambda of the file. `frames` are the scopes it sees, innermost first."""

    node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
    name: str
    frames: tuple[int, ...]
    defaults: Mapping[str, Abstract]
    plain: bool
    """Nothing decorates it, so that calling it runs its body."""
    owner: Defined | None = None
    """The class it is a method of."""


@dataclass(frozen=True, slots=True, eq=False)
class Defined:
    """A class of the file; its attributes are in the store at `place`."""

    facts: Class
    place: int
    bases: tuple[Abstract, ...]
    unusual: bool = False
    """It has a metaclass, so that nothing is known of its attributes and objects."""


@dataclass(frozen=True, slots=True)
class Method:
    """`receiver.name`, to be called."""

    receiver: Abstract
    name: str


@dataclass(frozen=True, slots=True)
class Partial:
    """`functools.partial(function, …)`."""

    function: Abstract
    arguments: tuple[Entry | Spread, ...]


@dataclass(frozen=True, slots=True)
class Ref:
    """What is at `place` in the store."""

    place: int


@dataclass(frozen=True, slots=True)
class Absent:
    """Nothing is there: a variable that was not assigned, a key that is not in a dictionary."""


@dataclass(frozen=True, slots=True)
class Alt:
    """One of several, each on the ways on which its conditions hold."""

    options: tuple[tuple[Conditions, Abstract], ...]


@dataclass(frozen=True, slots=True)
class Entry:
    """An argument, element, entry or attribute with its place in the file; see `rlhflint.call.Argument`."""

    name: object
    value: Abstract
    span: Span
    name_span: Span | None = None
    value_span: Span | None = None
    origin: Origin = Origin.KEYWORD
    renamable: bool = False


@dataclass(frozen=True, slots=True)
class Spread:
    """`*value` (one star) or `**value` in a call."""

    value: Abstract
    stars: int
    text: str


Slot: TypeAlias = "Entry | Alt"
"""An entry, or several that it may be, `Absent` among them."""


@dataclass(frozen=True, slots=True, eq=False)
class Items:
    """The state of a list, tuple or set. `more`: why it may hold something else."""

    kind: str
    slots: tuple[Slot, ...]
    more: str = ""
    literal: Span | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """The state of a dictionary. `more`: why it may hold further keys."""

    slots: Mapping[object, Slot]
    more: str = ""
    literal: Span | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Instance:
    """The state of an object.

    `record` is the number of the watched call that made it, `index` its place in the result; or it is of the class
    `defined`; or neither, for an object from outside on which attributes were set. `live` are the arguments that can
    be changed through it: name, place, and the state they had when it was made.
    """

    record: int | None = None
    index: int | None = None
    defined: Defined | None = None
    attributes: Mapping[object, Slot] = field(default_factory=dict)
    handed: tuple[str, ...] = ()
    more: str = ""
    live: tuple[tuple[Entry, int, object], ...] = ()


Abstract: TypeAlias = (
    "Sure | Maybe | Open | Imported | Release | Function | Defined | Method | Partial | Ref | Absent | Alt | Entry"
    " | Items | Table | Instance"
)


def options(value: Abstract) -> Iterator[tuple[Conditions, Abstract]]:
    """The values it may be, with the conditions of each."""
    if isinstance(value, Alt):
        yield from value.options
    else:
        yield (), value


def one_of(choices: Iterable[tuple[Conditions, Abstract]], unknown: Callable[[str], Abstract]) -> Abstract:
    """One of several values; where it can be but one, that one.

    `unknown` makes a value that is not known of the reason: where none is known, or they are too many to tell apart.
    """
    flat: list[tuple[Conditions, Abstract]] = []
    for conditions, value in choices:
        for inner, option in options(value):
            held = tuple(dict.fromkeys(conditions + inner))
            if possible(held):
                flat.append((held, option))
            if len(flat) > MOST_OPTIONS or weight(held) > HEAVIEST:
                return unknown(TOO_MANY)
    if flat and all(same(value, flat[0][1]) for _, value in flat):
        return flat[0][1]
    if flat and all(isinstance(value, Open) and not (value.decision or value.method) for _, value in flat):
        # Which of several unknown values it is makes no difference.
        return unknown(getattr(flat[0][1], "because", ""))
    return Alt(tuple(flat)) if flat else unknown("no way leads here")


def same(first: Abstract, second: Abstract) -> bool:
    """Whether two values are equal in type and value; where a constant is written does not matter."""
    if first is second:
        return True
    if isinstance(first, Sure) and isinstance(second, Sure):
        return type(first.value) is type(second.value) and first.value == second.value
    return type(first) is type(second) and first == second
