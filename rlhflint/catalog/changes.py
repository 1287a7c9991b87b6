"""What became of flags from release to release: the reviewed overlay, as the data file of a program carries it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from enum import Enum

from rlhflint.records import dataclass


class Kind(Enum):
    """What became of a flag."""

    RENAMED = "renamed"
    """Another name, the value as it is."""
    SPLIT = "split"
    """Several names, each with the value as it is."""
    JOINED = "joined"
    """Going back over a split: several names, one before."""
    REPLACED = "replaced"
    """Other options with other values took its place."""
    INVERTED = "inverted"
    """A switch whose effect is the default now."""
    REMOVED = "removed"
    """Nothing took its place."""


@dataclass(frozen=True, slots=True, eq=False)
class Case:
    """One row of a replacement.

    It holds where the options of `given` have these values and those of `unset` have none, given or default. `to` are
    the new values that mean the same; None where no values do, and `inexact` says what is lost then.
    """

    given: Mapping[str, object]
    unset: tuple[str, ...]
    to: Mapping[str, object] | None
    inexact: str = ""

    def holds(self, values: Mapping[str, object]) -> bool:
        """Whether it is the row for these values of the old flags."""
        return all(values.get(flag) == value for flag, value in self.given.items()) and all(
            values.get(flag) is None for flag in self.unset
        )


@dataclass(frozen=True, slots=True, eq=False)
class Replacement:
    """Old options and the new ones that took their place at `release`, with the values that mean the same.

    `pairs` goes from each old flag to the new ones that speak of the same thing.
    """

    release: str
    pairs: Mapping[str, tuple[str, ...]]
    cases: tuple[Case, ...]
    inverted: bool = False
    note: str = ""

    @property
    def new(self) -> tuple[str, ...]:
        """The new flags."""
        paired = [flag for flags in self.pairs.values() for flag in flags]
        set_by_cases = [flag for case in self.cases for flag in case.to or ()]
        return tuple(dict.fromkeys([*paired, *set_by_cases]))

    def case(self, values: Mapping[str, object]) -> Case | None:
        """The first row that holds for the values of the old flags in force."""
        return next((case for case in self.cases if case.holds(values)), None)

    def convert(self, values: Mapping[str, object]) -> dict[str, object] | None:
        """The values of the new flags that mean the same as these of the old ones; None if no values do."""
        case = self.case(values)
        if case is None or case.to is None:
            return None
        try:
            return {flag: _value(spec, values) for flag, spec in case.to.items()}
        except (LookupError, TypeError):
            return None


@dataclass(frozen=True, slots=True, eq=False)
class Step:
    """What became of one flag at one release: `to` are the flags that stand for it from then on."""

    flag: str
    release: str
    kind: Kind
    to: tuple[str, ...] = ()
    note: str = ""
    dead: bool = False
    """A removed flag that nothing had read any more."""
    replacement: Replacement | None = None


@dataclass(frozen=True, slots=True)
class Condition:
    """When a program is broken: a flag whose value in force is this one, or within bounds."""

    flag: str
    is_: object = None
    least: float | None = None
    most: float | None = None

    def holds(self, value: object) -> bool:
        """Whether it holds for a value of the flag."""
        if self.is_ is not None:
            return value == self.is_
        if not isinstance(value, (int, float)):
            return False
        return (self.least is None or value >= self.least) and (self.most is None or value <= self.most)


@dataclass(frozen=True, slots=True)
class Broken:
    """A program that does not work in some releases. `stage` is when that shows, in the words of findings."""

    since: str
    until: str | None
    stage: str
    what: str
    when: Condition | None = None


@dataclass(frozen=True, slots=True)
class Note:
    """A remark on one flag over some releases: that nothing reads it (`Program.dead`)."""

    since: str
    until: str | None
    text: str


@dataclass(frozen=True, slots=True)
class Meaning:
    """The same flag has another effect from `release` on.

    `value`: an expression for the values that it is another one for, as one text; empty for all of them.
    `unset_with`: the default has another effect as well, where that flag is given.
    """

    flag: str
    release: str
    before: str
    after: str
    value: str = ""
    unset_with: str = ""

    def concerns(self, words: Iterable[str]) -> bool:
        """Whether the effect is another one for a value."""
        return not self.value or re.fullmatch(self.value, " ".join(words)) is not None


@dataclass(frozen=True, slots=True)
class Instead:
    """What to write for an invented name, from release `since` to `until`.

    `flags` take over the value of the invented one, each of them; `words` stand for it together with its value (only
    for the value `value`, if that is given); of `any_of` the user has to choose.
    """

    since: str
    until: str | None
    flags: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    any_of: tuple[str, ...] = ()
    value: str | None = None


@dataclass(frozen=True, slots=True)
class Invented:
    """A name that guides and scripts use and that no release had. `fix`: `safe`, `unsafe` or `none`."""

    name: str
    fix: str
    note: str
    instead: tuple[Instead, ...]


@dataclass(frozen=True, slots=True)
class Ended:
    """A program is gone from `release` on. `like`: whose newest names its flags are known by."""

    release: str
    like: str
    instead: str = ""


def _value(spec: object, values: Mapping[str, object]) -> object:
    """The value that a specification of the overlay stands for. Raises LookupError or TypeError if one is missing."""
    match spec:
        case {"same": str(flag)}:
            return values[flag]
        case {"sum": list(flags)}:
            return sum(_number(values[flag]) for flag in flags)
        case {"list": list(items)}:
            return [_value(item, values) for item in items]
    return spec


def _number(value: object) -> int | float:
    if not isinstance(value, (int, float)):
        raise TypeError(f"not a number: {value!r}")
    return value
