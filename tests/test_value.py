"""Conditions of which some are not known."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rlhflint.value import Undetermined, all_hold, any_holds, if_known


def condition(value):
    """A condition that is true, false, or not known (None)."""

    def read():
        if value is None:
            raise Undetermined("ds.zero_stage", "$STAGE is not known")
        return value

    return read


CONDITIONS = st.lists(st.sampled_from([True, False, None]), max_size=5)


@given(CONDITIONS)
def test_all_hold_where_none_is_false_and_all_are_known(values):
    conditions = [condition(value) for value in values]
    if False in values:
        assert all_hold(*conditions) is False
    elif None in values:
        with pytest.raises(Undetermined):
            all_hold(*conditions)
    else:
        assert all_hold(*conditions) is True


@given(CONDITIONS)
def test_one_holds_where_one_is_true(values):
    conditions = [condition(value) for value in values]
    if True in values:
        assert any_holds(*conditions) is True
    elif None in values:
        with pytest.raises(Undetermined):
            any_holds(*conditions)
    else:
        assert any_holds(*conditions) is False


def test_the_first_that_is_not_known_is_named():
    def other():
        raise Undetermined("vllm.num_engines", "$N is not known")

    with pytest.raises(Undetermined, match=r"vllm\.num_engines"):
        all_hold(other, condition(None))


def test_what_is_not_known_can_be_left_out():
    assert if_known(condition(None)) is None
    assert if_known(condition(True)) is True
