"""The machines on offer for a launch: what a job asks Slurm for, what `ray start` brings up, which GPUs are visible."""

from __future__ import annotations

from dataclasses import field, replace

from rlhflint.command import Command, Script
from rlhflint.launchers.count import Count
from rlhflint.launchers.environment import environment_of
from rlhflint.launchers.machines.devices import VISIBLE_DEVICES, visible_devices
from rlhflint.launchers.machines.slurm import HEADER, SlurmRequest, header_of, request_of
from rlhflint.launchers.ray.cluster import RayStart, ray_starts
from rlhflint.launchers.ray.job import ray_job_of
from rlhflint.launchers.unwrapping.start import Start
from rlhflint.launchers.unwrapping.unwrap import start_of
from rlhflint.records import dataclass
from rlhflint.text import Span

_WHOLE_NODE = 8
"""A job that has its machines to itself and asks for at least so many GPUs a machine asks for all of them."""


@dataclass(frozen=True, slots=True)
class NodeGroup:
    """Machines of one kind: `nodes` of them, each with `gpus` GPUs, `cpus` CPUs and `memory` MiB.

    `total_gpus` is the GPUs of the whole group, which may be known where its split is not. `gpu_type` is the name the
    cluster gives its GPUs, in lower case (`a100`), empty if none is given. `what` fits behind "by": "the #SBATCH
    header", "ray start", "the RayJob's workers"; `span` is where that stands. Readers of Kubernetes manifests and of
    the project's own configuration make groups of their own.
    """

    nodes: Count
    gpus: Count
    cpus: Count
    total_gpus: Count
    what: str
    span: Span | None = None
    gpu_type: str = ""
    memory: Count = field(default_factory=lambda: Count.unknown("nothing says how much memory a machine has"))

    @classmethod
    def of(cls, nodes: Count, gpus: Count, cpus: Count, what: str, span: Span | None = None) -> NodeGroup:
        """`nodes` machines with `gpus` GPUs each."""
        return cls(nodes, gpus, cpus, gpus.times(nodes), what, span)


@dataclass(frozen=True, slots=True)
class Offer:
    """What there is to run on, as far as a script tells.

    `groups` are the machines, `more` says why there may be further ones or larger ones than `groups` has; empty if the
    groups are all. `slurm` is the request they were read from, `visible` how many GPUs a process on one machine
    may use, None where CUDA_VISIBLE_DEVICES is not set.
    """

    groups: tuple[NodeGroup, ...] = ()
    more: str = ""
    slurm: SlurmRequest | None = None
    visible: Count | None = None

    @property
    def gpus(self) -> Count:
        """All GPUs on offer; not known where there may be more than the script tells of."""
        return Count.unknown(self.more, self.listed_gpus.span) if self.more else self.listed_gpus

    @property
    def listed_gpus(self) -> Count:
        """The GPUs of `groups`, whether or not there may be more."""
        return self._sum([group.total_gpus for group in self.groups])

    @property
    def nodes(self) -> Count:
        """All machines on offer; not known where there may be more than the script tells of."""
        nodes = self._sum([group.nodes for group in self.groups])
        return Count.unknown(self.more, nodes.span) if self.more else nodes

    @property
    def gpu_types(self) -> tuple[str, ...]:
        """The types of GPU that are named, each once."""
        return tuple(dict.fromkeys(group.gpu_type for group in self.groups if group.gpu_type))

    def _sum(self, counts: list[Count]) -> Count:
        span = next((count.span for count in counts if count.span is not None), None)
        if not counts:
            return Count.unknown("nothing in the script says what there is")
        total = 0
        for count in counts:
            if count.number is None:
                return Count.unknown(count.because, count.span)
            total += count.number
        return Count(total, " and ".join(dict.fromkeys(count.source for count in counts if count.source)), span)


