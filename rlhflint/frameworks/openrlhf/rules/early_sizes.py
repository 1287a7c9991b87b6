"""Sizes of groups and rollouts that train_ppo_ray asserted before it had a single controller (before 0.7.1)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rlhflint.frameworks.openrlhf import batches, roles
from rlhflint.frameworks.openrlhf.programs import PPO
from rlhflint.frameworks.openrlhf.proposals import put
from rlhflint.proposal import UNSAFE, Proposal
from rlhflint.rule import ERROR, PARSE, Draft, rule

if TYPE_CHECKING:
    from rlhflint.frameworks.openrlhf.models.train_ppo_ray import TrainPPORay
    from rlhflint.frameworks.openrlhf.roles import Role


def _actors(launch: TrainPPORay) -> int:
    """What the assertions take for the actor's GPUs; 0.7.0.post1 counts each ring once."""
    gpus = roles.role(launch, "actor").gpus
    return gpus // max(launch.ds.ring_attn_size, 1) if launch.session.since("0.7.0.post1") else gpus


@rule(
    "OR310",
    "rollout-not-divisible",
    severity=ERROR,
    stage=PARSE,
    programs=PPO,
    applies=">=0.5.5.post1,<0.7.1",
    fix="unsafe",
)
def rollout_not_divisible(launch: TrainPPORay) -> Iterator[Draft]:
    """`--rollout_batch_size` has to be a multiple of the actor's GPUs.

    What happens: an assertion ends the launch ("rollout_bach_size must be divisible by actor_world_size").

    Why: each actor process rolls out its share of the prompts (_validate_args in
    cli/train_ppo_ray.py@0.5.5.post1, @0.7.0.post1; the latter counts each ring once).

    Example:
        --rollout_batch_size 100 --vllm_num_engines 4 --actor_num_gpus_per_node 8

    Use instead:
        --rollout_batch_size 104 --vllm_num_engines 4 --actor_num_gpus_per_node 8
    """
    actors, prompts = _actors(launch), launch.rollout.batch_size
    if actors <= 0 or prompts % actors == 0:
        return
    near = batches.nearest(prompts, actors)
    best = batches.closest(prompts, near)
    name = launch.session.spelling("rollout.batch_size")
    yield launch.finding(
        "rollout.batch_size",
        "actor.num_gpus_per_node",
        "actor.num_nodes",
        message=f"{name} {prompts} is no multiple of the {_said(launch, actors)}: an assertion ends the launch",
        help=f"write {batches.alternatives(near)}",
        proposal=Proposal(f"Write {name} {best}", UNSAFE, put(launch, "rollout.batch_size", best)),
    )


@rule(
    "OR311",
    "actors-and-engines",
    severity=ERROR,
    stage=PARSE,
    programs=PPO,
    applies=(">=0.4.6,<0.5.1", ">=0.5.5.post1,<0.7.1"),
)
def actors_and_engines(launch: TrainPPORay) -> Iterator[Draft]:
    """The actor's GPUs have to be a multiple of the vLLM engines.

    What happens: an assertion ends the launch before any model is loaded.

    Why: each engine serves the same number of actor processes (_validate_args in cli/train_ppo_ray.py@0.5.5.post1).
    Since 0.6.0 more engines than processes will do as well if they are a multiple of them; 0.4.6 and 0.5.0 only ask
    for no more engines than processes. 0.7.0.post1 counts each ring once.

    Example:
        # train_ppo_ray, openrlhf 0.6.4
        --vllm_num_engines 3 --actor_num_gpus_per_node 8

    Use instead:
        # train_ppo_ray, openrlhf 0.6.4
        --vllm_num_engines 4 --actor_num_gpus_per_node 8
    """
    engines = launch.vllm.num_engines
    if not engines or engines < 0:
        return
    actors, session = _actors(launch), launch.session
    if actors <= 0:
        return
    few = not session.since("0.5.5.post1")
    either_way = session.since("0.6.0") and engines % actors == 0
    if actors >= engines if few else actors % engines == 0 or either_way:
        return
    name = session.spelling("vllm.num_engines")
    fitting = [one for one in batches.divisors(actors) if one <= 64]
    yield launch.finding(
        "vllm.num_engines",
        "actor.num_gpus_per_node",
        "actor.num_nodes",
        message=(
            f"{name} {engines} " + ("is more than" if few else "does not divide") + f" the {_said(launch, actors)}: "
            "an assertion ends the launch"
        ),
        help=f"write {name} {batches.alternatives(fitting)}"
        + (f", or a multiple of {actors}" if session.since("0.6.0") else ""),
    )


