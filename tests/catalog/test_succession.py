"""What stands for a flag at a release that does not have it."""

from __future__ import annotations

import pytest

from rlhflint.catalog.changes import Kind
from rlhflint.frameworks.openrlhf.catalog import openrlhf


def found(flag: str, release: str, program: str = "train_ppo_ray"):
    return openrlhf().program(program).successors(flag, release)


@pytest.mark.parametrize(
    ("flag", "release", "kind", "flags", "since", "last"),
    [
        ("--zero_stage", "0.11.2", Kind.RENAMED, ["--ds.zero_stage"], "0.10.2", "0.10.1.post2"),
        ("--universal_ckpt", "0.9.0", Kind.RENAMED, ["--use_ds_universal_ckpt"], "0.6.4", "0.6.3.post2"),
        ("--universal_ckpt", "0.11.2", Kind.RENAMED, ["--ds.use_universal_ckpt"], "0.6.4", "0.6.3.post2"),
        ("--max_norm", "0.11.2", Kind.SPLIT, ["--actor.max_norm", "--critic.max_norm"], "0.10.2", "0.10.1.post2"),
        ("--ref_reward_offload", "0.10.2", Kind.SPLIT, ["--ref.offload", "--reward.offload"], "0.10.2", None),
        ("--flash_attn", "0.8.10", Kind.INVERTED, ["--attn_implementation"], "0.8.10", "0.8.9.post1"),
        ("--flash_attn", "0.11.2", Kind.INVERTED, ["--ds.attn_implementation"], "0.8.10", "0.8.9.post1"),
        ("--bf16", "0.9.2", Kind.INVERTED, ["--param_dtype"], "0.9.2", "0.9.1.post1"),
        ("--prompt_max_len", "0.10.0", Kind.REPLACED, ["--max_len"], "0.9.8", "0.9.7"),
        ("--generate_max_len", "0.11.0", Kind.REPLACED, ["--rollout.max_new_tokens"], "0.9.8", "0.9.7"),
        ("--use_icepop", "0.9.5", Kind.REPLACED, ["--vllm_is_correction_type"], "0.9.3", "0.9.2"),
        (
            "--algo.advantage.is_correction_enable",
            "0.11.2",
            Kind.REPLACED,
            ["--algo.advantage.is_correction_level"],
            "0.11.2",
            "0.11.1",
        ),
        ("--use_kl_estimator_k3", "0.6.0.post1", Kind.REPLACED, ["--kl_estimator"], "0.6.0.post1", "0.6.0"),
        ("--ptx_coef", "0.10.2", Kind.REMOVED, [], "0.10.2", "0.10.1.post2"),
        ("--pretrain_data", "0.7.1", Kind.REMOVED, [], "0.7.1", "0.7.0.post1"),
        ("--disable_trace_cache", "0.11.2", Kind.REMOVED, [], "0.5.5", "0.5.4"),
        ("--prompt_split", "0.7.1", Kind.REMOVED, [], "0.7.0", "0.6.4"),
    ],
)
def test_a_flag_that_ended(flag, release, kind, flags, since, last):
    succession = found(flag, release)
    assert (succession.kind, succession.flags, succession.since) == (kind, tuple(flags), since)
    assert last is None or succession.last == last
    assert not succession.backward


