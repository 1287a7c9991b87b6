"""Processes that `accelerate launch` starts (accelerate/commands/launch.py, utils/launch.py@1.15.0)."""

from __future__ import annotations

from collections.abc import Container, Mapping
from dataclasses import replace

from rlhflint.launchers.count import Count, option_count
from rlhflint.launchers.environment import Environment
from rlhflint.launchers.machines.devices import VISIBLE_DEVICES, visible_devices
from rlhflint.launchers.options.reading import read_options
from rlhflint.launchers.options.table import launcher_table
from rlhflint.launchers.processes.world import ConfigValue, World
from rlhflint.launchers.unwrapping.start import ACCELERATE, Start, Wrapper

_KINDS = ("multi_gpu", "use_deepspeed", "use_fsdp", "use_megatron_lm", "tpu", "tpu_cluster")
"""Switches that say how to spread the processes, whatever a configuration says."""
_NO_CONFIG = "neither --num_processes nor --config_file is given: the user's own configuration or all GPUs decide"


def accelerate_world(
    launcher: Wrapper, environment: Environment, config: Mapping[str, ConfigValue] | None = None
) -> World:
    """Count the processes: `--num_processes` in all, over `--num_machines` machines.

    `config` is the content of `--config_file` by top-level key, where the caller could read it: options win over it.
    Without both the file of the user's own cache may decide, so that nothing is known.
    """
    file = launcher.value("config_file")
    visible = launcher.value("gpu_ids") or environment.value(VISIBLE_DEVICES)
    devices = None
    if visible is not None and visible.text != "all":
        source = "--gpu_ids" if launcher.given("gpu_ids") else VISIBLE_DEVICES
        devices = visible_devices(visible, source)
    if launcher.given("cpu") and not launcher.given("mpirun_hostfile"):
        one = Count(1, "--cpu")
        return World(ACCELERATE, one, one, one, devices, config_file=file)
    if config is not None and "compute_environment" in config:
        place = config["compute_environment"]
        if place.value == "AMAZON_SAGEMAKER":
            return replace(World.unknown(ACCELERATE, "SageMaker decides how many machines there are"), config_file=file)
    unread = _NO_CONFIG
    if file is not None:
        unread = file.because or f"{file.text[:80]} is not read"
    total = option_count(launcher, "num_processes")
    nodes = option_count(launcher, "num_machines")
    if config is not None and _single(launcher, config):
        one = Count(1, "distributed_type NO", config["distributed_type"].span)
        return World(ACCELERATE, one, one, one, devices, config_file=file)
    if total is None:
        total = _configured(config, "num_processes") or Count.unknown(unread)
    if nodes is None:
        nodes = _configured(config, "num_machines")
    if nodes is None:
        # Without a configuration at hand one machine is accelerate's default; an unread file may say otherwise.
        nodes = Count.unknown(unread) if file is not None and config is None else Count(1, "accelerate's default")
    return World(ACCELERATE, total.divided(nodes), nodes, total, devices, config_file=file)


def _single(launcher: Wrapper, config: Mapping[str, ConfigValue]) -> bool:
    """Whether the configuration leads to a single process, as `distributed_type: "NO"` does whatever the number."""
    kind = config.get("distributed_type")
    if kind is None or launcher.more or any(launcher.given(name) for name in _KINDS):
        return False
    # YAML 1.1 reads an unquoted NO as False, which is no kind of distribution to accelerate either.
    return kind.value in ("NO", "MULTI_CPU", False) and config.get("mpirun_config") is None


def _configured(config: Mapping[str, ConfigValue] | None, key: str) -> Count | None:
    entry = config.get(key) if config else None
    if entry is None:
        return None
    if isinstance(entry.value, int) and not isinstance(entry.value, bool) and entry.value >= 0:
        return Count(entry.value, key, entry.span)
    return Count.unknown(f"{key} is {entry.value!r}"[:80], entry.span)


def handed_to_accelerate(start: Start, own: Container[str] = ()) -> Wrapper:
    """The options of accelerate among the arguments of a program that hands them on, as `trl` does.

    `own` are canonical names that the program keeps to itself, spelt with `_`. Words that are no option of accelerate
    are left out; `more` says why others may be given that cannot be seen.
    """
    reading = read_options(start.arguments, launcher_table("accelerate_launch"), interspersed=True)
    options = tuple(option for option in reading.options if option.name and option.name not in own)
    return replace(Wrapper(ACCELERATE, (start.target,)), options=options, more=reading.more)
