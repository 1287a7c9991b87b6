"""The machines that a Kubernetes manifest brings up for a Ray job: the head and worker groups of KubeRay.

KubeRay starts Ray in the first container of each pod and tells it what the pod's limits say, unless `rayStartParams`
says otherwise; the number of pods of a worker group is `replicas` × `numOfHosts`, within `minReplicas` and
`maxReplicas` (ray-operator/controllers/ray/common/pod.go and utils/util.go of ray-project/kuberay@1.4).
"""

from __future__ import annotations

from dataclasses import replace
from math import ceil

from rlhflint.expressions import expression
from rlhflint.launchers.count import Count
from rlhflint.launchers.machines.offer import NodeGroup, Offer
from rlhflint.mapping import Entry, Mapping, Node, Scalar, Series
from rlhflint.text import Span
from rlhflint.value import Known

HEAD = "the RayJob's head"
WORKERS = "the RayJob's workers"

_QUANTITY = expression(r"(\d{1,12}(?:\.\d{1,6})?)(m|k|M|G|T|Ki|Mi|Gi|Ti)?")
_FACTORS = {"": 1.0, "m": 1e-3, "k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12} | {
    unit: 1024.0**power for power, unit in enumerate(("Ki", "Mi", "Gi", "Ti"), start=1)
}
_MIB = 1024**2


def offered_by(manifest: Mapping) -> Offer:
    """The machines of a RayJob or RayCluster; an offer without groups for any other manifest.

    Machines of a group that grows by itself count in the number it may grow to.
    """
    kind, spec = _text(manifest, "kind"), _mapping(manifest, "spec")
    if kind == "RayJob" and spec is not None:
        if "clusterSelector" in spec.in_force():
            return Offer(more="the job goes to a cluster that is there already, and what is in it is not known")
        spec = _mapping(spec, "rayClusterSpec")
    if kind not in ("RayJob", "RayCluster") or spec is None:
        return Offer()
    groups: list[NodeGroup] = []
    head = _mapping(spec, "headGroupSpec")
    if head is not None:
        groups.append(_group(head, Count(1, HEAD), HEAD, None))
    workers = spec.get("workerGroupSpecs")
    more = ""
    if workers is not None and isinstance(workers.value.node, Series):
        grows = _value(spec, "enableInTreeAutoscaling") is True
        groups += [
            _group(item.node, _pods(item.node, grows=grows), WORKERS, item.span)
            for item in workers.value.node.items
            if isinstance(item.node, Mapping)
        ]
    elif workers is not None:
        more = "the worker groups are not readable"
    return Offer(groups=tuple(groups), more=more)


def _pods(group: Mapping, *, grows: bool) -> Count:
    """How many pods a worker group comes to."""
    if _value(group, "suspend") is True:
        return Count(0, "suspend")
    least, most = _count(group, "minReplicas"), _count(group, "maxReplicas")
    if grows:
        pods = most or Count.unknown("the group grows without a maxReplicas")
    else:
        pods = _count(group, "replicas") or least or Count(0, "the default of replicas")
        if least is not None and pods.number is not None and least.number is not None and pods.number < least.number:
            pods = least
        if most is not None and pods.number is not None and most.number is not None and pods.number > most.number:
            pods = most
    return pods.times(_count(group, "numOfHosts") or Count(1))


def _group(group: Mapping, pods: Count, what: str, span: Span | None) -> NodeGroup:
    limits = _limits(group)
    gpus = _told(group, "num-gpus", "GPU") or (_gpus(limits) if limits is not None else None)
    cpus = _told(group, "num-cpus", "CPU") or (_quantity(limits, "cpu", 1) if limits is not None else None)
    memory = _quantity(limits, "memory", _MIB) if limits is not None else None
    unseen = Count.unknown("the pod has no container to read")
    made = NodeGroup.of(
        pods,
        gpus or (Count(0, "the container's limits") if limits is not None else unseen),
        cpus or Count.unknown("the container has no limit of CPUs"),
        what,
        span,
    )
    return made if memory is None else replace(made, memory=memory)


def _told(group: Mapping, parameter: str, resource: str) -> Count | None:
    """What Ray is told to offer, whatever the container has: in `rayStartParams` or, since 1.5, in `resources`."""
    params, resources = _mapping(group, "rayStartParams"), _mapping(group, "resources")
    told = _count(params, parameter) if params is not None else None
    return told or (_count(resources, resource) if resources is not None else None)


def _limits(group: Mapping) -> Mapping | None:
    """The limits of the container that Ray runs in, empty where it has none; None where there is no container."""
    template = _mapping(group, "template")
    pod = _mapping(template, "spec") if template is not None else None
    containers = pod.get("containers") if pod is not None else None
    if containers is None or not isinstance(containers.value.node, Series) or not containers.value.node.items:
        return None
    first = containers.value.node.items[0].node
    if not isinstance(first, Mapping):
        return None
    resources = _mapping(first, "resources")
    limits = _mapping(resources, "limits") if resources is not None else None
    return limits if limits is not None else Mapping(())


def _gpus(limits: Mapping) -> Count | None:
    """The first limit that is about GPUs: `nvidia.com/gpu`, `amd.com/gpu`, a slice of one."""
    for entry in limits.in_force().values():
        if entry.name.endswith("gpu") or entry.name.startswith("nvidia.com/mig-"):
            return _whole(entry, 1)
    return None


def _quantity(limits: Mapping, name: str, unit: int) -> Count | None:
    entry = limits.get(name)
    return None if entry is None else _whole(entry, unit)


def _count(mapping: Mapping, name: str) -> Count | None:
    entry = mapping.get(name)
    return None if entry is None else _whole(entry, 1)


def _whole(entry: Entry, unit: int) -> Count:
    """A quantity of Kubernetes in `unit`s, rounded up as KubeRay does."""
    node: Node = entry.value.node
    text = node.text.text if isinstance(node, Scalar) and isinstance(node.value, Known) else ""
    found = _QUANTITY.fullmatch(text.strip()) if len(text) < 40 else None
    if found is None:
        return Count.unknown(f"{entry.name} is not known", entry.span)
    return Count(ceil(float(found[1]) * _FACTORS[found[2] or ""] / unit), entry.name, entry.span)


def _mapping(mapping: Mapping | None, name: str) -> Mapping | None:
    entry = mapping.get(name) if mapping is not None else None
    return entry.value.node if entry is not None and isinstance(entry.value.node, Mapping) else None


def _value(mapping: Mapping, name: str) -> object:
    entry = mapping.get(name)
    node = entry.value.node if entry is not None else None
    return node.value.value if isinstance(node, Scalar) and isinstance(node.value, Known) else None


def _text(mapping: Mapping, name: str) -> str:
    value = _value(mapping, name)
    return value if isinstance(value, str) else ""
