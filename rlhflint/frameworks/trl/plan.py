"""Placement and memory of TRL's trainers, for people who are about to book GPUs."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from rlhflint.frameworks.trl import memory
from rlhflint.frameworks.trl.machines import servers, training_gpus
from rlhflint.frameworks.trl.programs import VLLM_SERVE, WITH_VLLM
from rlhflint.frameworks.trl.vllm import COLOCATE, SERVER, mode
from rlhflint.launchers.machines.devices import VISIBLE_DEVICES
from rlhflint.plan import Group, Plan
from rlhflint.value import Undetermined, if_known

if TYPE_CHECKING:
    from rlhflint.frameworks.trl.models.shared import TrainerModel
    from rlhflint.frameworks.trl.models.vllm_serve import VllmServeModel
    from rlhflint.model import ProgramModel


def plan(model: ProgramModel) -> Plan:
    """What is known of where a launch runs and what it takes there."""
    machines = model.session.machines
    # What one command may see is not what there is: the server beside it sees other GPUs.
    made = Plan(machines=None if VISIBLE_DEVICES in machines.what else machines)
    program = model.session.launch.program
    if program == VLLM_SERVE:
        server = cast("VllmServeModel", model)
        made.try_(lambda: _server(made, server))
        made.engine = made.try_(lambda: memory.served_engine(server))
        return made
    made.try_(lambda: _processes(made, model))
    if program not in memory.ESTIMATED:
        made.undecided.append(("memory", f"what {program} takes is not estimated"))
        return made
    launch = cast("TrainerModel", model)
    made.card = made.try_(lambda: memory.card(launch))
    made.tokens = if_known(lambda: memory.length(launch))
    stage = made.try_(lambda: memory.training(launch, checkpointing=bool(launch.gradient_checkpointing)))
    if stage is not None:
        made.stages.append(stage)
    if made.card is not None:
        made.engine = made.try_(lambda: memory.colocated_engine(launch))
    return made


def _server(made: Plan, launch: VllmServeModel) -> None:
    size = launch.tensor_parallel_size * (getattr(launch, "data_parallel_size", None) or 1)
    made.groups.append(Group(("vLLM",), size, 0))
    made.asked = size
    if made.offered is not None and size > made.offered:
        made.blocked = "vLLM"


def _processes(made: Plan, model: ProgramModel) -> None:
    session = model.session
    where = made.try_(lambda: mode(model)) if session.launch.program in WITH_VLLM else None
    total = session.world.total.need("processes")
    names = if_known(lambda: training_gpus(session)) or ()
    parts = ("training", "vLLM (in each process)") if where == COLOCATE else ("training",)
    made.groups.append(Group(parts, total, 0, names))
    made.asked = total
    if where == SERVER:
        started = list(servers(session))
        for server in started:
            taken = server.gpus()
            shared = [name for name in taken if name in names]
            note = f"{', '.join(shared)} shared with training" if shared else ""
            made.groups.append(Group(("vLLM server",), len(taken), made.asked, taken, note))
            made.asked += len(taken) - len(shared)
        if not started:
            raise Undetermined("vllm_server_host", "the server of vLLM is started elsewhere; its GPUs are not counted")
    if made.offered is not None and made.asked > made.offered:
        made.blocked = " + ".join(made.groups[-1].parts)
