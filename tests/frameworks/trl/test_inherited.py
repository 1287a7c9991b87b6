"""Defaults inherited from transformers, where its release is known, and where several may be there."""

from __future__ import annotations

import pytest

from rlhflint.frameworks.trl.catalog.lookup import config_fields
from rlhflint.frameworks.trl.inherited import is_sure, may_be_beside
from rlhflint.launch import Version


def stated(value: str, specifier: str = "") -> Version:
    return Version("transformers", value, "requirements.txt line 1", stated=True, specifier=specifier)


@pytest.mark.parametrize(
    ("transformers", "first", "last"),
    [
        (None, "4.46.1", "4.57.6"),
        (Version("transformers", "5.24.0", "assumed", stated=False), "4.46.1", "4.57.6"),
        (stated("4.49.0"), "4.49.0", "4.49.0"),
        (stated("5.0.0"), "4.46.1", "4.57.6"),
        (stated("4.52.4", ">=4.49,<4.53"), "4.49.0", "4.52.4"),
    ],
)
def test_releases_beside_one_of_trl(transformers: Version | None, first: str, last: str) -> None:
    found = may_be_beside("0.17.0", transformers, "5.24.0")
    assert (found[0], found[-1]) == (first, last)


def test_none_is_beside_that_is_newer_than_what_the_launch_was_written_for() -> None:
    assert may_be_beside("0.17.0", None, "4.50.3")[-1] == "4.50.3"


def test_where_none_is_known_to_work_the_one_in_question_is_it() -> None:
    assert may_be_beside("1.16.0", None, "4.40.0") == ("4.40.0",)


@pytest.mark.parametrize(
    ("name", "sure"),
    [
        ("gradient_checkpointing", True),
        ("report_to", True),
        ("average_tokens_across_devices", False),
        ("trackio_space_id", False),
        ("max_length", True),
    ],
)
def test_a_default_is_sure_where_all_agree(name: str, sure: bool) -> None:
    beside = may_be_beside("0.17.0", None, "5.24.0")
    field = config_fields("trl:SFTConfig", "0.17.0", beside[-1])[name]
    assert is_sure(field, "0.17.0", beside) is sure
    assert is_sure(field, "0.17.0", beside[-1:])
