"""Numbers of processes: more than GPUs, two of them for one launch, and such that machines cannot share."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rlhflint.launchers.count import given_count
from rlhflint.launchers.machines.slurm import header_of
from rlhflint.launchers.unwrapping.start import ACCELERATE, OTHER_MACHINES
from rlhflint.proposal import UNSAFE, Proposal, Rewrite
from rlhflint.rule import ADVICE, ERROR, STARTUP, WARNING, Draft, rule
from rlhflint.text import Span
from rlhflint.value import Undetermined

if TYPE_CHECKING:
    from rlhflint.launchers import Wrapper
    from rlhflint.launchers.count import Count
    from rlhflint.model import ProgramModel

_COUNTING = {"torchrun": "nproc_per_node", "torch.distributed.launch": "nproc_per_node", ACCELERATE: "num_processes"}


def _on_cpu(launch: ProgramModel) -> bool:
    return "use_cpu" in type(launch).model_fields and bool(launch.held("use_cpu"))


@rule("LA401", "more-processes-than-gpus", severity=ERROR, stage=STARTUP, programs="*", fix="unsafe")
def more_processes_than_gpus(launch: ProgramModel) -> Iterator[Draft]:
    """Every process on a machine needs a GPU of its own.

    What happens: "invalid device ordinal" when the processes start.

    Why: process n takes GPU n. The configurations of accelerate that come with TRL all say 8 processes
    (trl/accelerate_configs/zero3.yaml@1.9.0).

    Example:
        # trl 1.9.0
        --- run.sh
        CUDA_VISIBLE_DEVICES=0,1 accelerate launch --num_processes 4 trl/scripts/sft.py --model_name_or_path m \\
          --dataset_name d

    Use instead:
        # trl 1.9.0
        --- run.sh
        CUDA_VISIBLE_DEVICES=0,1 accelerate launch --num_processes 2 trl/scripts/sft.py --model_name_or_path m \\
          --dataset_name d
    """
    if launch.session.placed_by_ray:
        return
    world = launch.session.world
    count = world.per_node.need("processes")
    if count < 2:
        return
    machines = launch.session.machines
    gpus = world.devices if world.devices is not None and world.devices.known else machines.gpus_per_node
    there = gpus.need("cluster")
    if 0 < there < count and not _on_cpu(launch):
        yield launch.finding(
            at=world.per_node.span,
            message=f"{count} processes are started on a machine ({world.per_node.source}), and there are {there} GPUs "
            f"for them ({gpus.source or machines.what})",
            help=f"start {there} processes, or give them {count} GPUs",
            proposal=_fewer(launch, there),
        )


def _fewer(launch: ProgramModel, there: int) -> Proposal | None:
    """A process for each GPU, where the launcher's own option says how many there are."""
    start, world = launch.session.start, launch.session.world
    launcher = start.launcher if start is not None else None
    command = launch.session.launch.command
    if launcher is None or command is None or launcher.more or world.nodes.number is None:
        return None
    option = launcher.given(_COUNTING.get(launcher.name, "num_gpus"))
    span = option.value.verbatim_span if option is not None and option.value is not None else None
    # The number of a variable may be that of other commands too.
    if option is None or span is None or not command.says(span):
        return None
    number = there * world.nodes.number if launcher.name == ACCELERATE else there
    return Proposal(f"Write {option.flag.text} {number}", UNSAFE, (Rewrite(span, str(number)),))


@rule("LA403", "processes-per-machine", severity=ERROR, stage=STARTUP, programs="*")
def processes_per_machine(launch: ProgramModel) -> Iterator[Draft]:
    """accelerate's number of processes is that of all machines, and each has the same part of it.

    What happens: machines wait for processes that nobody starts, until the rendezvous times out.

    Why: each machine starts num_processes // num_machines of them (accelerate/utils/launch.py@1.15.0).

    Example:
        # trl 1.9.0
        --- run.sh
        accelerate launch --num_machines 2 --num_processes 9 trl/scripts/sft.py --model_name_or_path m --dataset_name d

    Use instead:
        # trl 1.9.0
        --- run.sh
        accelerate launch --num_machines 2 --num_processes 16 trl/scripts/sft.py --model_name_or_path m --dataset_name d
    """
    world = launch.session.world
    if world.launcher != ACCELERATE:
        return
    machines = world.nodes.need("machines")
    if machines < 2:
        return
    total = world.total.need("processes")
    if total % machines:
        yield launch.finding(
            at=world.total.span,
            message=f"{total} processes cannot be shared by {machines} machines: num_processes counts those of all "
            "machines",
            help=f"write a multiple of {machines}",
        )


