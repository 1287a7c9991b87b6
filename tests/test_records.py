"""Data classes made by `rlhflint.records` are those of the standard library."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from dataclasses import field
from functools import cached_property
from typing import Any, ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rlhflint.records import dataclass

OPTIONS: list[dict[str, bool]] = [
    {"frozen": frozen, "eq": eq, "slots": slots, "repr": shown}
    for frozen in (True, False)
    for eq in (True, False)
    for slots in (True, False)
    for shown in (True, False)
]


class Written:
    """Fields of every kind."""

    one: int
    two: str = "two"
    hidden: int = field(default=0, repr=False)
    apart: list[int] = field(default_factory=list, compare=False)
    unhashed: tuple[int, ...] = field(default=(), hash=False)
    count: ClassVar[int] = 7


def made(maker: Any, options: dict[str, bool]) -> Any:
    """The same class, made by one of the two."""
    return maker(**options)(type("Written", (), dict(vars(Written)) | {"__qualname__": "Written"}))


@dataclass(frozen=True, slots=True)
class Point:
    """A class that can be found by its name."""

    x: int
    y: int = 0


@dataclass(frozen=True, slots=True, order=True)
class Ranked:
    """A class with an order."""

    rank: int


@dataclass(frozen=True)
class Lazy:
    """A class without slots."""

    number: int

    @cached_property
    def double(self) -> int:
        """Worked out once."""
        return 2 * self.number


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@given(number=st.integers(), other=st.integers(), text=st.text())
def test_equality_hash_and_text_are_the_same(options: dict[str, bool], number: int, other: int, text: str) -> None:
    ours, theirs = made(dataclass, options), made(dataclasses.dataclass, options)
    same = ours(number, text, apart=[1]) == ours(other, text, apart=[2])
    assert same == (theirs(number, text, apart=[1]) == theirs(other, text, apart=[2]))
    assert (ours.__hash__ is None) == (theirs.__hash__ is None)
    if options["frozen"] and options["eq"]:
        assert hash(ours(number, text)) == hash(theirs(number, text))
    if options["repr"]:
        assert repr(ours(number, text)) == repr(theirs(number, text))
    assert ours.__match_args__ == theirs.__match_args__
    assert [one.name for one in dataclasses.fields(ours)] == [one.name for one in dataclasses.fields(theirs)]


def test_what_is_not_handed_over_is_an_error_as_it_is_there() -> None:
    with pytest.raises(TypeError, match="'x'"):
        Point()  # type: ignore[call-arg]


def test_records_are_copied_replaced_and_pickled() -> None:
    point = Point(1, 2)
    assert copy.deepcopy(point) == pickle.loads(pickle.dumps(point)) == point
    assert dataclasses.replace(point, y=3) == Point(1, 3)
    assert not hasattr(point, "__dict__")


def test_order_and_values_worked_out_once() -> None:
    assert sorted([Ranked(2), Ranked(1)]) == [Ranked(1), Ranked(2)]
    lazy = Lazy(2)
    assert (lazy.double, lazy) == (4, Lazy(2))
