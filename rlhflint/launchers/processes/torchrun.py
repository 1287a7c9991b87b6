"""Processes that `torchrun` and `python -m torch.distributed.launch` start (torch/distributed/run.py@2.11.0)."""

from __future__ import annotations

from rlhflint.launchers.count import Count, count_of, option_count
from rlhflint.launchers.environment import Environment
from rlhflint.launchers.machines.devices import VISIBLE_DEVICES, visible_devices
from rlhflint.launchers.processes.world import World
from rlhflint.launchers.unwrapping.start import Wrapper
from rlhflint.text import Traced


def torchrun_world(launcher: Wrapper, environment: Environment) -> World:
    """Count the processes: `--nproc-per-node` on each of `--nnodes` machines, 1 on 1 unless given.

    A variable `PET_NNODES` or `PET_NPROC_PER_NODE` stands for the option that is not given.
    """
    visible = environment.value(VISIBLE_DEVICES)
    devices = visible_devices(visible) if visible is not None else None
    per_node = _per_node(launcher, environment, devices)
    nodes = _nodes(launcher, environment)
    return World(launcher.name, per_node, nodes, per_node.times(nodes), devices)


def _given(launcher: Wrapper, environment: Environment, name: str) -> tuple[Traced | None, str]:
    """The text in force for an option, and what says it."""
    option = launcher.given(name)
    if option is not None:
        return option.value, option.flag.text
    variable = f"PET_{name.upper()}"
    return environment.value(variable), variable


def _per_node(launcher: Wrapper, environment: Environment, devices: Count | None) -> Count:
    word, source = _given(launcher, environment, "nproc_per_node")
    if word is not None and word.text in ("gpu", "auto"):
        if devices is not None:
            return devices
        return Count.unknown(f"{source} {word.text} takes all GPUs of the machine, however many it has", word.span)
    if word is None:
        return option_count(launcher, "nproc_per_node") or Count(1, f"{launcher.name}'s default")
    return option_count(launcher, "nproc_per_node") or count_of(word, source)


def _nodes(launcher: Wrapper, environment: Environment) -> Count:
    if launcher.given("standalone"):
        return Count(1, "--standalone")
    word, source = _given(launcher, environment, "nnodes")
    if word is None:
        return option_count(launcher, "nnodes") or Count(1, f"{launcher.name}'s default")
    if word.known and ":" in word.text:
        least, _, most = word.text.partition(":")
        if least.strip() == most.strip():
            return count_of(word[: len(least)], source)
        return Count.unknown(f"{source} lets it run on {least} to {most} machines", word.span)
    return option_count(launcher, "nnodes") or count_of(word, source)
