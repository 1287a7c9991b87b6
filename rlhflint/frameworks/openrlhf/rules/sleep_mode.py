"""Sleep modes of vLLM and DeepSpeed: where they take effect, and what they need."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rlhflint.frameworks.openrlhf import roles
from rlhflint.frameworks.openrlhf.programs import PPO
from rlhflint.frameworks.openrlhf.proposals import put, remove
from rlhflint.proposal import SAFE, UNSAFE, Proposal
from rlhflint.rule import ADVICE, ERROR, SILENT, STARTUP, WARNING, Draft, rule
from rlhflint.value import Undetermined, all_hold, any_holds

if TYPE_CHECKING:
    from rlhflint.frameworks.openrlhf.models.train_ppo_ray import TrainPPORay

_ANY_STAGE_ABOVE = "0.17.5"
"""DeepSpeed releases above this one move the states of any ZeRO stage."""


@rule(
    "OR213",
    "sleep-without-colocate",
    severity=WARNING,
    stage=SILENT,
    programs=PPO,
    applies=">=0.5.8",
    fix="safe",
)
def sleep_without_colocate(launch: TrainPPORay) -> Iterator[Draft]:
    """`vllm.enable_sleep` has no effect without `train.colocate_all`.

    What happens: the switch is turned off with a printed line.

    Why: engines with GPUs of their own have nobody to make room for (cli/train_ppo_ray.py@0.5.8, @0.11.2).

    Example:
        --vllm.enable_sleep --train.colocate_actor_ref

    Use instead:
        --vllm.enable_sleep --train.colocate_all --vllm.num_engines 4 --vllm.tensor_parallel_size 2
    """
    if all_hold(lambda: launch.vllm.enable_sleep, lambda: not launch.train.colocate_all):
        spelt = launch.session.spelling
        sleep = spelt("vllm.enable_sleep")
        yield launch.finding(
            "vllm.enable_sleep",
            "train.colocate_all",
            message=f"OpenRLHF {launch.session.release} turns {sleep} off: without {spelt('train.colocate_all')} vLLM "
            "has GPUs of its own",
            help=f"remove {sleep}, or add {spelt('train.colocate_all')} to share the GPUs",
            proposal=Proposal(f"Remove {sleep}", SAFE, remove(launch, "vllm.enable_sleep")),
        )


@rule(
    "OR214",
    "ds-sleep-needs-zero3",
    severity=ERROR,
    stage=STARTUP,
    programs=PPO,
    applies=">=0.6.0.post1",
    fix="unsafe",
)
def ds_sleep_needs_zero3(launch: TrainPPORay) -> Iterator[Draft]:
    """`ds.enable_sleep` needs ZeRO stage 3, with DeepSpeed up to 0.17.5; with `ds.adam_offload` it does nothing.

    What happens: a NotImplementedError, right after the actor is loaded. With `ds.adam_offload` nothing is moved, as
    the optimizer's states are on the CPU already.

    Why: only the states of stage 3 could be moved at first; OpenRLHF 0.8.10 trusts DeepSpeed releases above 0.17.5
    with the others (utils/deepspeed/deepspeed_utils.py@0.6.0.post1, @0.8.10, @0.11.2). Stage 2 is the default.

    Example:
        # train_ppo_ray, openrlhf 0.8.9
        --ds.enable_sleep --train.colocate_all --ds.zero_stage 2

    Use instead:
        # train_ppo_ray, openrlhf 0.8.9
        --ds.enable_sleep --train.colocate_all --ds.zero_stage 3
    """
    if not launch.ds.enable_sleep:
        return
    spelt, session = launch.session.spelling, launch.session
    sleep = spelt("ds.enable_sleep")
    if launch.ds.adam_offload:
        yield launch.finding(
            "ds.enable_sleep",
            "ds.adam_offload",
            message=f"{sleep} has nothing to move: with {spelt('ds.adam_offload')} the optimizer's states are on the "
            "CPU already",
            help=f"remove one of the two; {sleep} keeps updates on the GPU, where they are faster",
            severity=ADVICE,
            stage=SILENT,
        )
        return
    if launch.ds.zero_stage == 3:
        return
    because = f"OpenRLHF {session.release}"
    if session.since("0.8.10"):
        installed = _deepspeed(launch)
        if installed is None:
            return
        because += f" with DeepSpeed {installed}"
    yield launch.finding(
        "ds.enable_sleep",
        "ds.zero_stage",
        message=f"{sleep} with {spelt('ds.zero_stage')} {launch.ds.zero_stage}: {because} can move the states of stage "
        "3 only, and ends with a NotImplementedError once the actor is loaded",
        help=f"write {spelt('ds.zero_stage')} 3"
        + (f", or use DeepSpeed above {_ANY_STAGE_ABOVE}" if session.since("0.8.10") else ""),
        proposal=Proposal(f"Write {spelt('ds.zero_stage')} 3", UNSAFE, put(launch, "ds.zero_stage", 3)),
    )


def _deepspeed(launch: TrainPPORay) -> str | None:
    """DeepSpeed's release, stated or pinned by OpenRLHF, if it moves the states of stage 3 only; None for a newer one.

    Raises `Undetermined` where it is not known.
    """
    from packaging.version import Version

    version = launch.session.version("deepspeed")
    if version.specifier:
        raise Undetermined("deepspeed", "nothing states one release of deepspeed")
    return version.value if Version(version.value) <= Version(_ANY_STAGE_ABOVE) else None


@rule(
    "OR215",
    "ds-sleep-without-colocate",
    severity=ADVICE,
    stage=SILENT,
    programs=PPO,
    applies=">=0.6.0.post1",
    fix="unsafe",
)
def ds_sleep_without_colocate(launch: TrainPPORay) -> Iterator[Draft]:
    """`ds.enable_sleep` makes room for models on the same GPUs; where there are none it costs time for nothing.

    What happens: before and after every update the states of optimizer and gradients move between GPU and CPU.

    Why: nothing tests whether the trained models share their GPUs (trainer/ray/ppo_actor.py@0.6.0.post1,
    trainer/ppo_trainer.py@0.11.2).

    Example:
        --ds.enable_sleep --ds.zero_stage 3 --algo.kl.init_coef 0

    Use instead:
        --ds.enable_sleep --ds.zero_stage 3 --train.colocate_all
    """
    if not all_hold(
        lambda: launch.ds.enable_sleep, lambda: not launch.train.colocate_all, lambda: not _shares_gpus(launch)
    ):
        return
    spelt = launch.session.spelling
    sleep = spelt("ds.enable_sleep")
    yield launch.finding(
        "ds.enable_sleep",
        "train.colocate_all",
        message=f"{sleep} moves states to the CPU and back at every update, and nothing else is on these GPUs",
        help=f"remove {sleep}; it pays with {spelt('train.colocate_all')}",
        proposal=Proposal(f"Remove {sleep}", UNSAFE, remove(launch, "ds.enable_sleep")),
    )


def _shares_gpus(launch: TrainPPORay) -> bool:
    """Whether a trained model shares its GPUs with another model, colocate_all apart."""
    return any_holds(
        lambda: all_hold(lambda: launch.train.colocate_actor_ref, lambda: roles.has_reference(launch)),
        lambda: all_hold(
            lambda: launch.train.colocate_critic_reward,
            lambda: roles.has_critic(launch),
            lambda: roles.reward_groups(launch) > 0,
        ),
    )
