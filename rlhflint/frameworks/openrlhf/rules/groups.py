"""Groups of GPUs that share, and their sizes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rlhflint.frameworks.openrlhf import batches, roles
from rlhflint.frameworks.openrlhf.programs import PPO
from rlhflint.frameworks.openrlhf.proposals import put
from rlhflint.proposal import SAFE, UNSAFE, Proposal
from rlhflint.rule import ADVICE, ERROR, STARTUP, Draft, rule
from rlhflint.value import Undetermined

if TYPE_CHECKING:
    from rlhflint.frameworks.openrlhf.models.train_ppo_ray import TrainPPORay
    from rlhflint.frameworks.openrlhf.roles import Role
    from rlhflint.proposal import Change


@rule("OR402", "colocated-sizes-differ", severity=ERROR, stage=STARTUP, programs=PPO, fix="safe")
def colocated_sizes_differ(launch: TrainPPORay) -> Iterator[Draft]:
    """Roles that share their GPUs have to ask for the same nodes and GPUs.

    What happens: an assertion ends the launch, after Ray has started.

    Why: train() asserts nodes and GPUs per node of actor and reference with `train.colocate_actor_ref` or
    `train.colocate_all`, since 0.6.1 only where there is a reference; and those of critic and reward model with
    `train.colocate_critic_reward`, even where rewards come from a URL (cli/train_ppo_ray.py@0.3.6.post3, @0.11.2). A
    role of which nothing is said has 1 × 8 GPUs.

    Example:
        --actor.num_gpus_per_node 4 --ref.num_gpus_per_node 8 --train.colocate_actor_ref

    Use instead:
        --actor.num_gpus_per_node 4 --ref.num_gpus_per_node 4 --train.colocate_actor_ref
    """
    shared = launch.train.colocate_actor_ref or launch.train.colocate_all
    if shared and (not launch.session.since("0.6.1") or launch.algo.kl.init_coef > 0):
        because = "train.colocate_actor_ref" if launch.train.colocate_actor_ref else "train.colocate_all"
        yield from _differing(launch, "actor", "ref", because)
    if launch.train.colocate_critic_reward and roles.has_critic(launch):
        yield from _differing(launch, "critic", "reward", "train.colocate_critic_reward")


def _differing(launch: TrainPPORay, first: str, second: str, because: str) -> Iterator[Draft]:
    one, other = roles.role(launch, first), roles.role(launch, second)
    if (one.nodes, one.gpus_per_node) == (other.nodes, other.gpus_per_node):
        return
    spelt = launch.session.spelling
    pairs = zip(other.settings, (one.gpus_per_node, one.nodes), (other.gpus_per_node, other.nodes), strict=True)
    wanted = [(name, value) for name, value, now in pairs if value != now]
    changes: tuple[Change, ...] = tuple(change for name, value in wanted for change in put(launch, name, value))
    written = " ".join(f"{spelt(name)} {value}" for name, value in wanted)
    yield launch.finding(
        *(name for name, _ in wanted),
        *one.settings,
        because,
        message=(
            f"{spelt(because)} puts {one.title} ({one.nodes} × {one.gpus_per_node}) and {other.title} ({other.nodes} × "
            f"{other.gpus_per_node}{_default(launch, other)}) on the same GPUs, and an assertion wants the same sizes"
        ),
        help=f"write {written}",
        proposal=Proposal(f"Write {written}", SAFE, changes),
    )


def _default(launch: TrainPPORay, role: Role) -> str:
    given = any(launch.session.setting(name) is not None for name in role.settings)
    return "" if given else ", the default"


@rule("OR403", "engines-do-not-fill-actor-group", severity=ERROR, stage=STARTUP, programs=PPO, applies=">=0.5.8")
def engines_do_not_fill_actor_group(launch: TrainPPORay) -> Iterator[Draft]:
    """With `train.colocate_all` the vLLM engines have to take exactly the actor's GPUs.

    What happens: an assertion ends the launch, after Ray has started. At 0.5.8 nothing is asserted: engines that need
    more GPUs than the actor has end it with "placement group bundle index … is invalid".

    Why: engines × tensor parallel size is asserted against the actor's GPUs, unless training is asynchronous, where
    the engines have GPUs of their own (train() in cli/train_ppo_ray.py@0.5.9, @0.11.2).

    Example:
        --train.colocate_all --actor.num_gpus_per_node 8 --vllm.num_engines 2 --vllm.tensor_parallel_size 2

    Use instead:
        --train.colocate_all --actor.num_gpus_per_node 8 --vllm.num_engines 4 --vllm.tensor_parallel_size 2
    """
    if not roles.shares_with_engines(launch):
        return
    engines, tensor = launch.vllm.num_engines or 0, launch.vllm.tensor_parallel_size
    actor = roles.role(launch, "actor").gpus
    asserted = launch.session.since("0.5.9")
    if engines <= 0 or tensor <= 0 or engines * tensor == actor or (not asserted and engines * tensor < actor):
        return
    spelt = launch.session.spelling
    yield launch.finding(
        "vllm.num_engines",
        "vllm.tensor_parallel_size",
        "actor.num_gpus_per_node",
        "actor.num_nodes",
        "train.colocate_all",
        message=(
            f"{spelt('train.colocate_all')} puts the engines on the actor's {actor} GPUs, but {engines} engines × "
            f"tensor parallel size {tensor} take {engines * tensor}: "
            + ("an assertion ends the launch" if asserted else "the last engines find no GPU of the group, and fail")
        ),
        help=f"write {_fitting(launch, actor, tensor)}",
    )


def _fitting(launch: TrainPPORay, actor: int, tensor: int) -> str:
    """Engines and tensor parallel size that fill so many GPUs, the size kept if it divides them."""
    if actor % tensor:
        tensor = max(one for one in batches.divisors(actor) if one <= tensor)
    spelt = launch.session.spelling
    return f"{spelt('vllm.num_engines')} {actor // tensor} {spelt('vllm.tensor_parallel_size')} {tensor}"


@rule("OR404", "role-larger-than-actor", severity=ERROR, stage=STARTUP, programs=PPO, applies=">=0.5.8", fix="unsafe")
def role_larger_than_actor(launch: TrainPPORay) -> Iterator[Draft]:
    """With `train.colocate_all` critic and reward model must not have more GPUs than the actor.

    What happens: more of them end the launch with "placement group bundle index … is invalid", after actor and engines
    were placed. Fewer work, and leave some GPUs without that model.

    Why: all roles are put into the actor's group, process by process; only the reference's size is asserted
    (_initiate_actors in trainer/ray/launcher.py@0.11.2). Critic and reward model have 1 × 8 GPUs where nothing is
    said. With `train.colocate_critic_reward` and a critic the two have a group of their own.

    Example:
        --train.colocate_all --actor.num_gpus_per_node 4 --ref.num_gpus_per_node 4 --vllm.num_engines 2
        --algo.advantage.estimator gae

    Use instead:
        --train.colocate_all --actor.num_gpus_per_node 4 --ref.num_gpus_per_node 4 --vllm.num_engines 2
        --algo.advantage.estimator gae --critic.num_gpus_per_node 4
    """
    if not launch.train.colocate_all:
        return
    if launch.train.colocate_critic_reward and roles.has_critic(launch):
        return
    actor = roles.role(launch, "actor")
    for role in roles.each(launch):
        if role.name in ("critic", "reward") and role.gpus != actor.gpus:
            yield _misfit(launch, role, actor)


def _misfit(launch: TrainPPORay, role: Role, actor: Role) -> Draft:
    spelt, larger = launch.session.spelling, role.gpus > actor.gpus
    wanted = ((role.settings[0], actor.gpus_per_node), (role.settings[1], actor.nodes))
    written = " ".join(f"{spelt(name)} {value}" for name, value in wanted)
    changes = tuple(change for name, value in wanted for change in put(launch, name, value))
    return launch.finding(
        *role.settings,
        *actor.settings,
        "train.colocate_all",
        message=(
            f"{spelt('train.colocate_all')} puts the {role.title}'s {role.gpus} processes ({role.nodes} × "
            f"{role.gpus_per_node}{_default(launch, role)}) on the actor's {actor.gpus} GPUs: "
            + (
                "those beyond them find no place, and the launch fails"
                if larger
                else f"{actor.gpus - role.gpus} GPUs go without it"
            )
        ),
        help=f"write {written}",
        severity=ERROR if larger else ADVICE,
        proposal=Proposal(f"Write {written}", UNSAFE, changes),
    )


@rule("OR410", "group-size-left-at-default", severity=ADVICE, stage=STARTUP, programs=PPO, fix="unsafe")
def group_size_left_at_default(launch: TrainPPORay) -> Iterator[Draft]:
    """A role with GPUs of its own should say how many.

    What happens: it asks for 8. On a cluster without them the launch waits for ever, without a message.

    Why: `num_gpus_per_node` of actor, reference, critic and reward model is 8 by default
    (cli/train_ppo_ray.py@0.3.6.post3, @0.11.2).

    Example:
        --actor.num_gpus_per_node 4 --ref.num_gpus_per_node 4 --algo.advantage.estimator gae

    Use instead:
        --actor.num_gpus_per_node 4 --ref.num_gpus_per_node 4 --algo.advantage.estimator gae
        --critic.num_gpus_per_node 4
    """
    session = launch.session
    actor = roles.role(launch, "actor")
    if all(session.setting(name) is None for name in actor.settings):
        return
    missing: Undetermined | None = None
    for name in ("ref", "critic", "reward"):
        try:
            alone = session.setting(f"{name}.num_gpus_per_node") is None and _has_own_group(launch, name)
            role = roles.role(launch, name) if alone else None
        except Undetermined as undetermined:
            missing = missing or undetermined
            continue
        if role is not None and role.gpus != actor.gpus:
            yield _forgotten(launch, role, actor)
    if missing is not None:
        raise missing


def _has_own_group(launch: TrainPPORay, name: str) -> bool:
    """Whether a role that exists decides over a group of its own by its size."""
    if launch.train.colocate_all:
        return False
    if name == "ref":
        return roles.has_reference(launch) and not launch.train.colocate_actor_ref
    if name == "critic":
        return roles.has_critic(launch) and not launch.train.colocate_critic_reward
    paired = launch.train.colocate_critic_reward and roles.has_critic(launch)
    return bool(roles.reward_groups(launch)) and not paired


def _forgotten(launch: TrainPPORay, role: Role, actor: Role) -> Draft:
    setting, session = role.settings[0], launch.session
    name, number = session.spelling(setting), actor.gpus_per_node
    return launch.finding(
        setting,
        message=(
            f"{name} is not given, so that the {role.title} asks for {role.gpus} GPUs of its own, beside an actor of "
            f"{actor.nodes} × {number}"
        ),
        help=f"write {name} {number}, or how many it should have, or colocate the {role.title}",
        proposal=Proposal(f"Write {name} {number}", UNSAFE, put(launch, setting, number))
        if batches.works(launch, role.name, number * role.nodes)
        else None,
    )
