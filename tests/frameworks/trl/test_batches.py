"""Whole groups in batches: the arithmetic of upstream's checks."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from rlhflint.frameworks.trl.batches import Batch, divisors, nearest

SIZES = st.integers(1, 400)


@given(SIZES, st.integers(2, 64))
def test_what_is_proposed_for_a_group_fills_the_batch(total, group):
    best = nearest(divisors(total), group)
    if total == 1:
        assert best is None
    else:
        assert best is not None
        assert total % best == 0
        assert all(abs(best - group) <= abs(other - group) for other in range(2, total + 1) if total % other == 0)


@given(SIZES)
def test_divisors_are_those_that_upstream_lists(total):
    assert list(divisors(total)) == [one for one in range(2, total + 1) if total % one == 0]


def test_a_batch_of_absurd_size_is_not_searched():
    assert divisors(10**12) == ()
    assert divisors(0) == ()
    assert divisors(-8) == ()


def test_a_batch_says_how_it_is_made():
    made = Batch(24, 8, (("per_device_train_batch_size", 4), ("steps_per_generation", 2)), 3)
    assert made.written == "3 processes × per_device_train_batch_size 4 × steps_per_generation 2 = 24"
    assert Batch(32, None, (("generation_batch_size", 32),)).written == "generation_batch_size 32"
