"""The machines a launch will run on, as far as the user or the script says."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from rlhflint.expressions import expression
from rlhflint.launchers.count import Count
from rlhflint.records import dataclass

if TYPE_CHECKING:
    from rlhflint.launchers.machines.offer import Offer
    from rlhflint.project.cluster import Cluster
    from rlhflint.text import Span

_DOCUMENT = expression(r"^---(?=\s|$)", re.MULTILINE)
_UNSAID = Count.unknown("nothing says what machines there are")


@dataclass(frozen=True, slots=True)
class Machines:
    """Numbers of machines, GPUs and CPUs, memory in GiB; each known or with the reason why it is not.

    Machines without GPUs beside others with some are left out: the head of a Ray cluster, say.

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
    offer = replace(offer, groups=tuple(group for group in offer.groups if group.gpus.number != 0) or offer.groups)
    first = offer.groups[0]
    same = len({(group.gpus.number, group.cpus.number, group.memory.number) for group in offer.groups}) == 1
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


def offered_by_manifest(path: str, text: str, at: Span) -> Offer:
    """The machines that a Kubernetes manifest brings up for the launch that stands in it at `at`.

    `text` is the file's; of several documents the one that holds the launch counts.
    """
    from rlhflint.launchers.machines.offer import Offer
    from rlhflint.launchers.machines.ray_manifest import offered_by
    from rlhflint.readers.yaml import read_yaml
    from rlhflint.text import Traced

    starts = [0, *(found.start() for found in _DOCUMENT.finditer(text) if found.start())]
    first = max(start for start in starts if start <= at.start) if at.path == path else 0
    end = min((start for start in starts if start > first), default=len(text))
    mapping = read_yaml(path, Traced.of_file(path, text)[first:end]).mapping
    return offered_by(mapping) if mapping is not None else Offer()


def _count(number: int | None, source: str) -> Count:
    return Count(number, source) if number is not None else Count.unknown(f"{source} does not say it")
