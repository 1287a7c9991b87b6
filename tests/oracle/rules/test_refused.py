"""Combinations that upstream's parser, validation or train() refuses: so does the linter, and at the same releases."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from rlhflint.finding import Severity

from .both import RELEASES, Launch, holds

Span = tuple[str, str]
"""Two releases, both included; an empty one leaves that side open."""


@dataclass(frozen=True)
class Refused:
    """A launch that some releases refuse, and its repair, which they accept.

    `late`: releases in which upstream accepts it and fails after validation, so that the rule holds all the same.
    `body`: the refusal is in train(), not before it. `only`: releases that are looked at.
    """

    code: str
    wrong: Launch
    right: Launch
    refused: tuple[Span, ...] = (("", ""),)
    late: tuple[Span, ...] = ()
    body: bool = False
    only: Span = ("", "")


REWARD = ("reward.remote_url",)
ENGINES = ("vllm.num_engines",)
TEMPLATE = ("data.apply_chat_template",)
FIXED = "--rollout.batch_size 128"
CORRECTED = "--algo.advantage.is_correction_level token"


def ppo(flags: str, *without: str) -> Launch:
    return Launch(flags, without=without)


def sft(flags: str, *without: str) -> Launch:
    return Launch(flags, "train_sft", without)


CASES = {
    "a critic that starts from no reward model": Refused(
        "OR201",
        ppo("--algo.advantage.estimator gae", *REWARD),
        ppo("--algo.advantage.estimator gae --reward.model_name_or_path r", *REWARD),
        refused=(("0.5.1", ""),),
    ),
    "nothing to start a critic from": Refused(
        "OR201",
        ppo(FIXED, *REWARD, "algo.advantage.estimator"),
        ppo(f"{FIXED} --reward.model_name_or_path r", *REWARD, "algo.advantage.estimator"),
    ),
    "no number of engines": Refused(
        "OR202",
        ppo(FIXED, *ENGINES),
        ppo(f"{FIXED} --vllm.num_engines 4"),
        refused=(("", "0.7.0.post1"), ("0.9.8", "0.10.4")),
        late=(("0.7.1", "0.9.7"), ("0.11.0", "")),
        body=True,
    ),
    "no engines": Refused(
        "OR202",
        ppo("--vllm.num_engines 0 --ds.zero_stage 2"),
        ppo("--vllm.num_engines 1 --ds.zero_stage 2"),
        refused=(("0.9.8", "0.10.4"),),
        late=(("0.7.1", "0.9.7"), ("0.11.0", "")),
        body=True,
    ),
    "engines that sleep while training goes on": Refused(
        "OR204",
        ppo("--train.async_enable --train.colocate_all --vllm.enable_sleep"),
        ppo("--train.async_enable --train.colocate_all"),
        refused=(("0.8.0", ""),),
    ),
    "engines that sleep nowhere": Refused(
        "OR204",
        ppo("--train.async_enable --train.colocate_all --vllm.enable_sleep"),
        ppo("--train.async_enable --vllm.enable_sleep"),
        refused=(("0.8.0", ""),),
    ),
    "a ring without packing in SFT": Refused(
        "OR207", sft("--ds.ring_attn_size 2"), sft("--ds.ring_attn_size 2 --ds.packing_samples")
    ),
    "a ring without packing in RM": Refused(
        "OR207",
        Launch("--ds.ring_attn_size 2", "train_rm"),
        Launch("--ds.ring_attn_size 2 --ds.packing_samples", "train_rm"),
    ),
    "a ring without packing in DPO": Refused(
        "OR207",
        Launch("--ds.ring_attn_size 2", "train_dpo"),
        Launch("--ds.ring_attn_size 2 --ds.packing_samples", "train_dpo"),
    ),
    "packing without engines": Refused(
        "OR209",
        ppo("--ds.packing_samples --vllm.num_engines 0 --reward.model_name_or_path r", *REWARD),
        ppo("--ds.packing_samples --vllm.num_engines 4 --reward.model_name_or_path r", *REWARD),
    ),
    "packing without a number of engines": Refused(
        "OR209",
        ppo("--ds.packing_samples --reward.model_name_or_path r", *REWARD, *ENGINES),
        ppo("--ds.packing_samples --reward.model_name_or_path r --vllm.num_engines 4", *REWARD),
    ),
    "packing by a ring, without engines": Refused(
        "OR209",
        ppo("--ds.ring_attn_size 2 --vllm.num_engines 0 --ds.zero_stage 2"),
        ppo("--ds.ring_attn_size 2 --vllm.num_engines 4 --ds.zero_stage 2"),
        refused=(("0.8.4", ""),),
    ),
    "packing by dynamic batches, without engines": Refused(
        "OR209",
        ppo("--train.dynamic_batch_enable --vllm.num_engines 0"),
        ppo("--train.dynamic_batch_enable --vllm.num_engines 4"),
    ),
    "partial rollouts in synchronous training": Refused(
        "OR217",
        ppo("--train.partial_rollout_enable"),
        ppo("--train.partial_rollout_enable --train.async_enable"),
    ),
    "more prompts than a rollout": Refused(
        "OR218",
        ppo("--rollout.vllm_generate_batch_size 129"),
        ppo("--rollout.vllm_generate_batch_size 128"),
        refused=(("0.10.0", ""),),
    ),
    "more prompts than a rollout, with a queue": Refused(
        "OR218",
        ppo("--rollout.vllm_generate_batch_size 129"),
        ppo("--rollout.vllm_generate_batch_size 129 --train.async_enable"),
        refused=(("0.10.0", ""),),
    ),
    "evaluation by a reward model": Refused(
        "OR219",
        ppo("--eval.dataset d --reward.model_name_or_path r", *REWARD),
        ppo("--eval.dataset d"),
    ),
    "evaluation by an agent": Refused(
        "OR219",
        ppo("--eval.dataset d --reward.model_name_or_path r", *REWARD),
        ppo("--eval.dataset d --train.agent_func_path a.py", *REWARD),
        refused=(("0.8.0", ""),),
    ),
    "a range of filtering that is empty": Refused(
        "OR221",
        ppo("--algo.dynamic_filtering_enable --algo.dynamic_filtering_range 1 1"),
        ppo("--algo.dynamic_filtering_enable --algo.dynamic_filtering_range 0.5 1"),
        refused=(("0.8.1.post1", ""),),
    ),
    "a range of clipping that is empty": Refused(
        "OR221",
        ppo("--algo.dynamic_filtering_enable --reward.clip_range 5 5"),
        ppo("--algo.dynamic_filtering_enable --reward.clip_range 0 5"),
        refused=(("0.8.1", "0.8.1"),),
    ),
    "filtering by a reward model": Refused(
        "OR222",
        ppo("--algo.dynamic_filtering_enable --reward.model_name_or_path r", *REWARD),
        ppo("--algo.dynamic_filtering_enable --train.agent_func_path a.py", *REWARD),
    ),
    "filtering of single samples": Refused(
        "OR222",
        ppo("--algo.dynamic_filtering_enable --algo.advantage.estimator reinforce --rollout.n_samples_per_prompt 1"),
        ppo("--algo.dynamic_filtering_enable --algo.advantage.estimator reinforce --rollout.n_samples_per_prompt 2"),
    ),
    "rloo with single samples": Refused(
        "OR223",
        ppo("--algo.advantage.estimator rloo --rollout.n_samples_per_prompt 1"),
        ppo("--algo.advantage.estimator rloo --rollout.n_samples_per_prompt 2"),
        refused=(("0.5.3", ""),),
    ),
    "reinforce_baseline with single samples": Refused(
        "OR223",
        ppo("--algo.advantage.estimator reinforce_baseline --rollout.n_samples_per_prompt 1"),
        ppo("--algo.advantage.estimator reinforce_baseline --rollout.n_samples_per_prompt 2"),
        refused=(("0.6.0", ""),),
    ),
    "group_norm with single samples": Refused(
        "OR223",
        ppo("--algo.advantage.estimator group_norm --rollout.n_samples_per_prompt 1"),
        ppo("--algo.advantage.estimator group_norm --rollout.n_samples_per_prompt 2"),
        refused=(("0.6.0", ""),),
    ),
    "dr_grpo with single samples": Refused(
        "OR223",
        ppo("--algo.advantage.estimator dr_grpo --rollout.n_samples_per_prompt 1"),
        ppo("--algo.advantage.estimator dr_grpo --rollout.n_samples_per_prompt 2"),
        refused=(("0.11.0", ""),),
        late=(("0.6.3.post2", "0.10.4"),),
    ),
    "images with a critic": Refused(
        "OR224",
        ppo("--data.max_images_per_prompt 1 --algo.advantage.estimator gae"),
        ppo("--data.max_images_per_prompt 1 --algo.advantage.estimator reinforce"),
    ),
    "images with packing": Refused(
        "OR225", ppo("--data.max_images_per_prompt 1 --ds.packing_samples"), ppo("--data.max_images_per_prompt 1")
    ),
    "images with packing by dynamic batches": Refused(
        "OR225",
        ppo("--data.max_images_per_prompt 1 --train.dynamic_batch_enable"),
        ppo("--data.max_images_per_prompt 1"),
        refused=(),
        late=(("0.10.0", ""),),
    ),
    "conversations without a chat template": Refused(
        "OR247", sft("--data.multiturn", *TEMPLATE), sft("--data.multiturn --data.apply_chat_template")
    ),
    "packing with data of pre-training": Refused(
        "OR249",
        ppo("--ds.packing_samples --pretrain_data d --reward.model_name_or_path r", *REWARD),
        ppo("--pretrain_data d --reward.model_name_or_path r", *REWARD),
    ),
    "packing with a remote reward": Refused(
        "OR249",
        ppo("--ds.packing_samples"),
        ppo("--ds.packing_samples --reward.model_name_or_path r", *REWARD),
        refused=(("", "0.4.4"),),
    ),
    "a threshold of three numbers": Refused(
        "OR119",
        ppo(f"{CORRECTED} --algo.advantage.is_correction_threshold 0.5 2.0 5.0"),
        ppo(f"{CORRECTED} --algo.advantage.is_correction_threshold 0.5 5.0"),
    ),
    "several reward models": Refused(
        "OR252",
        ppo("--reward.model_name_or_path a,b", *REWARD),
        ppo("--reward.model_name_or_path a", *REWARD),
        refused=(("0.6.3", "0.7.0.post1"),),
        late=(("0.7.1", ""),),
        body=True,
    ),
    "stage 3 without engines": Refused(
        "OR255",
        ppo("--ds.zero_stage 3 --vllm.num_engines 0"),
        ppo("--ds.zero_stage 2 --vllm.num_engines 0"),
        refused=(("", "0.7.0.post1"),),
        body=True,
        only=("", "0.7.5"),
    ),
}


ASKED = [
    (name, release)
    for name, case in CASES.items()
    for release in RELEASES
    if holds(release, *case.only) and case.wrong.understood(release) and case.right.understood(release)
]
"""Each case at the releases that have all of its flags."""


def test_every_case_is_asked_somewhere():
    assert {name for name, _ in ASKED} == set(CASES)


@pytest.mark.parametrize(("name", "release"), ASKED)
def test_upstream_and_linter_refuse_the_same(name, release, released_wheel, tmp_path):
    case = CASES[name]
    wheel = released_wheel("openrlhf", release)
    refused = any(holds(release, *span) for span in case.refused)
    wrong = case.wrong.upstream(wheel, release, train_body=case.body)
    right = case.right.upstream(wheel, release, train_body=case.body)
    assert wrong.parses, wrong.message
    assert wrong.accepted != refused, f"upstream: {wrong.outcome} {wrong.message}"
    assert not refused or right.accepted, f"upstream on the repaired launch: {right.outcome} {right.message}"
    found = case.wrong.findings(release, case.code, _folder(tmp_path, "wrong"))
    late = any(holds(release, *span) for span in case.late)
    assert bool(found) == (refused or late), [finding.message for finding in found]
    if refused:
        assert {finding.severity for finding in found} == {Severity.ERROR}
        assert not case.right.findings(release, case.code, _folder(tmp_path, "right"))


def _folder(parent, name):
    folder = parent / name
    folder.mkdir()
    return folder
