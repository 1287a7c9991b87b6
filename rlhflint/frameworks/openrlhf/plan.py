"""Placement and memory of OpenRLHF's programs, for people who are about to book GPUs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, cast

from rlhflint.frameworks.openrlhf import memory, placement, roles
from rlhflint.frameworks.openrlhf.programs import PPO, TRAINING
from rlhflint.plan import Group, Plan

if TYPE_CHECKING:
    from rlhflint.frameworks.openrlhf.models.train_ppo_ray import TrainPPORay
    from rlhflint.frameworks.openrlhf.training import Living
    from rlhflint.model import ProgramModel

_WORDS = {"ref": "reference", "vLLM": "vLLM"}


def plan(model: ProgramModel) -> Plan:
    """What is known of where a launch runs and what it takes there."""
    made = Plan(machines=model.session.machines)
    if model.session.launch.program not in TRAINING:
        made.undecided.append(("placement", f"{model.session.launch.program} is not planned"))
        return made
    launch = cast("Living", model)
    if launch.program == PPO:
        made.try_(lambda: _place(made, cast("TrainPPORay", launch)))
    else:
        made.try_(lambda: _processes(made, launch))
    made.card = made.try_(lambda: memory.card(launch))
    if made.card is not None or launch.program != PPO:
        planned = made.try_(lambda: memory.plan(launch))
        if planned is not None:
            made.tokens = planned.length
            made.estimate(memory.stages(launch, planned))
    if made.card is not None and launch.program == PPO:
        made.engine = made.try_(lambda: memory.engine(cast("TrainPPORay", launch)))
        _not_estimated(made)
    return made


def _not_estimated(made: Plan) -> None:
    """Name the groups whose memory is left out."""
    for group in made.groups:
        if not any(part == "actor" or part.startswith("vLLM") for part in group.parts):
            made.undecided.append((f"memory of {' and '.join(group.parts)}", "GPUs of their own are not estimated"))


def _place(made: Plan, launch: TrainPPORay) -> None:
    groups = roles.groups(launch)
    first = 0
    for group in groups:
        made.groups.append(Group(tuple(_parts(launch, group)), group.gpus, first, note=_note(launch, group)))
        first += group.gpus
    made.asked = first
    offered = made.offered
    blocked = placement.first_waiting(groups, offered) if offered is not None else None
    if blocked is None and not launch.session.since("0.5.8") and made.machines is not None:
        nodes, each = made.machines.nodes.number, made.machines.gpus_per_node.number
        if nodes is not None and each is not None:
            wish = placement.first_unplaceable(tuple(placement.wishes(launch)), nodes, each)
            made.blocked = f"{wish}, which has to find whole machines" if wish is not None else ""
    elif blocked is not None:
        made.blocked = placement.titled(blocked.roles)


def _parts(launch: TrainPPORay, group: roles.Group) -> Iterator[str]:
    for name in group.roles:
        if name == "vLLM":
            yield f"vLLM ({launch.vllm.num_engines} engines of {launch.vllm.tensor_parallel_size})"
        else:
            yield _WORDS.get(name, name)


def _note(launch: TrainPPORay, group: roles.Group) -> str:
    """What is smaller than the group it shares."""
    smaller = [
        f"{role.title} on {role.gpus} of them"
        for role in roles.roles(launch)
        if role.name in group.roles and role.gpus < group.gpus
    ]
    return ", ".join(smaller)


def _processes(made: Plan, launch: Living) -> None:
    world = launch.session.world
    total = world.total.need("processes")
    made.groups.append(Group(("training",), total, 0))
    made.asked = total
    if made.offered is not None and total > made.offered:
        made.blocked = "training"
