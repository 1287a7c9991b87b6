"""Generated combinations of options: what upstream refuses is an error, and what it accepts is none before training.

RLHFLINT_LAUNCHES is the number of launches of each program and release, a sample where it is not set. With `-rP` each
test tells how many launches upstream was asked about and how many it refused.
"""

from __future__ import annotations

import os
import re
import shlex
from collections import Counter
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, Phase, assume, given, settings
from hypothesis import strategies as st

from rlhflint.check import Checker
from rlhflint.finding import Finding, Severity
from rlhflint.project.settings import Settings
from tests.oracle.openrlhf import Verdict, run

from .both import CATALOG, RELEASES

LAUNCHES = int(os.environ.get("RLHFLINT_LAUNCHES") or 8)

CLOSELY = 5
"""How often it is worked out which settings a refusal in the same words is about."""

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

NO_ERRORS = ("OR5", "OR6", "OR7", "TR")
"""Rules that have no errors, or none for flags of the release in force."""

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
    "vllm.num_engines": 0.9,
    "algo.advantage.estimator": 0.8,
    "rollout.n_samples_per_prompt": 0.8,
    "reward.remote_url": 0.7,
    "actor.model_name_or_path": 1.0,
    "model.model_name_or_path": 1.0,
    "data.prompt_dataset": 1.0,
    "data.dataset": 1.0,
}
"""How likely a launch has a setting; 0.2 where nothing is said here."""


def launch(random: Random, program: str, release: str) -> list[str]:
    """Flags that the release knows, with values that it takes."""
    names = [name for name in OPTIONS[program] if random.random() < OFTEN.get(name, 0.2)]
    choices = [ways for name in names if (ways := possible(name, program, release))]
    return [word for ways in choices for word in random.choice(ways)]


def possible(name: str, program: str, release: str) -> list[list[str]]:
    """A setting's flag with each of its values that the release takes; nothing where it has no such flag."""
    known = CATALOG.program(program)
    flag = known.spelling(name, release)
    if flag is None:
        return []
    option = known.options(release)[flag]
    return [
        [flag, *value.split(" ", 0 if option.nargs is None else -1)]
        for value in OPTIONS[program][name]
        if (not option.choices or value in option.choices)
        and (option.nargs == "+" or len(value.split()) == (option.nargs or 1))
    ] or ([[flag]] if OPTIONS[program][name] is SWITCH else [])


@pytest.mark.parametrize("program", OPTIONS)
@pytest.mark.parametrize("release", RELEASES)
def test_upstream_and_linter_agree_about_combinations(release, program, released_wheel):
    both = Both(released_wheel("openrlhf", release), program, release)
    asked, refused = set[tuple[str, ...]](), 0

    @settings(
        max_examples=LAUNCHES,
        deadline=None,
        database=None,
        derandomize=True,
        phases=[Phase.generate],  # a launch is made smaller below, flag by flag
        suppress_health_check=list(HealthCheck),
    )
    @given(st.randoms(use_true_random=True))
    def agree(random: Random) -> None:
        nonlocal refused
        words = launch(random, program, release)
        assume(tuple(words) not in asked)
        if both.disagreement(words):
            words = smaller(words, both.disagreement)
            pytest.fail(f"{program} {release} {shlex.join(words)}\n{both.disagreement(words)}")
        asked.add(tuple(words))
        refused += not both.upstream(words).accepted

    agree()
    print(f"{program} {release}: {len(asked)} launches, {refused} refused, in {len(both.kinds)} ways")


class Both:
    """A release and the linter, asked about the same launches of one program."""

    def __init__(self, wheel: Path, program: str, release: str) -> None:
        self.wheel, self.program, self.release = wheel, program, release
        self.checker = Checker(Settings(select=("ALL",), ignore=NO_ERRORS, framework_versions={"openrlhf": release}))
        self.kinds = Counter[str]()
        """What upstream said, without its numbers, and how often that was looked at closely."""

    def disagreement(self, words: list[str]) -> str:
        """What the two do not agree about; empty if they do."""
        verdict, errors = self.upstream(words), self.errors(words)
        if verdict.accepted:
            return "; ".join(f"unfounded {one.code}: {one.message}" for one in errors if one.code not in LATE)
        if not errors:
            return f"upstream alone: {verdict.message}"
        kind = re.sub(r"\d+", "N", verdict.message)
        if self.kinds[kind] < CLOSELY:
            named = {name for one in errors for name in one.settings}
            if named.isdisjoint(self.needed(words)) and named.isdisjoint(involved := self.changeable(words)):
                return f"upstream: {verdict.message}, which is about {involved}, and not about {named}"
            self.kinds[kind] += 1
        return ""

    def upstream(self, words: list[str]) -> Verdict:
        """What the release itself says; of train_ppo_ray with the body of train(), its models mocked."""
        return run(self.wheel, self.program, words, train_body=self.program == "train_ppo_ray")

    def errors(self, words: list[str]) -> list[Finding]:
        """The errors in a script with the launch."""
        launcher = "python3 -m" if self.program == "train_ppo_ray" else "deepspeed --num_gpus 8 --module"
        text = f"{launcher} openrlhf.cli.{self.program} {shlex.join(words)}\n"
        result = self.checker.check_text(text, "train.sh")
        assert not result.broken
        return [finding for finding in result.findings if finding.severity is Severity.ERROR]

    def needed(self, words: list[str]) -> set[str]:
        """The settings of a launch without which upstream would not say the same."""
        said = self.upstream(words).message
        return {
            name
            for start, end in flags(words)
            if self.upstream(words[:start] + words[end:]).message != said
            for name in CATALOG.program(self.program).canonical(words[start], self.release)
        }

    def changeable(self, words: list[str]) -> set[str]:
        """The settings with another value of which upstream would not say the same."""
        said = self.upstream(words).message
        return {
            name
            for name in OPTIONS[self.program]
            if any(self.upstream(words + more).message != said for more in possible(name, self.program, self.release))
        }


def flags(words: list[str]) -> list[tuple[int, int]]:
    """Where each flag begins and where its values end."""
    return list(pairwise([*(at for at, word in enumerate(words) if word.startswith("--")), len(words)]))


def smaller(words: list[str], wrong: Callable[[list[str]], object]) -> list[str]:
    """A launch without the flags that it does not need to be wrong."""
    for start, end in reversed(flags(words)):
        if wrong(words[:start] + words[end:]):
            return smaller(words[:start] + words[end:], wrong)
    return words
