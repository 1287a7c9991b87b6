"""GPUs, CPUs and nodes that a PPO launch asks Ray for, against those on offer."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rlhflint.finding import Related
from rlhflint.frameworks.openrlhf import placement, roles
from rlhflint.frameworks.openrlhf.programs import PPO
from rlhflint.rule import ADVICE, ERROR, SILENT, STARTUP, WARNING, Draft, rule

if TYPE_CHECKING:
    from rlhflint.frameworks.openrlhf.models.train_ppo_ray import TrainPPORay
    from rlhflint.frameworks.openrlhf.placement import Wish
    from rlhflint.frameworks.openrlhf.roles import Group

_FEW_BUNDLES = 16
"""Ray keeps the order of so many bundles of a group; that of more is not fixed."""


@rule("OR401", "not-enough-gpus", severity=ERROR, stage=STARTUP, programs=PPO, applies=">=0.5.0")
def not_enough_gpus(launch: TrainPPORay) -> Iterator[Draft]:
    """The groups of a launch have to find as many GPUs as they ask for together.

    What happens: the launch waits for ever, without a message, at the first group that cannot be placed; the GPUs of
    those before it are held meanwhile. `ray status` shows a pending placement group.

    Why: Ray waits for a placement group without a limit (train() in cli/train_ppo_ray.py@0.5.0, @0.11.2). Actor,
    reference (with a KL coefficient), critic (with gae), reward model (without a remote reward) and vLLM each have a
    group of their own unless they are colocated; each role has 1 × 8 GPUs where nothing is said. With
    `train.async_enable`, `train.colocate_all` does not take vLLM in.

    Example:
        # train_ppo_ray, openrlhf 0.11.2, cluster 1x8
        --vllm.num_engines 4 --vllm.tensor_parallel_size 2

    Use instead:
        # train_ppo_ray, openrlhf 0.11.2, cluster 2x8
        --vllm.num_engines 4 --vllm.tensor_parallel_size 2
    """
    machines = launch.session.machines
    offered = machines.gpus.need("cluster")
    groups = roles.groups(launch)
    needed = sum(group.gpus for group in groups)
    blocked = placement.first_waiting(groups, offered)
    if blocked is None:
        return
    span = machines.gpus.span
    yield launch.finding(
        *_settings(blocked),
        message=(
            f"the launch asks for {needed} GPUs, and there are {offered} by {machines.what}: of the groups "
            f"{placement.waits(groups)}, {placement.titled(blocked.roles)} cannot be placed, and Ray waits here "
            "without a message"
        ),
        help=f"get {needed} GPUs, or {_less(launch, offered - needed)}",
        related=(Related(span, f"{offered} GPUs"),) if span is not None else (),
    )


def _settings(group: Group) -> tuple[str, ...]:
    """The settings that a group's size is made of, those of the engines first where they are its only part."""
    if group.roles == ("vLLM",):
        return "vllm.num_engines", "vllm.tensor_parallel_size"
    return f"{group.roles[0]}.num_gpus_per_node", f"{group.roles[0]}.num_nodes"


def _less(launch: TrainPPORay, missing: int) -> str:
    """What to lower so that the groups fit; `missing` is negative."""
    session, spelt = launch.session, launch.session.spelling
    ways: list[str] = []
    own = [role for role in roles.roles(launch) if any(role.name == group.roles[0] for group in roles.groups(launch))]
    forgotten = [role.settings[0] for role in own if session.setting(role.settings[0]) is None]
    if forgotten:
        ways.append(f"write {' and '.join(map(spelt, forgotten))}, which is 8 where nothing is said")
    tensor = max(launch.vllm.tensor_parallel_size, 1)
    engines = (roles.engine_gpus(launch) + missing) // tensor
    if not roles.shares_with_engines(launch) and engines > 0:
        ways.append(f"lower {spelt('vllm.num_engines')} to {engines}")
    actor = roles.role(launch, "actor").gpus
    engines_fill = roles.engine_gpus(launch) == actor and not launch.train.async_enable
    if session.since("0.5.8") and not launch.train.colocate_all and engines_fill:
        ways.append(f"share all GPUs with {spelt('train.colocate_all')}")
    return ", or ".join(ways) if ways else f"make groups smaller by {-missing} GPUs together, or colocate them"


