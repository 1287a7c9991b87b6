"""How many processes a command starts, on how many machines, and which GPUs they may use."""

from __future__ import annotations

from rlhflint.launchers.count import Count
from rlhflint.records import dataclass
from rlhflint.text import Span, Traced

ONE = Count(1)


@dataclass(frozen=True, slots=True)
class Ignored:
    """A setting of the launch that its launcher takes no notice of: its name, place, and why."""

    name: str
    span: Span | None
    because: str


@dataclass(frozen=True, slots=True)
class World:
    """The processes of one start.

    `launcher` is the canonical name of what starts them: one of `PROCESS_LAUNCHERS`, `python`, or empty for a program
    that is not known. `per_node` is processes on one machine, `nodes` machines, `total` all processes. `devices` is
    how many GPUs those of one machine may use, where the command or its environment says so, None where it does not.
    `tasks` is how often the launcher itself is started: more than once under `srun` or `mpirun`.
    """

    launcher: str
    per_node: Count
    nodes: Count
    total: Count
    devices: Count | None = None
    tasks: Count = ONE
    ignored: tuple[Ignored, ...] = ()
    config_file: Traced | None = None
    """accelerate's configuration: the numbers depend on it and were counted without it."""
    hostfile: Traced | None = None
    """DeepSpeed's list of machines: the numbers depend on it and were counted without it."""

    @classmethod
    def unknown(cls, launcher: str, because: str) -> World:
        """Processes of which nothing is known."""
        count = Count.unknown(because)
        return cls(launcher, count, count, count)


@dataclass(frozen=True, slots=True)
class ConfigValue:
    """A value of a configuration file, typed as the launcher reads it, and its characters."""

    value: object
    span: Span | None = None
