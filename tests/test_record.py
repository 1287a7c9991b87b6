"""Records hold to what frozen data classes do."""

from __future__ import annotations

import copy
import pickle
from dataclasses import FrozenInstanceError, dataclass, field, fields, replace
from functools import cached_property

import pytest

from rlhflint.record import record


@record
class Point:
    x: int
    set: tuple[int, ...] = ()
    notes: list[str] = field(default_factory=list, compare=False)


@dataclass(frozen=True, slots=True)
class Twin:
    x: int
    set: tuple[int, ...] = ()
    notes: list[str] = field(default_factory=list, compare=False)


@record(eq=False, slots=False)
class Node:
    start: int

    @cached_property
    def twice(self) -> int:
        return 2 * self.start


@record(eq=False, slots=False)
class Inner(Node):
    end: int = 9


def test_arguments_defaults_and_repr_are_those_of_a_data_class() -> None:
    for words, named in (((1,), {}), ((1, (2,)), {}), ((1,), {"notes": ["a"]}), ((), {"x": 3, "set": (4,)})):
        one, twin = Point(*words, **named), Twin(*words, **named)
        assert repr(one) == repr(twin).replace("Twin", "Point")
    assert Point(1).notes is not Point(1).notes


@pytest.mark.parametrize(("words", "named"), [((), {}), ((1, (), [], 4), {}), ((1,), {"y": 2}), ((1,), {"x": 1})])
def test_wrong_arguments_are_refused(words: tuple[object, ...], named: dict[str, object]) -> None:
    with pytest.raises(TypeError):
        Point(*words, **named)


def test_equality_and_hash_go_by_the_fields_that_are_compared() -> None:
    assert Point(1, (2,), ["a"]) == Point(1, (2,), ["b"])
    assert len({Point(1, (2,), ["a"]), Point(1, (2,)), Point(2)}) == 2
    assert Point(1) != Point(2)
    assert Point(1) != Twin(1)


def test_without_eq_two_are_equal_only_if_they_are_one() -> None:
    node = Node(1)
    assert node == node
    assert node != Node(1)
    assert len({node, Node(1)}) == 2


def test_fields_do_not_change() -> None:
    point = Point(1)
    with pytest.raises(FrozenInstanceError):
        point.x = 2  # type: ignore[misc]
    with pytest.raises(FrozenInstanceError):
        del point.x
    assert not hasattr(point, "__dict__")


def test_without_slots_properties_are_kept() -> None:
    inner = Inner(2)
    assert (inner.twice, inner.end, "twice" in vars(inner)) == (4, 9, True)


def test_the_functions_of_data_classes_work() -> None:
    assert replace(Point(1, (2,)), x=5) == Point(5, (2,))
    assert [one.name for one in fields(Inner)] == ["start", "end"]
    with pytest.raises(TypeError):
        replace(Point(1), z=1)  # type: ignore[call-arg]


def test_copies_are_equal() -> None:
    point = Point(1, (2,), ["a"])
    for other in (copy.copy(point), copy.deepcopy(point), pickle.loads(pickle.dumps(point))):
        assert other == point
        assert other.notes == ["a"]


def test_a_record_matches_by_position() -> None:
    match Point(1, (2,)):
        case Point(x, (y,)):
            assert (x, y) == (1, 2)
        case _:
            raise AssertionError
