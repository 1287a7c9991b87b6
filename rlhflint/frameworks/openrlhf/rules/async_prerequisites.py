"""Rollout options that work in asynchronous training only."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rlhflint.frameworks.openrlhf.programs import PPO
from rlhflint.frameworks.openrlhf.proposals import put, remove
from rlhflint.proposal import UNSAFE, Proposal
from rlhflint.rule import ERROR, PARSE, Draft, rule
from rlhflint.value import all_hold, if_known

if TYPE_CHECKING:
    from rlhflint.frameworks.openrlhf.models.train_ppo_ray import TrainPPORay


@rule(
    "OR217",
    "partial-rollout-without-async",
    severity=ERROR,
    stage=PARSE,
    programs=PPO,
    applies=">=0.9.7",
    fix="unsafe",
)
def partial_rollout_without_async(launch: TrainPPORay) -> Iterator[Draft]:
    """`train.partial_rollout_enable` needs `train.async_enable`.

    What happens: an assertion ends the launch while its arguments are checked.

    Why: partial rollouts replace the lock around the weight sync of asynchronous training by pausing and resuming the
    engines; without it there is nothing to replace (cli/train_ppo_ray.py@0.9.7, @0.11.2).

    Example:
        --train.partial_rollout_enable

    Use instead:
        --train.partial_rollout_enable --train.async_enable
    """
    if all_hold(lambda: launch.train.partial_rollout_enable, lambda: not launch.train.async_enable):
        spelt = launch.session.spelling
        partial, asynchronous = spelt("train.partial_rollout_enable"), spelt("train.async_enable")
        yield launch.finding(
            "train.partial_rollout_enable",
            "train.async_enable",
            message=f"OpenRLHF {launch.session.release} refuses {partial} without {asynchronous}: an assertion ends "
            "the launch",
            help=f"add {asynchronous}, with GPUs for vLLM beside the actor's, or remove {partial}",
            proposal=_with_async(launch),
        )


def _with_async(launch: TrainPPORay) -> Proposal:
    """Asynchronous training, without the sleep that it does not go with (OR204)."""
    spelt = launch.session.spelling
    changes, title = put(launch, "train.async_enable", True), f"Add {spelt('train.async_enable')}"
    if if_known(lambda: launch.train.colocate_all and launch.vllm.enable_sleep):
        changes += remove(launch, "vllm.enable_sleep")
        title += f" and remove {spelt('vllm.enable_sleep')}"
    return Proposal(title, UNSAFE, changes)


@rule(
    "OR218",
    "oversampling-without-async",
    severity=ERROR,
    stage=PARSE,
    programs=PPO,
    applies=">=0.10.0",
    fix="unsafe",
)
def oversampling_without_async(launch: TrainPPORay) -> Iterator[Draft]:
    """Generating more prompts than a rollout takes needs `train.async_enable`.

    What happens: an assertion ends the launch while its arguments are checked. Releases before 0.10.0 accept it.

    Why: the queue of asynchronous training holds what is left over; without it there is no place for it
    (cli/train_ppo_ray.py@0.10.0, @0.11.2). `rollout.vllm_generate_batch_size` is `rollout.batch_size` by default.

    Example:
        --rollout.vllm_generate_batch_size 256 --rollout.batch_size 128

    Use instead:
        --rollout.vllm_generate_batch_size 128 --rollout.batch_size 128
    """
    if not all_hold(
        lambda: (launch.rollout.vllm_generate_batch_size or 0) > launch.rollout.batch_size,
        lambda: not launch.train.async_enable,
    ):
        return
    generated, taken = launch.rollout.vllm_generate_batch_size, launch.rollout.batch_size
    spelt = launch.session.spelling
    yield launch.finding(
        "rollout.vllm_generate_batch_size",
        "rollout.batch_size",
        "train.async_enable",
        message=f"{spelt('rollout.vllm_generate_batch_size')} {generated} is more than the {taken} of "
        f"{spelt('rollout.batch_size')}, which OpenRLHF {launch.session.release} refuses without "
        f"{spelt('train.async_enable')}: an assertion ends the launch",
        help=f"write {taken} or leave the flag out, or add {spelt('train.async_enable')}",
        proposal=Proposal(f"Write {taken}", UNSAFE, put(launch, "rollout.vllm_generate_batch_size", taken)),
    )
