"""Switches that colocate roles, and what becomes of the groups of critic and reward model."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rlhflint.frameworks.openrlhf import roles
from rlhflint.frameworks.openrlhf.filled import filled
from rlhflint.frameworks.openrlhf.programs import PPO
from rlhflint.frameworks.openrlhf.proposals import remove
from rlhflint.proposal import SAFE, UNSAFE, Proposal
from rlhflint.rule import ERROR, FIRST_STEP, SILENT, STARTUP, WARNING, Draft, rule

if TYPE_CHECKING:
    from rlhflint.frameworks.openrlhf.models.train_ppo_ray import TrainPPORay


@rule(
    "OR405",
    "second-critic-group",
    severity=WARNING,
    stage=STARTUP,
    programs=PPO,
    applies=">=0.5.8",
    fix="safe",
)
def second_critic_group(launch: TrainPPORay) -> Iterator[Draft]:
    """`train.colocate_critic_reward` takes the critic out of the GPUs that `train.colocate_all` shares.

    What happens: a second group is asked for, of the critic's GPUs. On a cluster sized for shared GPUs the launch
    waits for it for ever, without a message.

    Why: the group that all roles share is replaced by one for critic and reward model (train() in
    cli/train_ppo_ray.py@0.5.8, @0.11.2).

    Example:
        --train.colocate_all --train.colocate_critic_reward --algo.advantage.estimator gae --vllm.num_engines 4

    Use instead:
        --train.colocate_all --algo.advantage.estimator gae --vllm.num_engines 4
    """
    if not (launch.train.colocate_all and launch.train.colocate_critic_reward and roles.has_critic(launch)):
        return
    critic, spelt = roles.role(launch, "critic").gpus, launch.session.spelling
    yield launch.finding(
        "train.colocate_critic_reward",
        "train.colocate_all",
        "critic.num_gpus_per_node",
        message=(
            f"beside {spelt('train.colocate_all')}, {spelt('train.colocate_critic_reward')} asks for a second group of "
            f"{critic} GPUs for the critic, {roles.total(launch)} in all"
        ),
        help=f"leave {spelt('train.colocate_critic_reward')} out: all roles share their GPUs already",
        proposal=Proposal(
            f"Remove {spelt('train.colocate_critic_reward')}", SAFE, remove(launch, "train.colocate_critic_reward")
        ),
    )


@rule(
    "OR406",
    "colocate-critic-reward-ignored",
    severity=WARNING,
    stage=SILENT,
    programs=PPO,
    applies=">=0.5.1",
    fix="unsafe",
)
def colocate_critic_reward_ignored(launch: TrainPPORay) -> Iterator[Draft]:
    """`train.colocate_critic_reward` needs a critic.

    What happens: nothing is said, and the reward model takes GPUs of its own.

    Why: only the estimator gae has a critic, and the switch is read together with it (train() in
    cli/train_ppo_ray.py@0.5.1, @0.11.2).

    Example:
        # train_ppo_ray, openrlhf 0.11.2, without reward.remote_url
        --train.colocate_critic_reward --algo.advantage.estimator reinforce --reward.model_name_or_path models/rm

    Use instead:
        # train_ppo_ray, openrlhf 0.11.2, without reward.remote_url
        --algo.advantage.estimator reinforce --reward.model_name_or_path models/rm
    """
    if not launch.train.colocate_critic_reward or roles.has_critic(launch) or launch.train.colocate_all:
        return
    if not roles.reward_groups(launch):
        return
    spelt, gpus = launch.session.spelling, roles.role(launch, "reward").gpus
    yield launch.finding(
        "train.colocate_critic_reward",
        "algo.advantage.estimator",
        message=(
            f"{spelt('train.colocate_critic_reward')} has no effect with the estimator "
            f"{launch.algo.advantage.estimator}, which has no critic: the reward model takes {gpus} GPUs of its own"
        ),
        help=f"leave {spelt('train.colocate_critic_reward')} out, and count these GPUs in",
        proposal=Proposal(
            f"Remove {spelt('train.colocate_critic_reward')}", UNSAFE, remove(launch, "train.colocate_critic_reward")
        ),
    )


@rule(
    "OR407",
    "idle-reward-group",
    severity=ERROR,
    stage=FIRST_STEP,
    programs=PPO,
    applies=">=0.5.1",
)
def idle_reward_group(launch: TrainPPORay) -> Iterator[Draft]:
    """A launch without a reward model should not take GPUs for one.

    What happens: the reward group's GPUs, 8 where nothing is said, are taken and hold no model; the run fails when
    rewards are worked out.

    Why: the group is made wherever no remote reward is given, whether or not a reward model is named (train() in
    cli/train_ppo_ray.py@0.5.1, @0.11.2).

    Example:
        # train_ppo_ray, openrlhf 0.11.2, without reward.remote_url
        --algo.advantage.estimator reinforce --reward.num_gpus_per_node 2

    Use instead:
        --algo.advantage.estimator reinforce --reward.remote_url http://localhost:5000/get_reward
    """
    if filled(launch, "reward.model_name_or_path") or roles.has_remote_reward(launch) or roles.has_critic(launch):
        return
    if launch.train.colocate_all:
        return
    reward, spelt = roles.role(launch, "reward"), launch.session.spelling
    yield launch.finding(
        *reward.settings,
        "reward.remote_url",
        "reward.model_name_or_path",
        message=f"{reward.gpus} GPUs are taken for a reward model that is not named, and stay idle",
        help=f"name where rewards come from: {spelt('reward.remote_url')} or {spelt('reward.model_name_or_path')}",
    )


@rule(
    "OR408",
    "fractions-over-one",
    severity=ERROR,
    stage=STARTUP,
    programs=PPO,
    applies=">=0.5.0,<0.6.3",
)
def fractions_over_one(launch: TrainPPORay) -> Iterator[Draft]:
    """Roles that share a GPU must not ask for more than one GPU together.

    What happens: some of their processes are never scheduled, and the launch waits for ever, without a message.

    Why: up to 0.5.7 a critic takes 0.75 of a GPU and each reward model that shares it 0.25; from 0.5.8 on each role
    takes 0.2, the engines included with `--colocate_all_models` (train() in cli/train_ppo_ray.py@0.5.7, @0.5.8).
    Several reward models, separated by commas, each count.

    Example:
        # train_ppo_ray, openrlhf 0.5.7, without reward.remote_url
        --reward_pretrain models/a,models/b --colocate_critic_reward --advantage_estimator gae --vllm_num_engines 4

    Use instead:
        # train_ppo_ray, openrlhf 0.5.7, without reward.remote_url
        --reward_pretrain models/a,models/b --advantage_estimator gae --vllm_num_engines 4
    """
    rewards = roles.reward_groups(launch)
    if rewards < 2:
        return
    paired = launch.train.colocate_critic_reward and roles.has_critic(launch)
    if not launch.session.since("0.5.8"):
        twentieths = 15 + 5 * rewards if paired else 0
    elif paired:
        twentieths = 4 + 4 * rewards
    elif launch.train.colocate_all:
        others = 1 + roles.has_reference(launch) + roles.has_critic(launch) + bool(roles.engine_gpus(launch))
        twentieths = 4 * (others + rewards)
    else:
        return
    if twentieths <= 20:
        return
    shared = "train.colocate_critic_reward" if paired else "train.colocate_all"
    spelt = launch.session.spelling
    yield launch.finding(
        shared,
        "reward.model_name_or_path",
        message=(
            f"with {spelt(shared)} and {rewards} reward models, roles ask for {twentieths / 20:g} of a GPU they share: "
            "some are never scheduled, and Ray waits without a message"
        ),
        help=f"drop {spelt(shared)}, or name fewer reward models",
    )
