"""Generated combinations of options: what upstream refuses is an error, and what it accepts is none before training.

RLHFLINT_LAUNCHES is the number of launches of each program and release, a sample where it is not set.
"""

from __future__ import annotations

import os
import shlex

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rlhflint.check import Checker
from rlhflint.finding import Finding, Severity
from rlhflint.project.settings import Settings
from tests.oracle.openrlhf import run

from .both import CATALOG, RELEASES

LAUNCHES = int(os.environ.get("RLHFLINT_LAUNCHES") or 8)

LATE = {
    "OR201": "rewards are missing at the first step, where there is no critic to start from them",
    "OR202": "engines are missing at the first rollout, in most releases",
    "OR205": "in train_dpo of 0.4.3 the ring is never reached",
    "OR216": "the group for the sync is set up by the actor",
    "OR223": "dr_grpo learns nothing up to 0.10.4",
    "OR225": "packing is turned on behind the test",
    "OR237": "the loss is made by the actor",
    "OR238": "the loss is made by the actor",
    "OR240": "weights are sent at the first step",
    "OR241": "weights are sent at the first step",
    "OR242": "models are loaded by the actor",
    "OR243": "the strategy is a mock here",
    "OR247": "a separate answer breaks the data set",
    "OR252": "a list is taken as one name since 0.7.1",
    "OR301": "the mesh is made by the processes",
    "OR303": "batches are tested by DeepSpeed",
    "OR304": "only the actor's pieces are tested by upstream",
    "OR404": "places are taken by Ray",
    "OR407": "rewards are missing at the first step",
    "OR408": "shares of GPUs are placed by Ray",
}
"""Rules that find an error where parser and validation, in PPO also train() without its models, find none; and why."""

SWITCH: list[str] = []
_COMMON = {
    "ds.packing_samples": SWITCH,
    "ds.ring_attn_size": ["1", "2", "3"],
    "ds.tensor_parallel_size": ["1", "2"],
    "ds.attn_implementation": ["eager", "flash_attention_2", "flash_attention_3"],
    "ds.zero_stage": ["2", "3"],
    "ds.adam_offload": SWITCH,
    "ds.lora.rank": ["0", "8"],
    "ds.load_in_4bit": SWITCH,
    "ds.param_dtype": ["bf16", "fp16"],
    "flash_attn": SWITCH,
    "bf16": SWITCH,
    "train.batch_size": ["64", "128"],
    "train.micro_batch_size": ["1", "2"],
    "ckpt.save_steps": ["-1", "10"],
    "ckpt.disable_ds": SWITCH,
    "data.apply_chat_template": SWITCH,
    "data.input_template": ["Question: {}"],
}
OPTIONS: dict[str, dict[str, list[str]]] = {
    "train_ppo_ray": {
        **_COMMON,
        "actor.model_name_or_path": ["models/sft"],
        "data.prompt_dataset": ["data/prompts"],
        "vllm.num_engines": ["1", "2", "4", "8", "0"],
        "vllm.tensor_parallel_size": ["1", "2"],
        "vllm.enable_sleep": SWITCH,
        "vllm.sync_backend": ["nccl", "gloo"],
        "vllm.enable_prefix_caching": SWITCH,
        "algo.advantage.estimator": [
            *("gae", "reinforce", "rloo", "reinforce_baseline", "group_norm", "dr_grpo", "flash_reinforce")
        ],
        "algo.advantage.gamma": ["1", "0.9"],
        "algo.advantage.is_correction_level": ["off", "token", "seq"],
        "algo.advantage.is_correction_mode": ["mask", "clip"],
        "algo.advantage.is_correction_gating": ["ratio", "tv"],
        "algo.advantage.is_correction_threshold": ["0.5 2.0", "0.3", "0.1 0.2 0.3"],
        "algo.kl.init_coef": ["0.01", "0"],
        "algo.kl.use_loss": SWITCH,
        "algo.kl.estimator": ["k1", "k2", "k3"],
        "algo.dynamic_filtering_enable": SWITCH,
        "algo.dynamic_filtering_range": ["0 1", "1 0"],
        "reward.clip_range": ["-1 1", "1 -1"],
        "reward.remote_url": ["http://localhost:5000/get_reward"],
        "reward.model_name_or_path": ["models/reward", "models/a,models/b"],
        "critic.model_name_or_path": ["models/critic"],
        "critic.freezing_steps": ["-1", "5"],
        "rollout.n_samples_per_prompt": ["8", "2", "1"],
        "rollout.batch_size": ["128", "8", "100"],
        "rollout.micro_batch_size": ["4", "1", "64"],
        "rollout.vllm_generate_batch_size": ["64", "128", "256"],
        "train.agent_func_path": ["agents/search.py"],
        "train.async_enable": SWITCH,
        "train.partial_rollout_enable": SWITCH,
        "train.dynamic_batch_enable": SWITCH,
        "train.colocate_all": SWITCH,
        "train.colocate_actor_ref": SWITCH,
        "train.colocate_critic_reward": SWITCH,
        "actor.num_gpus_per_node": ["8", "4", "6"],
        "ref.num_gpus_per_node": ["8", "4", "6"],
        "critic.num_gpus_per_node": ["8", "4", "3"],
        "reward.num_gpus_per_node": ["8", "4"],
        "data.max_images_per_prompt": ["0", "1"],
        "eval.dataset": ["data/held-out"],
        "eval.steps": ["-1", "10"],
        "pretrain_data": ["data/books"],
    },
    "train_sft": {
        **_COMMON,
        "model.model_name_or_path": ["models/base"],
        "data.dataset": ["data/chat"],
        "data.multiturn": SWITCH,
        "data.output_key": ["answer"],
    },
    "train_rm": {**_COMMON, "model.model_name_or_path": ["models/sft"], "data.dataset": ["data/pairs"]},
    "train_dpo": {**_COMMON, "model.model_name_or_path": ["models/sft"], "data.dataset": ["data/pairs"]},
}
"""Program → setting → values to choose from; the first ones are likelier to be accepted."""
OFTEN = {
    "vllm.num_engines": 9,
    "algo.advantage.estimator": 8,
    "rollout.n_samples_per_prompt": 8,
    "reward.remote_url": 7,
    "actor.model_name_or_path": 10,
    "model.model_name_or_path": 10,
    "data.prompt_dataset": 10,
    "data.dataset": 10,
}
"""Of ten launches, how many have a setting; two where nothing is said here."""


