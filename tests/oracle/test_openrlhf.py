"""The oracle says of upstream what was established by hand."""

from __future__ import annotations

import pytest

from tests.oracle.openrlhf import entries, run

PPO = ["--pretrain", "m", "--reward_pretrain", "r"]


@pytest.mark.parametrize(
    ("release", "argv", "outcome", "message"),
    [
        ("0.6.4", [*PPO, "--vllm_num_engines", "3"], "reject:assert", "got 8 and 3"),
        ("0.6.4", PPO, "reject:raise", "TypeError"),
        ("0.10.1.post2", [*PPO, "--vllm_num_engines", "2", "--bf16"], "reject:argparse", "unrecognized"),
        ("0.10.1.post2", [*PPO, "--vllm_num_engines", "2", "--colocate_all_models"], "reject:assert", "got 8 and 2"),
        ("0.10.1.post2", [*PPO, "--vllm_num_engines", "2"], "accept", ""),
    ],
)
def test_a_launch_gets_upstreams_own_verdict(released_wheel, release, argv, outcome, message):
    verdict = run(released_wheel("openrlhf", release), "train_ppo_ray", argv, train_body=True)
    assert verdict.outcome == outcome
    assert message in verdict.message


def test_what_validation_changes_in_silence_is_seen(released_wheel):
    argv = ["--train.async_enable", "--vllm.enable_sleep", "--vllm.num_engines", "2", "--reward.remote_url", "u"]
    verdict = run(released_wheel("openrlhf", "0.11.2"), "train_ppo_ray", argv)
    assert verdict.accepted
    assert verdict.changed["vllm.enable_sleep"] == (True, False)
    assert verdict.parsed["vllm.num_engines"] == 2


def test_the_world_outside_stays_as_it_was(released_wheel):
    import sys

    before = {name: id(module) for name, module in sys.modules.items()}
    run(released_wheel("openrlhf", "0.11.2"), "train_sft", [])
    after = {name: id(module) for name, module in sys.modules.items() if name in before}
    assert after == before
    assert "torch" not in sys.modules


def test_entry_points_are_those_that_parse_a_command_line(released_wheel):
    assert entries(released_wheel("openrlhf", "0.11.2")) == (
        *("lora_combiner", "serve_rm", "train_dpo", "train_ppo_ray", "train_rm", "train_sft"),
    )