def offered(script: Script, command: Command) -> Offer:
    """The machines on offer for one command of a script.

    A job's #SBATCH header bounds everything; without one, an `srun` around the command counts as the request. What
    `ray start --num-gpus` says holds inside those bounds. In a script without a scheduler the machines that it starts
    Ray on are counted; others may join from elsewhere unless the script starts workers itself. With neither,
    CUDA_VISIBLE_DEVICES bounds this machine, though not a Ray cluster that a program joins.
    """
    start = start_of(command)
    if start is None:
        return Offer()
    environment = environment_of(start, command, script)
    word = environment.value(VISIBLE_DEVICES)
    visible = visible_devices(word) if word is not None else None
    slurm = header_of(script) or _step(start)
    ray = ray_starts(script, command)
    offer = Offer(slurm=slurm, visible=visible)
    if slurm is not None:
        group = _job(slurm)
        if ray:
            group = _with_ray(group, ray)
        return replace(offer, groups=(group,), more=_larger(slurm) or ("" if ray else _elsewhere(start)))
    if ray:
        return replace(offer, groups=tuple(_ray_group(line, script) for line in ray), more=_others(start, command, ray))
    if visible is not None and ray_job_of(start) is None:
        one = Count(1)
        cpus = Count.unknown("nothing says how many CPUs the machine has")
        group = NodeGroup.of(one, visible, cpus, VISIBLE_DEVICES, visible.span)
        return replace(offer, groups=(group,))
    return replace(offer, more="nothing in the script says what there is")


def _step(start: Start) -> SlurmRequest | None:
    """What an `srun` outside any job asks for."""
    step = start.wrapper("srun")
    return request_of(step, "srun") if step is not None else None


def _job(request: SlurmRequest) -> NodeGroup:
    what = HEADER if request.options.name == "sbatch" else "srun"
    return NodeGroup(
        request.nodes,
        request.gpus_per_node,
        request.cpus_per_node,
        request.gpus,
        what,
        request.span,
        request.gpu_type,
        request.memory,
    )


def _larger(request: SlurmRequest) -> str:
    """Why a job may have more than it asks for: alone on its machines it has all their GPUs (Slurm sbatch.1@26.11)."""
    if not request.exclusive or not request.asks_for_gpus:
        return ""
    if request.gpus_per_node.number is not None and request.gpus_per_node.number >= _WHOLE_NODE:
        return ""
    return "--exclusive gives all GPUs of the machines, which may be more than are asked for"


def _with_ray(group: NodeGroup, ray: tuple[RayStart, ...]) -> NodeGroup:
    """The machines of a job as Ray counts them, where every `ray start` says the same number.

    Ray offers what `--num-gpus` and `--num-cpus` say, whatever the machine has.
    """
    gpus = _same([line.gpus for line in ray])
    cpus = _same([line.cpus for line in ray])
    changed = group
    if gpus is not None and gpus.number is not None and gpus.number != group.gpus.number:
        changed = replace(changed, gpus=gpus, total_gpus=gpus.times(group.nodes), what=f"{group.what} and ray start")
    if cpus is not None and cpus.number is not None:
        changed = replace(changed, cpus=cpus)
    return changed


def _same(counts: list[Count | None]) -> Count | None:
    """The one count that all are, None where they differ or one is missing."""
    first = counts[0]
    if first is None or any(count is None or count.number != first.number for count in counts):
        return None
    return first


def _ray_group(line: RayStart, script: Script) -> NodeGroup:
    """The machines that one `ray start` brings in."""
    gpus = line.gpus
    if gpus is None:
        environment = environment_of(line.start, line.command, script)
        word = environment.value(VISIBLE_DEVICES)
        own = Count.unknown("ray start counts the GPUs of the machine itself", line.span)
        gpus = visible_devices(word) if word is not None else own
    cpus = line.cpus or Count.unknown("ray start counts the CPUs of the machine itself", line.span)
    return NodeGroup.of(line.machines, gpus, cpus, "ray start", line.span)


def _others(start: Start, command: Command, ray: tuple[RayStart, ...]) -> str:
    """Why machines that the script does not start may belong to the cluster."""
    if any(set(line.choices) - set(command.choices) for line in ray):
        return "which of the ray start lines are run depends on the machine"
    heads = sum(line.head for line in ray)
    if heads == 0:
        return _elsewhere(start) or "the head of the cluster is started elsewhere"
    if heads == len(ray):
        return _elsewhere(start) or "machines started elsewhere may join the cluster of this head"
    return ""


def _elsewhere(start: Start) -> str:
    """Why a job may run on other machines than those its script asks for."""
    job = ray_job_of(start)
    if job is None or job.local:
        return ""
    return f"the job goes to {job.host or 'a cluster'}, and what is there is not known"
