"""Where the processes of a launch and the servers beside it run: GPUs they see, and GPUs they take."""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING

from rlhflint.launchers import start_of
from rlhflint.launchers.count import Count, count_of
from rlhflint.launchers.environment import environment_of
from rlhflint.launchers.machines.devices import VISIBLE_DEVICES, device_names
from rlhflint.records import dataclass
from rlhflint.value import Undetermined

if TYPE_CHECKING:
    from rlhflint.command import Command, Script
    from rlhflint.launchers import Start
    from rlhflint.session import Session

_ELSEWHERE = ("ssh", "srun", "mpirun", "ray job submit", "kubectl exec", "docker run", "podman run")
"""What may carry a command to another machine, or to other GPUs."""
_LOCAL = ("0.0.0.0", "localhost", "127.0.0.1")


def gpus_per_machine(session: Session) -> Count:
    """How many GPUs the processes of one machine see: by their environment, else by what is said of the machines."""
    devices = session.world.devices
    return devices if devices is not None and devices.known else session.machines.gpus_per_node


@dataclass(frozen=True, slots=True)
class Server:
    """A server of vLLM that the script of a launch starts: `trl vllm-serve` or `vllm serve`."""

    start: Start
    command: Command
    script: Script

    @property
    def visible(self) -> str | None:
        """Its CUDA_VISIBLE_DEVICES, None where nothing sets it."""
        return _visible(self.start, self.command, self.script)

    def size(self, name: str) -> Count:
        """The value of `tensor_parallel_size` or `data_parallel_size`; 1 where it is not given."""
        words = self.start.arguments
        for word, value in pairwise([*words, *words[-1:]]):
            flag, equals, joined = word.text.partition("=")
            if flag.lstrip("-").replace("-", "_") == name and flag.startswith("--"):
                return count_of(word[len(flag) + 1 :] if equals and joined else value, flag)
        return Count(1, "vLLM's default")

    def gpus(self) -> tuple[str, ...]:
        """The GPUs it takes. Raises `Undetermined` where they are not known."""
        number = self.size("tensor_parallel_size").times(self.size("data_parallel_size"))
        return taken(self.visible, number.need("GPUs of the server"))


def servers(session: Session) -> Iterator[Server]:
    """The servers of vLLM that the script of a launch starts on the same machine."""
    script = session.launch.script
    for command in script.commands if script is not None else ():
        start = start_of(command)
        if script is None or start is None or start.kind != "program" or not start.arguments:
            continue
        words = (os.path.basename(start.target.text), start.arguments[0].text)
        if words in (("trl", "vllm-serve"), ("vllm", "serve")) and not moved(start):
            yield Server(start, command, script)


def moved(start: Start) -> bool:
    """Whether something may carry a command to another machine, or give it other GPUs."""
    return any(wrapper.name in _ELSEWHERE or not wrapper.name for wrapper in start.wrappers)


def is_local(host: str) -> bool:
    """Whether a server's host is the machine itself."""
    return host in _LOCAL


def _visible(start: Start, command: Command, script: Script | None) -> str | None:
    """CUDA_VISIBLE_DEVICES of a command; None where nothing sets it. Raises `Undetermined` where it is not known."""
    word = environment_of(start, command, script).value(VISIBLE_DEVICES)
    if word is None:
        return None
    if not word.known:
        raise Undetermined(VISIBLE_DEVICES, word.because)
    return word.text


def taken(visible: str | None, number: int) -> tuple[str, ...]:
    """The first `number` of the GPUs that are visible; all are where nothing says so."""
    if visible is None:
        return tuple(map(str, range(number)))
    names = device_names(visible)
    if names is None:
        raise Undetermined(VISIBLE_DEVICES, f"it is {visible[:40]!r}")
    return names[:number]


def training_gpus(session: Session) -> tuple[str, ...]:
    """The GPUs that the processes of a launch on one machine take. Raises `Undetermined` where they are not known."""
    launch = session.launch
    if launch.start is None or launch.command is None or moved(launch.start):
        raise Undetermined(VISIBLE_DEVICES, "where it runs is not known")
    count = session.world.per_node.need("processes")
    return taken(_visible(launch.start, launch.command, launch.script), count)
