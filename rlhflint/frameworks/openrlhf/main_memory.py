"""Main memory that a launch takes on one of its machines, in bytes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rlhflint.frameworks.openrlhf import memory, roles
from rlhflint.frameworks.openrlhf.model_paths import facts, model_of, trained
from rlhflint.frameworks.openrlhf.training import is_ppo
from rlhflint.memory import GIB, MIB
from rlhflint.value import Undetermined

if TYPE_CHECKING:
    from rlhflint.frameworks.openrlhf.models.train_ppo_ray import TrainPPORay
    from rlhflint.frameworks.openrlhf.training import Living
    from rlhflint.launchers.count import Count


def asked_for(launch: Living) -> Count | None:
    """MiB of a machine that the job asks Slurm for; None where it does not say."""
    slurm = launch.session.offer.slurm if launch.session.offer is not None else None
    if slurm is None or not any(slurm.options.given(name) for name in ("mem", "mem_per_gpu")):
        return None
    return slurm.memory


def of_job(launch: Living) -> float | None:
    """What a machine gives the job; None where the job does not say. Raises `Undetermined` where it is not known."""
    asked = asked_for(launch)
    return None if asked is None else asked.need("memory") * MIB


def of_machine(launch: Living) -> float | None:
    """What a machine has; None where all that is said is what the job asks for (see `of_job`)."""
    if launch.session.site.cluster is None and asked_for(launch) is not None:
        return None
    return launch.session.machines.memory_gib.need("memory") * GIB


def processes(launch: Living) -> tuple[int, int]:
    """Processes of the trained model in all, and on one machine."""
    if not is_ppo(launch):
        world = launch.session.world
        return world.total.need("processes"), world.per_node.need("processes")
    gpus = roles.role(launch, "actor").gpus
    machines = launch.session.machines
    if machines.nodes.number == 1:
        return gpus, gpus
    return gpus, min(gpus, machines.gpus_per_node.need("cluster"))


def sleeps(launch: TrainPPORay) -> bool:
    """Whether engines go to sleep, which they do where they share GPUs with the models."""
    return roles.shares_with_engines(launch) and launch.vllm.enable_sleep


def asleep(launch: TrainPPORay) -> float:
    """What sleeping engines keep: 2 bytes × parameters ÷ tensor parallel size for each of their GPUs."""
    return 2 * _params(launch) / max(launch.vllm.tensor_parallel_size, 1) * processes(launch)[1]


def offloaded(launch: Living) -> float:
    """What the optimizer takes; nothing where it stays on the GPUs."""
    if not launch.ds.adam_offload:
        return 0
    total, local = processes(launch)
    moved = 0 if launch.ds.lora.rank > 0 else _params(launch)
    return memory.zero_of(launch, total).main_memory(moved) * local


def copies_when_saving(launch: Living) -> bool:
    """Whether every process copies the whole model when it is saved: below ZeRO-3, unless adapters alone are saved."""
    return launch.ds.zero_stage < 3 and launch.ds.lora.rank == 0


def saved(launch: Living) -> float:
    """What these copies take: 2 bytes × parameters for each process."""
    return 2.0 * _params(launch) * processes(launch)[1]


def _params(launch: Living) -> int:
    """Parameters of the trained model, exact or by its name."""
    model = model_of(launch, "actor") if is_ppo(launch) else trained(launch)
    known = facts(launch, model, certain=False).params
    if known is None:
        raise Undetermined(model.setting, f"the size of {model.name} is not known")
    return known
