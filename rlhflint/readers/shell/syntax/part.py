"""The parts that words are made of. Places are counted in the characters of the word's source."""

from __future__ import annotations

from typing import TypeAlias

from rlhflint.records import dataclass


@dataclass(frozen=True, slots=True)
class Literal:
    """Text outside quotes: it may hold `*`, `{a,b}`, `~`."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Quoted:
    """Text that stands for itself: inside quotes, or a character behind a backslash."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Made:
    r"""A character that an escape of `$'…'` makes, such as `\n`."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Placeholder:
    """`<MODEL_PATH>`: what the writer of a template wants replaced."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Quotation:
    """Parts inside quotes of one kind or another."""

    start: int
    end: int
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class Parameter:
    """`$name`, `${name[subscript]operator argument}`; `argument` are the places of the text behind the operator.

    `prefix` is `#` for a length, `!` for an indirection or a list of keys.
    """

    start: int
    end: int
    name: str
    prefix: str = ""
    subscript: tuple[int, int] | None = None
    operator: str = ""
    argument: tuple[int, int] = (0, 0)
    double: bool = False


@dataclass(frozen=True, slots=True)
class Substitution:
    """`$(…)` or backquotes; `inner` are the places of the code in it."""

    start: int
    end: int
    inner: tuple[int, int]
    backquoted: bool = False


@dataclass(frozen=True, slots=True)
class Arithmetic:
    """`$((…))`."""

    start: int
    end: int
    inner: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Process:
    """`<(…)` or `>(…)`."""

    start: int
    end: int
    inner: tuple[int, int]


Part: TypeAlias = Literal | Quoted | Made | Placeholder | Quotation | Parameter | Substitution | Arithmetic | Process