@rule(
    "OR409",
    "whole-nodes-missing",
    severity=ERROR,
    stage=STARTUP,
    programs=PPO,
    applies=">=0.5.0,<0.5.8",
)
def whole_nodes_missing(launch: TrainPPORay) -> Iterator[Draft]:
    """Before 0.5.8 each group has to find as many different machines as it has nodes, with all their GPUs free.

    What happens: the launch waits for ever, without a message, although the GPUs suffice in number.

    Why: a group asks for one bundle of `num_gpus_per_node` GPUs, and as many CPUs, on each of `num_nodes` different
    machines (STRICT_SPREAD, trainer/ray/launcher.py@0.5.0, @0.5.7). Groups are placed one after another: actor,
    reference, critic, reward models; the vLLM engines come last, once the models are loaded.

    Example:
        # train_ppo_ray, openrlhf 0.5.7, cluster 4x4
        --advantage_estimator reinforce --actor_num_nodes 1 --actor_num_gpus_per_node 8 --vllm_num_engines 4

    Use instead:
        # train_ppo_ray, openrlhf 0.5.7, cluster 4x4
        --advantage_estimator reinforce --actor_num_nodes 2 --actor_num_gpus_per_node 4 --vllm_num_engines 4
        --ref_num_nodes 2 --ref_num_gpus_per_node 4
    """
    machines = launch.session.machines
    nodes, gpus = machines.nodes.need("cluster"), machines.gpus_per_node.need("cluster")
    if roles.total(launch) > nodes * gpus:
        return
    cpus = machines.cpus_per_node.number
    asked = tuple(placement.wishes(launch))
    blocked = placement.first_unplaceable(asked, nodes, gpus if cpus is None else min(gpus, cpus))
    if blocked is None:
        return
    yield launch.finding(
        f"{blocked.roles[0]}.num_nodes",
        f"{blocked.roles[0]}.num_gpus_per_node",
        message=(
            f"the group {_wish(blocked)} finds no {blocked.nodes} of {nodes} machines with {blocked.gpus} free GPUs"
            f"{' and CPUs' if cpus is not None and cpus < gpus else ''}, although {roles.total(launch)} GPUs of "
            f"{nodes * gpus} are asked for: OpenRLHF {launch.session.release} asks for whole nodes "
            f"({', '.join(map(_wish, asked))}), and Ray waits here without a message"
        ),
        help=(
            f"give each group nodes × GPUs that fit machines of {gpus} GPUs"
            + (f" and {cpus} CPUs" if cpus is not None and cpus < gpus else "")
            + ", or use 0.5.8 or newer, where groups may be spread freely"
        ),
    )


def _wish(wish: Wish) -> str:
    return f"{placement.titled(wish.roles)} {wish.nodes} × {wish.gpus}"


