"""What has to hold for a branch to be taken, and whether several such conditions can hold together.

A condition is a test of something that is not known (a *symbol*, see `rlhflint.readers.python.values`), so that two
tests of the same thing agree: on a way where `mode == "a"` holds, `mode == "b"` does not.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field
from typing import TypeAlias

from rlhflint.call import Guard
from rlhflint.records import dataclass
from rlhflint.text import Span


@dataclass(frozen=True, slots=True)
class Test:
    """`symbol` is one of `values`, or where not `holds`, none of them.

    `words` fit behind "when", for the test and for its opposite. `guards` are set where the test depends on installed
    packages; `certain` where the way it leads to is taken for sure (a round of a loop).
    """

    symbol: int
    values: frozenset[object]
    holds: bool = True
    span: Span | None = field(default=None, compare=False)
    words: tuple[str, str] = field(default=("", ""), compare=False)
    guards: tuple[Guard, Guard] | None = field(default=None, compare=False)
    certain: bool = field(default=False, compare=False)

    def __hash__(self) -> int:
        return hash((self.symbol, self.holds))

    @property
    def opposite(self) -> Test:
        """The test that holds where this one does not."""
        return Test(self.symbol, self.values, not self.holds, self.span, self.words, self.guards, self.certain)

    @property
    def says(self) -> str:
        """What holds, in words that fit behind "when"."""
        return self.words[0 if self.holds else 1]

    @property
    def guard(self) -> Guard | None:
        """How it depends on installed packages."""
        return self.guards[0 if self.holds else 1] if self.guards else None


@dataclass(frozen=True, slots=True)
class Barred:
    """Not all of `conditions` hold."""

    conditions: tuple[Condition, ...]
    weight: int = field(default=1, compare=False)
    """How many tests it holds."""

    def __hash__(self) -> int:
        return hash((self.weight, self.conditions[0]))


Condition: TypeAlias = Test | Barred
Conditions: TypeAlias = tuple[Condition, ...]
"""All of them hold."""

HEAVIEST = 16
"""Conditions that hold more tests are not followed: what depends on them is unknown."""


@dataclass(frozen=True, slots=True)
class Decision:
    """A test whose outcome is not known: what holds if it is true, and what if it is false."""

    yes: Conditions
    no: Conditions

    @property
    def opposite(self) -> Decision:
        """The decision of `not`."""
        return Decision(self.no, self.yes)


def on(test: Test) -> Decision:
    """The decision that one test makes."""
    return Decision((test,), (test.opposite,))


def both(first: Decision, second: Decision) -> Decision:
    """The decision of `and`."""
    yes = first.yes + second.yes
    return Decision(yes, (barred(yes),))


def either(first: Decision, second: Decision) -> Decision:
    """The decision of `or`."""
    return both(first.opposite, second.opposite).opposite


def barred(conditions: Conditions) -> Condition:
    """The opposite of all conditions together."""
    if len(conditions) == 1:
        only = conditions[0]
        if isinstance(only, Test):
            return only.opposite
        if len(only.conditions) == 1:
            return only.conditions[0]
    return Barred(conditions, weight(conditions))


def weight(conditions: Conditions) -> int:
    """How many tests conditions hold: what telling them apart costs."""
    return sum(one.weight if isinstance(one, Barred) else 1 for one in conditions)


def possible(conditions: Conditions) -> bool:
    """Whether nothing speaks against all conditions holding together."""
    if len(conditions) < 2:
        return True
    allowed: dict[int, frozenset[object]] = {}
    ruled_out: dict[int, frozenset[object]] = {}
    for test in tests(conditions):
        if not test.holds:
            ruled_out[test.symbol] = ruled_out.get(test.symbol, frozenset()) | test.values
        elif test.symbol in allowed:
            allowed[test.symbol] &= test.values
        else:
            allowed[test.symbol] = test.values
    for symbol, values in allowed.items():
        if not values - ruled_out.get(symbol, frozenset()):
            return False
    return not any(
        isinstance(one, Barred) and all(_follows(inner, allowed, ruled_out) for inner in one.conditions)
        for one in conditions
    )


def tests(conditions: Iterable[Condition]) -> list[Test]:
    """The plain tests among conditions."""
    return [one for one in conditions if isinstance(one, Test)]


def _follows(
    condition: Condition, allowed: dict[int, frozenset[object]], ruled_out: dict[int, frozenset[object]]
) -> bool:
    """Whether a condition holds for sure, given what is known of each symbol."""
    if isinstance(condition, Barred):
        return any(_fails(inner, allowed, ruled_out) for inner in condition.conditions)
    left = allowed.get(condition.symbol)
    out = ruled_out.get(condition.symbol, frozenset())
    if condition.holds:
        return left is not None and left - out <= condition.values
    return condition.values <= out or (left is not None and not (left - out) & condition.values)


def _fails(
    condition: Condition, allowed: dict[int, frozenset[object]], ruled_out: dict[int, frozenset[object]]
) -> bool:
    if isinstance(condition, Barred):
        return all(_follows(inner, allowed, ruled_out) for inner in condition.conditions)
    return _follows(condition.opposite, allowed, ruled_out)
