"""The groups of GPUs of a PPO launch: which roles exist, how many GPUs each takes, and what is placed where.

Numbers are GPUs, one process each. Sources: train() and the argument checks of cli/train_ppo_ray.py and
trainer/ray/launcher.py at 0.5.0 to 0.11.2; where releases differ, the release is named beside the condition.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from rlhflint.frameworks.openrlhf.filled import filled
from rlhflint.records import dataclass
from rlhflint.value import Undetermined, any_holds

if TYPE_CHECKING:
    from rlhflint.frameworks.openrlhf.models.train_ppo_ray import TrainPPORay
    from rlhflint.frameworks.openrlhf.training import Living


@dataclass(frozen=True, slots=True)
class Role:
    """A group of processes with a model: `actor`, `ref`, `critic` or `reward`."""

    name: str
    nodes: int
    gpus_per_node: int

    @property
    def gpus(self) -> int:
        """GPUs of the group: one process on each."""
        return self.nodes * self.gpus_per_node

    @property
    def title(self) -> str:
        """Its name in words."""
        return titled(self.name)

    @property
    def settings(self) -> tuple[str, str]:
        """The canonical names of the two numbers."""
        return f"{self.name}.num_gpus_per_node", f"{self.name}.num_nodes"


@dataclass(frozen=True, slots=True)
class Group:
    """A placement group: what shares it, and its GPUs. The launch waits for the groups one after another."""

    roles: tuple[str, ...]
    gpus: int

    def __str__(self) -> str:
        return f"{' + '.join(self.roles)}: {self.gpus}"


_PLACED = "which roles there are and where they are placed"


def titled(name: str) -> str:
    """A role in words."""
    return "reference" if name == "ref" else name


def role(launch: TrainPPORay, name: str) -> Role:
    """One role with its sizes, whether it exists or not; 1 node of 8 GPUs where nothing is given."""
    launch.session.as_upstream(_PLACED)
    group = getattr(launch, name)
    return Role(name, group.num_nodes, group.num_gpus_per_node)


def has_critic(launch: TrainPPORay) -> bool:
    """Whether a critic is built: with estimator gae since 0.5.1, always before."""
    return not launch.session.since("0.5.1") or launch.algo.advantage.estimator == "gae"


def has_reference(launch: TrainPPORay) -> bool:
    """Whether a reference model is built: without a KL coefficient not since 0.6.0."""
    if not launch.session.since("0.6.0"):
        return True
    coefficient = launch.algo.kl.init_coef
    return coefficient > 0 if launch.session.since("0.7.1.post1") else coefficient != 0


def has_remote_reward(launch: TrainPPORay) -> bool:
    """Whether rewards come from a URL, a reward function or an agent, so that no reward group is made."""
    return any_holds(lambda: filled(launch, "reward.remote_url"), lambda: filled(launch, "train.agent_func_path"))


def reward_groups(launch: TrainPPORay) -> int:
    """How many reward groups are made: one, none with a remote reward; one a model of a comma list before 0.6.3."""
    if has_remote_reward(launch):
        return 0
    if launch.session.since("0.6.3"):
        return 1
    return (launch.reward.model_name_or_path or "").count(",") + 1


def roles(launch: TrainPPORay) -> tuple[Role, ...]:
    """The roles that exist, in the order they are built."""
    names = ["actor"]
    names += ["ref"] if has_reference(launch) else []
    names += ["critic"] if has_critic(launch) else []
    names += ["reward"] if reward_groups(launch) else []
    return tuple(role(launch, name) for name in names)


def each(launch: TrainPPORay) -> Iterator[Role]:
    """The roles that exist, one by one, for what has to hold of every single one.

    A role of which something is not known is passed over; `Undetermined` is raised for the first such at the end.
    """
    launch.session.as_upstream(_PLACED)
    exists: tuple[tuple[str, Callable[[TrainPPORay], object]], ...] = (
        ("actor", lambda _: True),
        ("ref", has_reference),
        ("critic", has_critic),
        ("reward", reward_groups),
    )
    missing: Undetermined | None = None
    for name, holds in exists:
        try:
            found = role(launch, name) if holds(launch) else None
        except Undetermined as undetermined:
            missing = missing or undetermined
            continue
        if found is not None:
            yield found
    if missing is not None:
        raise missing


def engine_gpus(launch: TrainPPORay) -> int:
    """GPUs of the vLLM engines: engines × tensor parallel size; 0 where no engine is asked for."""
    return (launch.vllm.num_engines or 0) * launch.vllm.tensor_parallel_size


def shares_with_engines(launch: TrainPPORay) -> bool:
    """Whether the engines sit on the actor's GPUs: colocate_all without asynchronous training."""
    return launch.train.colocate_all and not launch.train.async_enable


def duplicates(launch: Living) -> int:
    """Processes that work on the same data: ring size × DeepSpeed tensor parallel size (the latter since 0.7.4)."""
    tensor = launch.ds.tensor_parallel_size if launch.session.since("0.7.4") else 1
    return max(launch.ds.ring_attn_size, 1) * max(tensor, 1)


def groups(launch: TrainPPORay) -> tuple[Group, ...]:
    """The placement groups in the order the launch waits for them (order since 0.5.8; vLLM came last before)."""
    actor, colocated = role(launch, "actor"), launch.train.colocate_all
    with_reference = has_reference(launch)
    shared = ["actor"]
    if with_reference and (colocated or launch.train.colocate_actor_ref):
        shared.append("ref")
    paired = has_critic(launch) and launch.train.colocate_critic_reward
    rewards = reward_groups(launch)
    if colocated and not paired:
        shared += (["critic"] if has_critic(launch) else []) + ["reward"] * bool(rewards)
    if shares_with_engines(launch):
        shared.append("vLLM")
    made = [Group(tuple(shared), actor.gpus)]
    if with_reference and "ref" not in shared:
        made.append(Group(("ref",), role(launch, "ref").gpus))
    if paired:
        made.append(Group(("critic", *["reward"] * bool(rewards)), role(launch, "critic").gpus))
    elif not colocated:
        made += [Group(("critic",), role(launch, "critic").gpus)] if has_critic(launch) else []
        made += [Group(("reward",), role(launch, "reward").gpus)] * rewards
    if not shares_with_engines(launch) and engine_gpus(launch):
        engines = Group(("vLLM",), engine_gpus(launch))
        first = colocated or launch.train.colocate_actor_ref
        at = (1 if first else 0) if launch.session.since("0.5.8") else len(made)
        made.insert(at, engines)
    return tuple(made)


def total(launch: TrainPPORay) -> int:
    """GPUs the launch asks for in all."""
    return sum(group.gpus for group in groups(launch))
