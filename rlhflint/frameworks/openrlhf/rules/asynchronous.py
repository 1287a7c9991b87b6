"""Asynchronous training: what it excludes, what it needs, how stale its samples get."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rlhflint.frameworks.openrlhf import roles
from rlhflint.frameworks.openrlhf.programs import PPO
from rlhflint.frameworks.openrlhf.proposals import remove, rename
from rlhflint.proposal import SAFE, UNSAFE, Proposal
from rlhflint.rule import ADVICE, ERROR, PARSE, SILENT, STARTUP, WARNING, Draft, rule
from rlhflint.value import all_hold, if_known

if TYPE_CHECKING:
    from rlhflint.frameworks.openrlhf.models.train_ppo_ray import TrainPPORay


@rule(
    "OR203",
    "async-with-colocate-all",
    severity=WARNING,
    stage=STARTUP,
    programs=PPO,
    applies=">=0.8.0",
    fix="unsafe",
)
def async_with_colocate_all(launch: TrainPPORay) -> Iterator[Draft]:
    """Asynchronous training does not put the vLLM engines on the GPUs that `train.colocate_all` shares.

    What happens: the launch asks for the actor's GPUs and for further ones for vLLM. On a cluster that is sized for
    shared GPUs it waits for them for ever, without a message. It is an error where the cluster is known to be too
    small, or where vLLM is to sleep as well, which is refused.

    Why: since 0.8.0 the pair is accepted, with a printed line, and only actor, reference, critic and reward share
    GPUs; the engines get a placement group of their own (train() in cli/train_ppo_ray.py@0.8.0, @0.11.2).

    Example:
        --train.async_enable --train.colocate_all --actor.num_gpus_per_node 4 --ref.num_gpus_per_node 4
        --vllm.num_engines 4

    Use instead:
        --train.async_enable --train.colocate_actor_ref --actor.num_gpus_per_node 4 --ref.num_gpus_per_node 4
        --vllm.num_engines 4
    """
    if not all_hold(lambda: launch.train.async_enable, lambda: launch.train.colocate_all):
        return
    spelt = launch.session.spelling
    needed, offered = if_known(lambda: roles.total(launch)), launch.session.machines.gpus.number
    too_small = needed is not None and offered is not None and offered < needed
    refused = if_known(lambda: launch.vllm.enable_sleep)
    yield launch.finding(
        "train.colocate_all",
        "train.async_enable",
        message=(
            f"asynchronous training colocates only the DeepSpeed models at OpenRLHF {launch.session.release}: "
            + _demand(launch)
            + (f"; the cluster has {offered}, and the launch waits for the rest without a message" if too_small else "")
        ),
        help=f"{_instead(launch)}, or drop {spelt('train.async_enable')} to share all GPUs with vLLM",
        severity=ERROR if too_small or refused else WARNING,
        proposal=_plainly(launch),
    )


def _demand(launch: TrainPPORay) -> str:
    """What vLLM needs besides, in numbers as far as they are known."""
    engines = if_known(lambda: roles.engine_gpus(launch))
    needed = if_known(lambda: roles.total(launch))
    if not engines or needed is None:
        return "vLLM needs GPUs of its own besides"
    return f"vLLM needs {engines} further GPUs beside the actor's {roles.role(launch, 'actor').gpus}, {needed} in all"


def _instead(launch: TrainPPORay) -> str:
    """The placement that comes out, as it can be asked for; it is the same where no other role shares the GPUs."""
    spelt = launch.session.spelling
    if if_known(lambda: _alone(launch)):
        return f"write {spelt('train.colocate_actor_ref')} for the same placement said plainly"
    both = if_known(lambda: roles.has_critic(launch) and bool(roles.reward_groups(launch)))
    pair = f", and {spelt('train.colocate_critic_reward')} for a group of critic and reward" if both else ""
    return f"write {spelt('train.colocate_actor_ref')} to share GPUs between actor and reference alone{pair}"


def _alone(launch: TrainPPORay) -> bool:
    return not roles.has_critic(launch) and not roles.reward_groups(launch)


def _plainly(launch: TrainPPORay) -> Proposal | None:
    spelt = launch.session.spelling
    if not if_known(lambda: _alone(launch)):
        return None
    # Engines with GPUs of their own never sleep: the switch for it would be dropped with a line.
    awake = remove(launch, "vllm.enable_sleep") if if_known(lambda: launch.vllm.enable_sleep) else ()
    besides = f" and remove {spelt('vllm.enable_sleep')}" if awake else ""
    if launch.session.setting("train.colocate_actor_ref") is not None:
        changes = remove(launch, "train.colocate_all") + awake
        return Proposal(f"Remove {spelt('train.colocate_all')}{besides}", UNSAFE, changes)
    changes = rename(launch, "train.colocate_all", "train.colocate_actor_ref") + awake
    return Proposal(f"Write {spelt('train.colocate_actor_ref')}{besides}", UNSAFE, changes)


@rule(
    "OR204",
    "async-sleep-colocated",
    severity=ERROR,
    stage=PARSE,
    programs=PPO,
    applies=">=0.8.0",
    fix="safe",
)
def async_sleep_colocated(launch: TrainPPORay) -> Iterator[Draft]:
    """`vllm.enable_sleep` cannot be combined with asynchronous training and `train.colocate_all`.

    What happens: an assertion ends the launch while its arguments are checked.

    Why: cli/train_ppo_ray.py@0.8.0 and later assert it. Without `train.colocate_all` the sleep switch is dropped
    before the assertion is reached, and the launch passes.

    Example:
        --train.async_enable --train.colocate_all --vllm.enable_sleep --vllm.num_engines 8

    Use instead:
        --train.async_enable --train.colocate_actor_ref --vllm.num_engines 8
    """
    if all_hold(lambda: launch.train.async_enable, lambda: launch.train.colocate_all, lambda: launch.vllm.enable_sleep):
        spelt = launch.session.spelling
        yield launch.finding(
            "vllm.enable_sleep",
            "train.async_enable",
            "train.colocate_all",
            message=(
                f"OpenRLHF {launch.session.release} refuses {spelt('vllm.enable_sleep')} with asynchronous training "
                f"and {spelt('train.colocate_all')}: an assertion ends the launch"
            ),
            help=f"remove {spelt('vllm.enable_sleep')}: asynchronous engines have GPUs of their own and never sleep",
            proposal=Proposal(f"Remove {spelt('vllm.enable_sleep')}", SAFE, remove(launch, "vllm.enable_sleep")),
        )


@rule(
    "OR707",
    "async-queue-deep",
    severity=ADVICE,
    stage=SILENT,
    programs=PPO,
    applies=">=0.9.1",
    fix="unsafe",
)
def async_queue_deep(launch: TrainPPORay) -> Iterator[Draft]:
    """A deep queue between generation and training makes the samples old.

    What happens: each place in the queue is one more update between the policy that generated a sample and the one
    that learns from it; quality falls slowly.

    Why: the queue holds finished batches; its size is 1 by default in every release that has the option
    (trainer/ppo_trainer_async.py@0.9.1, @0.11.2).

    Example:
        --train.async_enable --train.async_queue_size 4

    Use instead:
        --train.async_enable --train.async_queue_size 1
    """
    if launch.train.async_enable and launch.train.async_queue_size > 2:
        spelt = launch.session.spelling
        yield launch.finding(
            "train.async_queue_size",
            message=f"with {spelt('train.async_queue_size')} {launch.train.async_queue_size} samples may be about "
            f"{launch.train.async_queue_size} updates old when they are trained on",
            help="1 is the default and 2 is plenty; where generation is the slower side a longer queue stays empty",
        )
