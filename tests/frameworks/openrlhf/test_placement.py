"""Whole nodes for groups, as releases before 0.5.8 ask for them."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rlhflint.frameworks.openrlhf.placement import Wish, first_unplaceable, first_waiting, waits
from rlhflint.frameworks.openrlhf.roles import Group

GROUPS = (Group(("actor", "ref"), 4), Group(("vLLM",), 8), Group(("critic", "reward"), 4))


def wish(nodes, gpus):
    return Wish(("actor",), nodes, gpus)


def test_the_first_group_that_finds_too_few_gpus():
    assert first_waiting(GROUPS, 16) is None
    assert first_waiting(GROUPS, 15) == GROUPS[2]
    assert first_waiting(GROUPS, 8) == GROUPS[1]
    assert first_waiting(GROUPS, 0) == GROUPS[0]


def test_groups_in_the_order_of_waiting():
    assert waits(GROUPS) == "[1] actor + reference 4, [2] vLLM 8, [3] critic + reward 4"


@pytest.mark.parametrize(
    ("asked", "nodes", "gpus", "blocked"),
    [
        ([wish(8, 4)], 8, 4, None),
        ([wish(4, 8)], 8, 4, 0),
        ([wish(2, 4)], 1, 8, 0),
        ([wish(1, 2), wish(1, 2), wish(1, 4)], 2, 4, None),
        ([wish(1, 3), wish(1, 3), wish(1, 2)], 2, 4, 2),
        ([wish(4, 1), wish(1, 4)], 2, 4, None),
        ([wish(5, 1), wish(1, 4)], 2, 4, 1),
        ([wish(2, 1)], 1, 2, None),
        ([wish(0, 8)], 1, 4, None),
    ],
)
def test_groups_on_whole_nodes(asked, nodes, gpus, blocked):
    found = first_unplaceable(asked, nodes, gpus)
    assert found is (None if blocked is None else asked[blocked])


def test_more_ways_than_are_looked_at_count_as_placed():
    asked = [wish(10**8, 1)] + [wish(10**6, gpus) for gpus in range(2, 30)]
    assert first_unplaceable(asked, 10**9, 64) is None


def possible(asked, free):
    """Whether some choice of machines places all groups, tried one by one."""
    if not asked:
        return True
    first, *rest = asked
    if first.nodes == 0:
        return possible(rest, free)
    if first.gpus == 1:
        return any(
            possible([wish(first.nodes - 1, 1), *rest], [*free[:at], free[at] - 1, *free[at + 1 :]])
            for at in range(len(free))
            if free[at]
        )
    able = [at for at in range(len(free)) if free[at] >= first.gpus]
    return any(
        possible(rest, [gpus - first.gpus * (at in chosen) for at, gpus in enumerate(free)])
        for chosen in combinations(able, first.nodes)
    )


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.builds(wish, st.integers(1, 3), st.integers(1, 4)), min_size=1, max_size=3),
    st.integers(1, 3),
    st.integers(0, 5),
)
def test_a_group_is_blocked_if_no_choice_of_machines_places_it(asked, nodes, gpus):
    assert (first_unplaceable(asked, nodes, gpus) is None) == possible(asked, [gpus] * nodes)