@rule(
    "OR312",
    "actors-and-critic",
    severity=ERROR,
    stage=PARSE,
    programs=PPO,
    applies="<0.7.1",
)
def actors_and_critic(launch: TrainPPORay) -> Iterator[Draft]:
    """The actor's GPUs have to be a multiple of the critic's.

    What happens: an assertion ends the launch before any model is loaded. A critic group of which nothing is said has
    8 GPUs.

    Why: each critic process serves the same number of actor processes (_validate_args in
    cli/train_ppo_ray.py@0.3.6.post3, @0.7.0.post1).

    Example:
        # train_ppo_ray, openrlhf 0.6.4
        --advantage_estimator gae --actor_num_gpus_per_node 4 --ref_num_gpus_per_node 4 --vllm_num_engines 4

    Use instead:
        # train_ppo_ray, openrlhf 0.6.4
        --advantage_estimator gae --actor_num_gpus_per_node 4 --ref_num_gpus_per_node 4 --vllm_num_engines 4
        --critic_num_gpus_per_node 4
    """
    if not roles.has_critic(launch):
        return
    actor, critic = roles.role(launch, "actor"), roles.role(launch, "critic")
    gpus = actor.gpus
    if launch.session.since("0.7.0.post1"):
        gpus = _actors(launch) * max(launch.ds.ring_attn_size, 1)
    if critic.gpus <= 0 or gpus % critic.gpus == 0:
        return
    spelt = launch.session.spelling("critic.num_gpus_per_node")
    fitting = [one for one in batches.divisors(gpus) if one <= 64]
    given = any(launch.session.setting(name) for name in critic.settings)
    yield launch.finding(
        *critic.settings,
        *actor.settings,
        message=(
            f"the actor's {gpus} GPUs are no multiple of the critic's {critic.gpus}"
            + ("" if given else ", which is the default")
            + ": an assertion ends the launch"
        ),
        help=f"the critic can have {batches.alternatives(fitting)} GPUs: write {spelt}",
    )


@rule(
    "OR313",
    "world-not-power-of-two",
    severity=ERROR,
    stage=PARSE,
    programs=PPO,
    applies="<0.5.5.post1",
)
def world_not_power_of_two(launch: TrainPPORay) -> Iterator[Draft]:
    """Actor and critic have to have 1, 2, 4, 8, … GPUs each.

    What happens: an assertion ends the launch ("actor_world_size must be power of 2").

    Why: _validate_args in cli/train_ppo_ray.py@0.3.6.post3, @0.5.5; the critic counts where there is one.

    Example:
        --actor_num_gpus_per_node 6 --ref_num_gpus_per_node 6 --vllm_num_engines 2

    Use instead:
        --actor_num_gpus_per_node 4 --ref_num_gpus_per_node 4 --vllm_num_engines 2
    """
    for role in roles.each(launch):
        if role.name in ("actor", "critic") and role.gpus & (role.gpus - 1):
            yield _not_a_power(launch, role)


def _not_a_power(launch: TrainPPORay, role: Role) -> Draft:
    below = 1 << max(role.gpus, 1).bit_length() - 1
    nodes, gpus = (launch.session.spelling(name) for name in reversed(role.settings))
    return launch.finding(
        *role.settings,
        message=(
            f"the {role.title} has {role.gpus} GPUs, which is no power of two: OpenRLHF {launch.session.release} ends "
            "the launch with an assertion"
        ),
        help=f"make {nodes} × {gpus} {below} or {2 * below}",
    )


def _said(launch: TrainPPORay, actors: int) -> str:
    ring = launch.session.since("0.7.0.post1") and launch.ds.ring_attn_size > 1
    return f"{actors} rings of the actor" if ring else f"actor's {actors} GPUs"
