"""Advice on samples: how they are drawn, how old they get, how fast they come."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rlhflint.frameworks.openrlhf.programs import PPO
from rlhflint.frameworks.openrlhf.proposals import put
from rlhflint.frameworks.openrlhf.training import correction_setting, corrects_rollouts, written
from rlhflint.proposal import UNSAFE, Proposal
from rlhflint.rule import ADVICE, SILENT, WARNING, Draft, rule

if TYPE_CHECKING:
    from rlhflint.frameworks.openrlhf.models.train_ppo_ray import TrainPPORay


@rule("OR706", "degenerate-sampling", severity=WARNING, stage=SILENT, programs=PPO, fix="unsafe")
def degenerate_sampling(launch: TrainPPORay) -> Iterator[Draft]:
    """Samples of a prompt have to differ from each other.

    What happens: with a temperature of 0, or a `rollout.top_p` that leaves one token, all samples of a prompt are
    the same. Estimators that compare them (rloo, reinforce_baseline, group_norm, dr_grpo) then have advantages of 0,
    and nothing is learned. Temperatures below 0.5 explore little.

    Why: sampling goes to vLLM as it is set (trainer/ppo_utils/samples_generator.py@0.11.2); the default is 1.0.

    Example:
        --rollout.temperature 0 --rollout.n_samples_per_prompt 8

    Use instead:
        --rollout.temperature 1.0 --rollout.n_samples_per_prompt 8
    """
    cold, narrow = launch.rollout.temperature == 0, launch.rollout.top_p <= 0.05
    if not (cold or narrow) and launch.rollout.temperature >= 0.5:
        return
    several = launch.rollout.n_samples_per_prompt > 1
    if (cold or narrow) and not several:
        return
    spelt = launch.session.spelling
    setting, value = "rollout.temperature", launch.rollout.temperature
    if narrow and not cold:
        setting, value = "rollout.top_p", launch.rollout.top_p
    name = spelt(setting)
    yield launch.finding(
        setting,
        "rollout.n_samples_per_prompt",
        message=(
            f"{name} {value:g} makes the {launch.rollout.n_samples_per_prompt} samples of a prompt the same"
            if cold or narrow
            else f"{name} {value:g} explores little"
        ),
        help=f"write {name} 1.0",
        severity=WARNING if cold or narrow else ADVICE,
        proposal=Proposal(f"Write {name} 1.0", UNSAFE, put(launch, setting, "1.0")),
    )


@rule(
    "OR708",
    "async-without-correction",
    severity=ADVICE,
    stage=SILENT,
    programs=PPO,
    applies=">=0.8.9",
    fix="unsafe",
)
def async_without_correction(launch: TrainPPORay) -> Iterator[Draft]:
    """Samples of asynchronous training are older than the policy they train, and should be corrected for it.

    What happens: each sample was made with weights at least one update old, and its gradients count as if it were new.

    Why: the correction weighs tokens by the ratio of the probabilities at training and at generation
    (models/loss.py@0.8.9, @0.11.2). Its options changed over the releases.

    Example:
        --train.async_enable

    Use instead:
        --train.async_enable --algo.advantage.is_correction_level token
    """
    if not launch.train.async_enable or corrects_rollouts(launch):
        return
    setting = correction_setting(launch)
    yield launch.finding(
        "train.async_enable",
        setting[0],
        message="samples of asynchronous training are at least one update old, and nothing corrects for it",
        help=f"add {written(launch, setting)}",
        proposal=Proposal(f"Add {written(launch, setting)}", UNSAFE, put(launch, *setting)),
    )


@rule(
    "OR711",
    "eager-rollouts",
    severity=ADVICE,
    stage=SILENT,
    programs=PPO,
    applies=">=0.4.4",
    on=False,
)
def eager_rollouts(launch: TrainPPORay) -> Iterator[Draft]:
    """`vllm.enforce_eager` trades speed of generation for memory and start-up time.

    What happens: generation is slower, most of all with small batches.

    Why: CUDA graphs are off; they take 1 to 3 GiB and some time at the start. Upstream's scripts set it nearly
    everywhere (examples/scripts@0.11.0).

    Example:
        --vllm.enforce_eager

    Use instead:
        --vllm.num_engines 4
    """
    if launch.vllm.enforce_eager:
        name = launch.session.spelling("vllm.enforce_eager")
        yield launch.finding(
            "vllm.enforce_eager",
            message=f"{name} generates without CUDA graphs: slower, with 1 to 3 GiB less memory",
            help=f"leave {name} out to use them",
        )
