"""Values that a release takes, and those that every release of a range takes."""

from __future__ import annotations

import pytest

from rlhflint.frameworks.trl.catalog.taken import kept_value, takes

T = "4.57.6"


@pytest.mark.parametrize(
    ("name", "field", "value", "release", "expected"),
    [
        ("SFTConfig", "packing_strategy", "ffd", "0.19.1", True),
        ("SFTConfig", "packing_strategy", "ffd", "0.20.0", False),
        ("SFTConfig", "packing_strategy", "bfd", "0.18.0", False),  # no such option yet
        ("GRPOConfig", "scale_rewards", True, "0.21.0", True),
        ("GRPOConfig", "scale_rewards", "group", "0.22.0", True),
        ("GRPOConfig", "beta", 0.04, "1.16.0", True),
        ("PPOConfig", "kl_coef", 0.1, "1.16.0", False),  # no such class any more
        ("DPOConfig", "loss_type", ["sigmoid", "sft"], "0.20.0", True),
        ("DPOConfig", "loss_type", ["sigmoid", "sft"], "0.19.1", False),
    ],
)
def test_a_value_at_a_release(name: str, field: str, value: object, release: str, expected: bool) -> None:
    assert takes(name, field, value, release, T) is expected


@pytest.mark.parametrize(
    ("name", "field", "value", "releases", "expected"),
    [
        ("SFTConfig", "packing_strategy", "ffd", ("0.19.0", "0.19.1"), ("ffd",)),
        ("SFTConfig", "packing_strategy", "ffd", ("0.19.1", "0.20.0"), None),
        ("SFTConfig", "packing_strategy", "ffd", ("0.20.0", "1.16.0"), ("bfd",)),
        ("DPOConfig", "loss_type", "aot_pair", ("0.29.0",), ("aot_unpaired",)),
        ("SFTConfig", "max_length", 1024, ("0.15.2", "0.16.0"), None),  # it has another name at the first
        ("GRPOConfig", "beta", 0.04, (), None),
    ],
)
def test_a_value_that_a_range_of_releases_takes(
    name: str, field: str, value: object, releases: tuple[str, ...], expected: tuple[object] | None
) -> None:
    assert kept_value(name, field, value, releases, T) == expected