@rule("OR411", "too-few-cpus", severity=WARNING, stage=STARTUP, programs=PPO, applies=">=0.5.8")
def too_few_cpus(launch: TrainPPORay) -> Iterator[Draft]:
    r"""Each GPU that is asked for needs a CPU of its own, and the trainer one more.

    What happens: the launch waits for ever, without a message, as if GPUs were missing.

    Why: every bundle asks for one GPU and one CPU (trainer/ray/launcher.py@0.5.8, @0.11.2). Ray counts the CPUs that
    `ray start --num-cpus` says or that the job may use, which with Slurm are those of `--cpus-per-task`.

    Example:
        --- train.sh
        ray start --head --num-gpus 8 --num-cpus 4
        ray start --address 127.0.0.1:6379 --num-gpus 8 --num-cpus 4
        python3 -m openrlhf.cli.train_ppo_ray --algo.advantage.estimator reinforce --reward.remote_url rm.py \
           --train.colocate_actor_ref --vllm.num_engines 8

    Use instead:
        --- train.sh
        ray start --head --num-gpus 8 --num-cpus 32
        ray start --address 127.0.0.1:6379 --num-gpus 8 --num-cpus 32
        python3 -m openrlhf.cli.train_ppo_ray --algo.advantage.estimator reinforce --reward.remote_url rm.py \
           --train.colocate_actor_ref --vllm.num_engines 8
    """
    machines = launch.session.machines
    cpus = machines.cpus_per_node.need("cpus")
    nodes = machines.nodes.need("cluster")
    needed = roles.total(launch)
    gpus = machines.gpus_per_node.number
    usable = nodes * (cpus if gpus is None else min(cpus, gpus))
    if nodes * cpus > needed and usable >= needed:
        return
    if machines.gpus.number is not None and machines.gpus.number < needed:
        return
    span = machines.cpus_per_node.span
    reason = (
        f"{needed} GPUs and the trainer need {needed + 1} CPUs"
        if nodes * cpus <= needed
        else f"only {usable} GPUs can be used together with a CPU of their machine, and {needed} are asked for"
    )
    yield launch.finding(
        message=(
            f"{nodes} × {cpus} CPUs by {machines.cpus_per_node.source or machines.what}: {reason}; the groups wait for "
            "them without a message"
        ),
        help="raise --cpus-per-task of the job, or --num-cpus of ray start",
        at=span,
    )


@rule("OR412", "group-spans-nodes", severity=ADVICE, stage=SILENT, programs=PPO, applies=">=0.5.8")
def group_spans_nodes(launch: TrainPPORay) -> Iterator[Draft]:
    """GPUs that exchange data all the time should be on one machine.

    What happens: it works, with the traffic of each layer going over the network between machines.

    Why: bundles of one GPU may lie anywhere, and only vLLM's are sorted by machine, since 0.7.1 (get_bundle_indices in
    trainer/ray/utils.py@0.7.1). Rings and DeepSpeed tensor parallel groups are cut from the order of ranks, which
    Ray keeps for up to 16 bundles.

    Example:
        # train_ppo_ray, openrlhf 0.11.2, cluster 4x4
        --vllm.num_engines 1 --vllm.tensor_parallel_size 8

    Use instead:
        # train_ppo_ray, openrlhf 0.11.2, cluster 4x4
        --vllm.num_engines 2 --vllm.tensor_parallel_size 4
    """
    machines = launch.session.machines
    if machines.nodes.need("cluster") <= 1:
        return
    gpus = machines.gpus_per_node.need("cluster")
    tensor = launch.vllm.tensor_parallel_size
    if gpus > 0 and tensor > 1 and gpus % tensor:
        yield _spanning(launch, ("vllm.tensor_parallel_size",), f"an engine of {tensor} GPUs", gpus)
    size = roles.duplicates(launch)
    if gpus > 0 and size > 1:
        names = ("ds.ring_attn_size", "ds.tensor_parallel_size")
        if gpus % size:
            yield _spanning(launch, names, f"a ring or tensor parallel group of {size} GPUs", gpus)
        elif (actors := roles.role(launch, "actor").gpus) > _FEW_BUNDLES:
            yield launch.finding(
                *names,
                message=(
                    f"rings and tensor parallel groups of {size} follow the order of {actors} ranks, which Ray does "
                    f"not keep for more than {_FEW_BUNDLES}: some will have members on several machines"
                ),
                help="it works, with traffic between machines; groups of up to 16 GPUs keep their order",
            )


def _spanning(launch: TrainPPORay, names: tuple[str, ...], what: str, gpus: int) -> Draft:
    return launch.finding(
        *names,
        message=f"{what} does not fit evenly on machines of {gpus}: it will have members on several machines",
        help=f"divisors of {gpus} keep each group on one machine",
    )