@rule("LA204", "two-process-counts", severity=WARNING, stage=STARTUP, programs="*")
def two_process_counts(launch: ProgramModel) -> Iterator[Draft]:
    """One launch has one number of processes.

    What happens: the last one counts, or, where one launcher starts another, each process starts more of them.

    Why: torchrun does not read accelerate's configuration, and both start processes
    (accelerate/commands/launch.py@1.15.0).

    Example:
        # trl 1.9.0
        --- run.sh
        accelerate launch --num_processes 4 --num_processes 8 trl/scripts/sft.py --model_name_or_path m --dataset_name d

    Use instead:
        # trl 1.9.0
        --- run.sh
        accelerate launch --num_processes 8 trl/scripts/sft.py --model_name_or_path m --dataset_name d
    """
    start = launch.session.start
    launchers = [one for one in start.wrappers if one.name in _COUNTING] if start is not None else []
    for wrapper in launchers:
        counts = _counts(wrapper)
        if len({count.number for count in counts}) > 1:
            yield launch.finding(
                at=counts[0].span,
                message=f"{wrapper.name} is given two numbers of processes, {counts[0].number} and {counts[-1].number}"
                ": the last one counts",
                help="keep the one you mean",
            )
    if len(launchers) > 1:
        outer, inner = launchers[0], launchers[-1]
        yield launch.finding(
            at=inner.words[0].span,
            message=f"{outer.name} starts {inner.name}, and both start processes: there will be one {inner.name} for "
            f"each process of {outer.name}",
            help="start the script with one of them",
        )


def _counts(wrapper: Wrapper) -> list[Count]:
    """The known numbers of processes that a launcher is given, in their order."""
    counts = [given_count(wrapper, option) for option in wrapper.all(_COUNTING[wrapper.name])]
    return [count for count in counts if count.known]


@rule("LA402", "sbatch-without-gpus", severity=ADVICE, stage=STARTUP, programs="*", fix="unsafe")
def sbatch_without_gpus(launch: ProgramModel) -> Iterator[Draft]:
    """A job has to ask Slurm for the GPUs it needs.

    What happens: on most clusters the job runs without any and fails when the first model is put on a GPU.

    Why: GPUs are given to jobs that ask for them, with --gres, --gpus or --gpus-per-node, or that have a machine for
    themselves (Slurm sbatch.1@26.11).

    Example:
        # trl 1.9.0
        --- run.sh
        #SBATCH --nodes=1
        accelerate launch --num_processes 4 trl/scripts/sft.py --model_name_or_path m --dataset_name d

    Use instead:
        # trl 1.9.0
        --- run.sh
        #SBATCH --nodes=1
        #SBATCH --gpus-per-node=4
        accelerate launch --num_processes 4 trl/scripts/sft.py --model_name_or_path m --dataset_name d
    """
    session = launch.session
    if not session.trains:
        return
    header = header_of(session.launch.script) if session.launch.script is not None else None
    if header is None or header.asks_for_gpus or header.exclusive or session.start is None:
        return
    if header.options.more:
        raise Undetermined("cluster", header.options.more)
    steps = [wrapper for wrapper in session.start.wrappers if wrapper.name == "srun"]
    elsewhere = any(wrapper.name in OTHER_MACHINES or not wrapper.name for wrapper in session.start.wrappers)
    asking = any(option.name.startswith(("gpus", "gres")) for step in steps for option in step.options)
    if asking or elsewhere or _on_cpu(launch):
        return
    yield launch.finding(
        at=header.span,
        message="the #SBATCH header asks for no GPUs, nor for whole machines",
        help="write #SBATCH --gpus-per-node=N, or --gres=gpu:N",
        proposal=_asking(launch),
    )


def _asking(launch: ProgramModel) -> Proposal | None:
    """A further line of the header that asks for a GPU for each process of a machine."""
    script, count = launch.session.launch.script, launch.session.world.per_node.number
    lines = [one.span for one in script.directives if one.span is not None] if script is not None else []
    if not lines or not count or launch.session.world.launcher in ("", "python"):
        return None
    end, line = lines[-1].end, f"#SBATCH --gpus-per-node={count}"
    return Proposal(f"Write {line}", UNSAFE, (Rewrite(Span(lines[-1].path, end, end), f"\n{line}"),))
