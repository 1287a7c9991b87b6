"""Numbers that batches have to divide by, and those next to a wrong one."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from rlhflint.frameworks.openrlhf.batches import Crew, closest, common_unit, divisors, nearest, unit

SMALL = st.integers(1, 64)


def crew(gpus):
    return Crew("actor", gpus, True, (), "the actor")


@given(batch=st.integers(1, 4096), micro=SMALL, gpus=SMALL, duplicates=st.integers(1, 8))
def test_a_batch_is_accepted_if_and_only_if_the_unit_divides_it(batch, micro, gpus, duplicates):
    accepted = batch * duplicates % (micro * gpus) == 0
    assert (batch % unit(gpus, micro, duplicates) == 0) == accepted


@given(
    batch=st.integers(1, 4096), micro=SMALL, gpus=st.lists(SMALL, min_size=1, max_size=4), duplicates=st.integers(1, 4)
)
def test_the_nearest_batches_suit_all_groups(batch, micro, gpus, duplicates):
    crews = [crew(one) for one in gpus]
    for found in nearest(batch, common_unit(crews, micro, duplicates)):
        assert found > 0
        assert all(found * duplicates % (micro * one.gpus) == 0 for one in crews)


@given(st.integers(1, 10_000))
def test_divisors_divide_and_none_is_missing(number):
    assert list(divisors(number)) == [one for one in range(1, number + 1) if number % one == 0]


def test_divisors_of_numbers_beyond_all_launches_are_not_looked_for():
    assert divisors(10**18) == (1, 10**18)
    assert divisors(0) == (1,)
    assert divisors(-4) == (1,)


def test_the_larger_of_two_equally_near_numbers():
    assert closest(100, (96, 104)) == 104
    assert closest(100, (96, 112)) == 96
    assert closest(100, ()) is None