@pytest.mark.parametrize(
    ("flag", "release", "kind", "flags"),
    [
        ("--ds.zero_stage", "0.10.1.post2", Kind.RENAMED, ["--zero_stage"]),
        ("--ds.deepcompile", "0.7.0", Kind.RENAMED, ["--torch_compile"]),
        ("--actor.max_norm", "0.9.0", Kind.JOINED, ["--max_norm"]),
        ("--reward.offload", "0.9.0", Kind.JOINED, ["--ref_reward_offload"]),
        ("--param_dtype", "0.9.1", Kind.INVERTED, ["--bf16"]),
        ("--ds.attn_implementation", "0.8.0", Kind.INVERTED, ["--flash_attn"]),
        ("--data.max_len", "0.9.9", Kind.RENAMED, ["--max_len"]),
        ("--data.max_len", "0.9.0", Kind.REPLACED, ["--max_len", "--prompt_max_len"]),
        ("--algo.advantage.is_correction_level", "0.11.0", Kind.REPLACED, ["--algo.advantage.is_correction_enable"]),
        ("--algo.advantage.is_correction_level", "0.9.0", Kind.REPLACED, ["--enable_vllm_is_correction"]),
    ],
)
def test_a_flag_that_came_later(flag, release, kind, flags):
    succession = found(flag, release)
    assert succession.backward
    assert (succession.kind, set(succession.flags)) == (kind, set(flags))


@pytest.mark.parametrize(
    ("flag", "release"),
    [
        ("--zero_stage", "0.9.0"),
        ("--async_train", "0.7.0"),
        ("--no_such", "0.9.0"),
        ("--ds.experts_implementation", "0.9.0"),
    ],
)
def test_nothing_stands_for_a_flag_that_is_there_or_is_not_there_yet(flag, release):
    assert found(flag, release) is None


def test_a_split_that_came_back_under_another_name():
    program = "train_dpo"
    assert found("--train_split", "0.7.2", program).kind is Kind.REMOVED
    assert found("--train_split", "0.9.0", program).flags == ("--dataset_split",)
    assert found("--train_split", "0.11.2", program).flags == ("--data.dataset_split",)


def test_dead_flags_are_told_from_those_that_are_missed():
    assert found("--ptx_coef", "0.11.2").dead
    assert found("--train_split", "0.11.2", "train_sft").dead
    assert not found("--pretrain_data", "0.11.2").dead
    assert "PTX" in found("--pretrain_data", "0.11.2").note


def test_how_values_map_is_said_by_the_steps():
    (step,) = found("--algo.advantage.is_correction_type", "0.11.2").steps
    values = {"--algo.advantage.is_correction_enable": True, "--algo.advantage.is_correction_type": "icepop"}
    assert step.replacement.convert(values) == {
        "--algo.advantage.is_correction_level": "token",
        "--algo.advantage.is_correction_mode": "mask",
        "--algo.advantage.is_correction_gating": "ratio",
    }
    switch = found("--bf16", "0.9.2").steps[0].replacement
    assert switch.convert({"--bf16": True}) == {"--param_dtype": "bf16"}
    assert switch.convert({"--bf16": False}) is None
    assert switch.case({"--bf16": False}).inexact
    budget = found("--prompt_max_len", "0.9.8").steps[0].replacement
    lengths = {"--prompt_max_len": 1024, "--generate_max_len": 3072, "--max_len": None}
    assert budget.convert(lengths) == {"--max_len": 4096, "--max_new_tokens": 3072}
    assert budget.convert({**lengths, "--max_len": 2048}) is None
    assert budget.convert({"--prompt_max_len": 1024}) is None


@pytest.mark.parametrize("name", openrlhf().programs)
def test_whatever_ended_has_something_to_be_said_about_it_at_every_later_release(name):
    program = openrlhf().program(name)
    assert program.flags
    for flag in program.flags:
        accepting = program.releases_accepting(flag)
        for release in program.releases:
            if not program.exists(release) or program.accepts(flag, release) or not accepting:
                continue
            succession = program.successors(flag, release)
            if program.releases.position(accepting[0]) < program.releases.position(release):
                assert succession is not None, (flag, release)
            if succession is not None:
                assert all(program.accepts(one, release) for one in succession.flags), (flag, release)
                if succession.kind in (Kind.RENAMED, Kind.SPLIT) and not succession.backward:
                    carried = [field for one in succession.flags for field in program.fields(one, release)]
                    assert tuple(carried) == program.fields(flag, succession.last), (flag, release)
