"""Old settings in the terms of newer releases."""

from __future__ import annotations

import pytest

from rlhflint.catalog.terms import carried_forward
from rlhflint.frameworks.openrlhf.catalog import openrlhf
from rlhflint.value import OneOf, Unknown

PPO = openrlhf().program("train_ppo_ray")


def forward(release: str, to: str | None = None, **given: object) -> dict[str, object]:
    """The defaults of a release with some values given (`__` stands for a dot), in the terms of another release."""
    values = {**PPO.defaults(release), **{name.replace("__", "."): value for name, value in given.items()}}
    return carried_forward(PPO, values, release, to)


def test_the_length_budget_is_the_sum_of_the_two_lengths():
    found = forward("0.9.0", prompt_max_len=512, generate_max_len=1024)
    assert (found["data.max_len"], found["rollout.max_new_tokens"]) == (1536, 1024)
    assert isinstance(forward("0.9.0", max_len=2048)["data.max_len"], Unknown)


def test_a_switch_that_became_the_default_counts_also_where_it_was_not_given():
    assert forward("0.8.5")["ds.attn_implementation"] == "eager"
    assert forward("0.8.5", flash_attn=True)["ds.attn_implementation"] == "flash_attention_2"
    assert forward("0.8.5", bf16=True)["ds.param_dtype"] == "bf16"
    assert "checkpoint" in forward("0.8.5")["ds.param_dtype"].because


@pytest.mark.parametrize(
    ("release", "kind", "level", "mode"),
    [
        ("0.9.3", {"algo__advantage__is_correction_type": "mis"}, "seq", "mask"),
        ("0.9.4", {"algo__advantage__is_correction_type": "seq-mask-tis"}, "seq", "mask"),
        ("0.9.4", {"algo__advantage__is_correction_type": "tis"}, "token", "clip"),
        ("0.9.2", {"use_icepop": True}, "token", "mask"),
        ("0.9.2", {"use_icepop": False}, "token", "clip"),
        ("0.8.9", {}, "token", "clip"),
        ("0.11.1", {"algo__advantage__is_correction_type": "icepop"}, "token", "mask"),
    ],
)
def test_the_importance_correction_of_any_release_is_level_mode_and_gating(release, kind, level, mode):
    found = forward(release, algo__advantage__is_correction_enable=True, **kind)
    names = ("level", "mode", "gating")
    assert tuple(found[f"algo.advantage.is_correction_{name}"] for name in names) == (level, mode, "ratio")


def test_one_threshold_became_an_upper_bound():
    assert forward("0.9.0", vllm_is_truncated_threshold=3.0)["algo.advantage.is_correction_threshold"] == [0.0, 3.0]


def test_what_is_not_known_stays_so_with_its_reason():
    found = forward("0.9.0", prompt_max_len=Unknown("$LEN is not known"))
    assert found["data.max_len"] == found["rollout.max_new_tokens"] == Unknown("$LEN is not known")
    assert found["ds.param_dtype"] != found["data.max_len"]
    assert forward("0.8.5", flash_attn=OneOf(True, "FLAGS may be set"))["ds.attn_implementation"] == Unknown(
        "FLAGS may be set"
    )


def test_only_what_was_replaced_on_the_way_is_worked_out():
    assert forward("0.11.2") == {}
    assert set(forward("0.9.7", "0.10.2")) == {"data.max_len", "rollout.max_new_tokens"}
    assert "algo.advantage.is_correction_level" not in forward("0.8.5")


@pytest.mark.parametrize("middle", ["0.6.0", "0.8.9", "0.9.1", "0.9.3", "0.9.7", "0.10.2", "0.11.1"])
def test_two_steps_lead_where_one_does(middle):
    start = "0.5.0"
    values = {**PPO.defaults(start), "bf16": True, "flash_attn": True, "use_kl_estimator_k3": True}
    at_once = carried_forward(PPO, values, start)
    halfway = {**PPO.defaults(middle), **values, **carried_forward(PPO, values, start, middle)}
    later = carried_forward(PPO, halfway, middle)
    both = carried_forward(PPO, values, start, middle) | later
    assert {name: both[name] for name in at_once} == at_once
