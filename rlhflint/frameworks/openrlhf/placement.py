"""Placing the groups of a PPO launch on machines, as far as it can be told before: GPUs, CPUs, whole nodes.

Since 0.5.8 every group asks for bundles of one GPU and one CPU that may lie anywhere, so that only sums count. Before,
a group of n × g GPUs asked for g GPUs and g CPUs on each of n different machines (STRICT_SPREAD;
trainer/ray/launcher.py@0.5.0, @0.5.8). Groups are waited for one after another, without a limit of time.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, TypeAlias

from rlhflint.frameworks.openrlhf import roles
from rlhflint.records import dataclass

if TYPE_CHECKING:
    from rlhflint.frameworks.openrlhf.models.train_ppo_ray import TrainPPORay
    from rlhflint.frameworks.openrlhf.roles import Group

_MOST_GPUS = 64
_MOST_STATES = 2_000
"""Ways to place groups that are looked at before one is taken to exist."""

_State: TypeAlias = tuple[int, ...]
"""How many machines have 0, 1, 2, … GPUs free."""


@dataclass(frozen=True, slots=True)
class Wish:
    """What a group asks for where whole nodes count: `gpus` GPUs and CPUs on each of `nodes` different machines.

    With one GPU a node, each process is placed for itself, and any machine will do.
    """

    roles: tuple[str, ...]
    nodes: int
    gpus: int

    def __str__(self) -> str:
        return f"{titled(self.roles)} {self.nodes} × {self.gpus}"


def titled(names: Sequence[str]) -> str:
    """Roles in words: "actor + reference"."""
    return " + ".join(map(roles.titled, names))


def waits(groups: Sequence[Group]) -> str:
    """The groups in the order the launch waits for them, in words: "[1] actor + reference 8, [2] vLLM 8"."""
    return ", ".join(f"[{number}] {titled(group.roles)} {group.gpus}" for number, group in enumerate(groups, start=1))


def first_waiting(groups: Sequence[Group], gpus: int) -> Group | None:
    """The first group that so many GPUs are too few for, those before it placed; None if there are enough."""
    for group in groups:
        gpus -= group.gpus
        if gpus < 0:
            return group
    return None


def wishes(launch: TrainPPORay) -> Iterator[Wish]:
    """What the groups ask for before 0.5.8, in the order of waiting.

    Engines come last and may lie anywhere, so that nothing but the sum of GPUs can keep them from being placed.
    """
    actor, critic, reward = (roles.role(launch, name) for name in ("actor", "critic", "reward"))
    if launch.train.colocate_actor_ref:
        yield Wish(("actor", "ref"), actor.nodes, actor.gpus_per_node)
    else:
        ref = roles.role(launch, "ref")
        yield Wish(("actor",), actor.nodes, actor.gpus_per_node)
        yield Wish(("ref",), ref.nodes, ref.gpus_per_node)
    rewards = roles.reward_groups(launch)
    if roles.has_critic(launch):
        paired = launch.train.colocate_critic_reward
        yield Wish(("critic", "reward") if paired and rewards else ("critic",), critic.nodes, critic.gpus_per_node)
        if paired:
            return
    for _ in range(min(rewards, 64)):
        yield Wish(("reward",), reward.nodes, reward.gpus_per_node)


def first_unplaceable(asked: Sequence[Wish], nodes: int, free: int) -> Wish | None:
    """The first group that cannot be placed, whatever machines those before it got.

    Args:
        asked: the groups in the order of waiting.
        nodes: machines.
        free: GPUs that each can give, or its CPUs if they are fewer.

    Returns:
        None too where there are more ways to place the groups than are looked at.
    """
    if nodes <= 0 or not 0 <= free <= _MOST_GPUS:
        return None
    states: set[_State] = {(*[0] * free, nodes)}
    for wish in asked:
        after: set[_State] = set()
        for state in states:
            after |= _scattered(state, wish.nodes) if wish.gpus == 1 else _placed(state, wish)
            if len(after) > _MOST_STATES:
                return None
        if not after:
            return wish
        states = after
    return None


def _placed(state: _State, wish: Wish) -> set[_State]:
    """What may be left once a group has its whole nodes."""
    if wish.gpus <= 0 or wish.nodes <= 0:
        return {state}
    able = sum(state[wish.gpus :])
    found: set[_State] = set()
    stack: list[tuple[int, int, int, _State]] = [(len(state) - 1, wish.nodes, able, state)]
    while stack and len(found) <= _MOST_STATES:
        gpus, wanted, able, left = stack.pop()
        if not wanted:
            found.add(left)
        elif able >= wanted and gpus >= wish.gpus:
            here = state[gpus]
            fewest = max(wanted - (able - here), 0)
            stack += [
                (gpus - 1, wanted - taken, able - here, _moved(left, gpus, gpus - wish.gpus, taken))
                for taken in range(fewest, min(here, wanted, fewest + _MOST_STATES) + 1)
            ]
    return found


def _scattered(state: _State, processes: int) -> set[_State]:
    """What may be left once processes are placed one by one."""
    states = {state}
    for _ in range(processes):
        states = {_moved(one, gpus, gpus - 1, 1) for one in states for gpus in range(1, len(one)) if one[gpus]}
        if not 0 < len(states) <= _MOST_STATES:
            break
    return states


def _moved(state: _State, before: int, after: int, nodes: int) -> _State:
    """The state once some machines with `before` free GPUs have `after`."""
    counts = list(state)
    counts[before] -= nodes
    counts[after] += nodes
    return tuple(counts)
