"""Counting the processes of any start."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from rlhflint.command import Command, Script
from rlhflint.launchers.count import Count, given_count, option_count
from rlhflint.launchers.environment import Environment, environment_of
from rlhflint.launchers.machines.devices import VISIBLE_DEVICES, docker_devices, visible_devices
from rlhflint.launchers.machines.slurm import SlurmRequest, header_of
from rlhflint.launchers.processes.world import ONE, ConfigValue, World
from rlhflint.launchers.unwrapping.start import ACCELERATE, DEEPSPEED, OTHER_MACHINES, Start, Wrapper


def processes(
    start: Start,
    command: Command,
    script: Script | None = None,
    *,
    accelerate_config: Mapping[str, ConfigValue] | None = None,
    hostfile: Mapping[str, int] | None = None,
) -> World:
    """How many processes a start has, on how many machines.

    Args:
        start: what `command` starts.
        command: the command itself, for its environment.
        script: the script it stands in, for the job's header.
        accelerate_config: the top-level values of the file that `accelerate launch --config_file` names.
        hostfile: machine → GPUs of the file that `deepspeed --hostfile` names (`deepspeed.read_hostfile`).
    """
    environment = environment_of(start, command, script)
    tasks = _tasks(start, script)
    launcher = start.launcher
    if launcher is not None and launcher.name == DEEPSPEED:
        from rlhflint.launchers.processes.deepspeed import deepspeed_world

        world = deepspeed_world(launcher, environment, hostfile)
    elif launcher is not None and launcher.name == ACCELERATE:
        from rlhflint.launchers.processes.accelerate import accelerate_world

        world = accelerate_world(launcher, environment, accelerate_config)
    elif launcher is not None:
        from rlhflint.launchers.processes.torchrun import torchrun_world

        world = torchrun_world(launcher, environment)
    elif any(not wrapper.name for wrapper in start.wrappers):
        world = World.unknown("", next(wrapper.more for wrapper in start.wrappers if not wrapper.name))
    else:
        world = _plain(start, environment, tasks)
    return replace(world, tasks=tasks, devices=_in_container(start, world.devices))


def _plain(start: Start, environment: Environment, tasks: Count) -> World:
    """A program without a launcher of processes: one, or one for each task of `srun`, `mpirun`."""
    visible = environment.value(VISIBLE_DEVICES)
    devices = visible_devices(visible) if visible is not None else None
    name = "python" if start.wrapper("python") or start.target.text.endswith(".py") else ""
    group = environment.variables.get("WORLD_SIZE")
    if group is not None and group.value.text != "1":
        # The program joins a group of processes that something else starts, if it looks at the variable at all.
        unknown = Count.unknown("WORLD_SIZE is set", group.value.span)
        return World(name, unknown, unknown, unknown, devices)
    if tasks.number == 1:
        return World(name, ONE, ONE, ONE, devices)
    because = tasks.because or f"whether the {tasks.number} tasks of {tasks.source} work together is up to the program"
    unknown = Count.unknown(because, tasks.span)
    return World(name, unknown, unknown, unknown, devices)


def _in_container(start: Start, devices: Count | None) -> Count | None:
    """The GPUs that a container is given, where nothing inside it narrows them down further."""
    for wrapper in reversed(start.wrappers):
        gpus = wrapper.value("gpus") if wrapper.name in ("docker run", "podman run", "nvidia-docker run") else None
        if devices is None and gpus is not None:
            return docker_devices(gpus)
    return devices


def _tasks(start: Start, script: Script | None) -> Count:
    """How often the innermost command is started."""
    wrappers = list(start.wrappers)
    carried = [index for index, wrapper in enumerate(wrappers) if wrapper.name in OTHER_MACHINES]
    tasks = ONE
    for wrapper in wrappers[carried[-1] + 1 if carried else 0 :]:
        if wrapper.name == "srun":
            tasks = tasks.times(_step_tasks(wrapper, header_of(script) if script else None))
        elif wrapper.name == "mpirun":
            tasks = tasks.times(option_count(wrapper, "n") or Count.unknown("mpirun without -n uses every slot"))
    return tasks


def _step_tasks(step: Wrapper, header: SlurmRequest | None) -> Count:
    """The tasks of an `srun`: its own options first, then the job's (Slurm srun.1@26.11)."""
    ntasks = step.given("ntasks")
    if ntasks is not None:
        return given_count(step, ntasks)
    nodes = step.given("nodes")
    machines = given_count(step, nodes) if nodes else header.nodes if header else ONE
    per_node = step.given("ntasks_per_node")
    if per_node is not None:
        return given_count(step, per_node).times(machines)
    if step.more:
        return Count.unknown(step.more)
    if header is None:
        return machines
    if nodes is None:
        return header.ntasks
    if header.options.given("ntasks_per_node"):
        return header.tasks_per_node.times(machines)
    return header.ntasks if header.options.given("ntasks") else machines
