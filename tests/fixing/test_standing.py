"""Which of several changes stand: found with few tries, and with no more than are left."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, log2

from hypothesis import given
from hypothesis import strategies as st

from rlhflint.fixing.standing import MOST_TRIES, UNTOLD, Standing, Tries, standing


@dataclass(frozen=True)
class Try:
    """Changes that were tried, and what speaks against them."""

    made: tuple[int, ...]
    reason: str


class Bench:
    """Tries changes of which some do not stand, and some not beside another one."""

    def __init__(self, bad: set[int], quarrels: Sequence[tuple[int, int]] = ()) -> None:
        self.bad = bad
        self.quarrels = quarrels
        self.tries = Tries()
        self.tried: list[tuple[int, ...]] = []

    def attempt(self, some: Sequence[int]) -> Try:
        self.tried.append(tuple(some))
        wrong = [str(one) for one in some if one in self.bad]
        wrong += [f"{one} beside {other}" for one, other in self.quarrels if one in some and other in some]
        return Try(tuple(some), " and ".join(wrong))

    def standing(self, changes: Sequence[int]) -> Standing[int, Try]:
        return standing(changes, self.attempt, self.tries)


@given(st.integers(1, 40), st.data())
def test_all_that_stand_are_made_and_each_of_the_others_is_told(count: int, data: st.DataObject) -> None:
    bad = data.draw(st.sets(st.integers(0, count - 1), max_size=6))
    bench = Bench(bad)
    found = bench.standing(range(count))
    good = tuple(one for one in range(count) if one not in bad)
    assert (found.trial.made if found.trial is not None else ()) == good
    assert found.refused == tuple((one, str(one)) for one in sorted(bad))
    assert len(bench.tried) <= 1 + 2 * len(bad) * ceil(log2(max(count, 2)))
    assert len(set(bench.tried)) == len(bench.tried)
    assert bench.tries.left == MOST_TRIES - len(bench.tried)


def test_the_one_that_does_not_stand_is_found_by_halves() -> None:
    last, first = Bench({63}), Bench({0})
    last.standing(range(64))
    first.standing(range(64))
    assert [len(some) for some in last.tried] == [64, 32, 48, 56, 60, 62, 63]
    assert [len(some) for some in first.tried] == [64, 32, 16, 8, 4, 2, 1, 1, 3, 7, 15, 31, 63]


def test_where_all_stand_one_try_tells() -> None:
    bench = Bench(set())
    assert bench.standing(range(1000)).trial == Try(tuple(range(1000)), "")
    assert len(bench.tried) == 1


def test_of_two_that_do_not_go_together_the_first_is_made() -> None:
    found = Bench(set(), [(1, 4)]).standing(range(6))
    assert found.trial is not None
    assert found.trial.made == (0, 1, 2, 3, 5)
    assert found.refused == ((4, "1 beside 4"),)


@given(st.sets(st.integers(0, 400), min_size=100))
def test_no_more_is_tried_than_is_left(bad: set[int]) -> None:
    bench = Bench(bad)
    found = bench.standing(range(401))
    assert len(bench.tried) == MOST_TRIES
    assert bench.tries.left == 0
    made = found.trial.made if found.trial is not None else ()
    assert bad.isdisjoint(made)
    assert sorted([*made, *(one for one, _ in found.refused)]) == list(range(401))
    assert {reason for one, reason in found.refused if one not in bad} == {UNTOLD}


def test_nothing_is_tried_where_nothing_is_left() -> None:
    bench = Bench(set())
    bench.tries.left = 0
    found = bench.standing([1, 2])
    assert found == Standing(None, ((1, UNTOLD), (2, UNTOLD)))
    assert not bench.tried
