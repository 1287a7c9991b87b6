"""Processes that the `deepspeed` launcher starts (deepspeed/launcher/runner.py@0.19.8)."""

from __future__ import annotations

import re
from collections.abc import Mapping

from rlhflint.expressions import expression
from rlhflint.launchers.count import Count, option_count
from rlhflint.launchers.environment import Environment
from rlhflint.launchers.machines.devices import VISIBLE_DEVICES, visible_devices
from rlhflint.launchers.processes.world import Ignored, World
from rlhflint.launchers.unwrapping.start import Wrapper
from rlhflint.records import dataclass
from rlhflint.text import Traced

_SLOTS = expression(r"(\S+)\s+slots=(\d{1,6})")


class BadHostfile(Exception):
    """A hostfile that DeepSpeed refuses; the message says why, `line` counts from 1."""

    def __init__(self, message: str, line: int) -> None:
        super().__init__(message)
        self.line = line


@dataclass(frozen=True, slots=True)
class Resources:
    """The value of `--include` or `--exclude`: host → slots, an empty tuple for all of them."""

    hosts: Mapping[str, tuple[int, ...]]


def read_hostfile(text: str) -> dict[str, int]:
    """Machine → GPUs of a hostfile: lines `worker-0 slots=8`. Raises `BadHostfile` as DeepSpeed would."""
    hosts: dict[str, int] = {}
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.strip().startswith("#"):
            continue
        found = _SLOTS.match(line.strip())
        if found is None:
            raise BadHostfile(f"{line.strip()[:60]!r} is no `host slots=N`", number)
        if found[1] in hosts:
            raise BadHostfile(f"{found[1]} is named twice", number)
        hosts[found[1]] = int(found[2])
    if not hosts:
        raise BadHostfile("it names no machine", 1)
    return hosts


def read_resources(text: str) -> Resources | None:
    """The machines and slots that a text such as `worker-0@worker-1:0,2` names; None where it names none rightly."""
    hosts: dict[str, tuple[int, ...]] = {}
    for part in text.split("@"):
        host, colon, slots = part.partition(":")
        if not host or (colon and not re.fullmatch(r"\s*\d{1,18}\s*(,\s*\d{1,18}\s*)*", slots)):
            return None
        named = {int(slot) for slot in slots.split(",")} if colon else set()
        hosts[host] = tuple(sorted({*hosts.get(host, ()), *named}))
    return Resources(hosts)


def deepspeed_world(launcher: Wrapper, environment: Environment, hostfile: Mapping[str, int] | None = None) -> World:
    """Count the processes of a `deepspeed` command.

    Without `--hostfile` they are on this machine alone (DeepSpeed would also take `/job/hostfile`, which is taken not
    to be there). `hostfile` is the content of the file that `--hostfile` names, where the caller could read it.
    """
    file = launcher.value("hostfile")
    include, exclude = launcher.value("include"), launcher.value("exclude")
    gpus, nodes = option_count(launcher, "num_gpus"), option_count(launcher, "num_nodes")
    visible = environment.value(VISIBLE_DEVICES)
    if gpus is not None and gpus.number == 0:
        gpus = None
    ignored: tuple[Ignored, ...] = ()
    filters = [option for name in ("include", "exclude", "num_gpus") if (option := launcher.given(name))]
    if visible is not None and visible.text and file is None and filters:
        because = f"deepspeed drops it where {filters[0].flag.text} is given"
        ignored = (Ignored(VISIBLE_DEVICES, visible.span, because),)
    if include is not None:
        return _included(launcher, include, file, ignored)
    if file is not None:
        return _over_hosts(launcher, file, hostfile, gpus, nodes, exclude, ignored)
    if nodes is not None and nodes.number != 1:
        nodes = Count.unknown(nodes.because or "--num_nodes needs a hostfile", nodes.span)
    machines = nodes or Count(1, "deepspeed without --hostfile")
    if gpus is not None:
        per_node = gpus
    elif exclude is not None:
        per_node = Count.unknown("all GPUs of the machine but those of --exclude are used", exclude.span)
    elif launcher.more:
        per_node = Count.unknown(launcher.more)
    elif visible is not None and visible.text:
        per_node = visible_devices(visible)
    else:
        per_node = Count.unknown("all GPUs of the machine are used, however many it has")
    devices = None if gpus is not None or visible is None else visible_devices(visible)
    return World("deepspeed", per_node, machines, per_node.times(machines), devices, ignored=ignored)


def _included(launcher: Wrapper, include: Traced, file: Traced | None, ignored: tuple[Ignored, ...]) -> World:
    option = launcher.given("include")
    resources = read_resources(include.text) if include.known and option is not None and option.certain else None
    if resources is None:
        because = include.because or launcher.more or f"--include is {include.text[:40]!r}"
        per_node = nodes = total = Count.unknown(because, include.span)
    else:
        nodes = Count(len(resources.hosts), "--include", include.span)
        sizes = {len(slots) for slots in resources.hosts.values()}
        total = per_node = Count.unknown("--include names machines without their GPUs", include.span)
        if 0 not in sizes:
            total = Count(sum(len(slots) for slots in resources.hosts.values()), "--include", include.span)
            if len(sizes) == 1:
                per_node = Count(sizes.pop(), "--include", include.span)
    return World("deepspeed", per_node, nodes, total, per_node, ignored=ignored, hostfile=file)


def _over_hosts(
    launcher: Wrapper,
    file: Traced,
    hostfile: Mapping[str, int] | None,
    gpus: Count | None,
    nodes: Count | None,
    exclude: Traced | None,
    ignored: tuple[Ignored, ...],
) -> World:
    """Over the machines of a hostfile, the first `--num_nodes` of them with `--num_gpus` each."""
    name = file.text if file.known else "the hostfile"
    unread = Count.unknown(file.because or f"{name} is not read", file.span)
    if hostfile is None or exclude is not None or launcher.more:
        machines, per_node = nodes or unread, gpus or unread
        total = per_node.times(machines)
    else:
        hosts = list(hostfile.items())
        if nodes is not None:
            hosts = hosts[: nodes.number] if nodes.number is not None else hosts
            machines = Count(len(hosts), nodes.source, nodes.span) if nodes.number is not None else nodes
        else:
            machines = Count(len(hosts), name, file.span)
        sizes = {size for _, size in hosts}
        if gpus is not None:
            per_node, total = gpus, gpus.times(machines)
        else:
            one = len(sizes) == 1
            per_node = Count(sizes.pop(), name, file.span) if one else Count.unknown("machines differ", file.span)
            total = Count(sum(size for _, size in hosts), name, file.span) if machines.known else machines
    return World("deepspeed", per_node, machines, total, ignored=ignored, hostfile=file)