@st.composite
def flags(draw: st.DrawFn, program: str, release: str) -> list[str]:
    """Flags that the release knows, with values that it takes."""
    known = CATALOG.program(program)
    options, words = known.options(release), []
    for name, values in OPTIONS[program].items():
        flag = known.spelling(name, release)
        if flag is None or draw(st.integers(1, 10)) > OFTEN.get(name, 2):
            continue
        option = options[flag]
        fitting = [
            value
            for value in values
            if (not option.choices or value in option.choices)
            and (option.nargs == "+" or len(value.split()) == (option.nargs or 1))
        ]
        if not values:
            words.append(flag)
        elif fitting:
            words += [flag, *draw(st.sampled_from(fitting)).split(" ", 0 if option.nargs is None else -1)]
    return words


@pytest.mark.parametrize("program", OPTIONS)
@pytest.mark.parametrize("release", RELEASES)
def test_upstream_and_linter_agree_about_combinations(release, program, released_wheel):
    wheel = released_wheel("openrlhf", release)
    checker = Checker(Settings(select=("ALL",), framework_versions={"openrlhf": release}))

    @settings(
        max_examples=LAUNCHES, deadline=None, database=None, derandomize=True, suppress_health_check=list(HealthCheck)
    )
    @given(flags(program, release))
    def agree(words: list[str]) -> None:
        verdict = run(wheel, program, words, train_body=program == "train_ppo_ray")
        assert verdict.parses, verdict.message
        errors = found(checker, program, words)
        assert verdict.accepted or errors, f"upstream: {verdict.message}"
        if verdict.accepted:
            unfounded = [f"{one.code}: {one.message}" for one in errors if one.code not in LATE]
            assert not unfounded, unfounded

    agree()


def found(checker: Checker, program: str, words: list[str]) -> list[Finding]:
    """The errors in a script with the launch."""
    launcher = "python3 -m" if program == "train_ppo_ray" else "deepspeed --num_gpus 8 --module"
    result = checker.check_text(f"{launcher} openrlhf.cli.{program} {shlex.join(words)}\n", "train.sh")
    assert not result.broken
    return [finding for finding in result.findings if finding.severity is Severity.ERROR]
