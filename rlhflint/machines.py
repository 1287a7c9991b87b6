"""The machines a launch will run on, as far as the user or the script says."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from rlhflint.launchers.count import Count

if TYPE_CHECKING:
    from rlhflint.launchers.offer import Offer
    from rlhflint.project.cluster import Cluster

_UNSAID = Count.unknown("nothing says what machines there are")


@dataclass(frozen=True, slots=True)
class Machines:
    """Numbers of machines, GPUs and CPUs, memory in GiB; each known or with the reason why it is not.

    `gpu` is the type of GPU in lower case (`a100`), empty if it is not named. `what` says in words where this comes
    from and fits behind "by".
    """

    nodes: Count = _UNSAID
    gpus_per_node: Count = _UNSAID
    gpus: Count = _UNSAID
    cpus_per_node: Count = _UNSAID
    memory_gib: Count = _UNSAID
    gpu: str = ""
    gpu_memory_gib: float | None = None
    what: str = ""


def machines_of(cluster: Cluster | None, offer: Offer | None) -> Machines:
    """What the user says of the cluster; without that, what the script asks for or brings up."""
    if cluster is not None:
        return Machines(
            nodes=_count(cluster.nodes, cluster.source),
            gpus_per_node=_count(cluster.gpus_per_node, cluster.source),
            gpus=_count(cluster.gpus, cluster.source),
            cpus_per_node=_count(cluster.cpus_per_node, cluster.source),
            memory_gib=_count(None if cluster.memory_gib is None else int(cluster.memory_gib), cluster.source),
            gpu=(cluster.gpu or "").lower(),
            gpu_memory_gib=cluster.gpu_memory_gib,
            what=cluster.source,
        )
    if offer is None or not offer.groups:
        return Machines()
    first = offer.groups[0]
    same = all(
        (group.gpus, group.cpus, group.memory) == (first.gpus, first.cpus, first.memory) for group in offer.groups
    )
    mixed = Count.unknown("the machines differ")
    types = offer.gpu_types
    return Machines(
        nodes=offer.nodes,
        gpus_per_node=first.gpus if same else mixed,
        gpus=offer.gpus,
        cpus_per_node=first.cpus if same else mixed,
        memory_gib=first.memory.divided(Count(1024)) if same else mixed,
        gpu=types[0] if len(types) == 1 else "",
        what=" and ".join(dict.fromkeys(group.what for group in offer.groups)),
    )


def _count(number: int | None, source: str) -> Count:
    return Count(number, source) if number is not None else Count.unknown(f"{source} does not say it")
