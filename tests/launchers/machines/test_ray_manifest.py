"""The machines of a RayJob, read from its manifest."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rlhflint.launchers.machines.ray_manifest import offered_by
from rlhflint.machines import machines_of, offered_by_manifest
from rlhflint.readers.yaml import read_yaml
from rlhflint.text import Span

JOB = """
apiVersion: ray.io/v1
kind: RayJob
spec:
  entrypoint: python3 -m openrlhf.cli.train_ppo_ray
  rayClusterSpec:
    headGroupSpec:
      rayStartParams: {num-cpus: "0"}
      template: {spec: {containers: [{name: head}]}}
    workerGroupSpecs:
      - groupName: gpu
        REPLICAS
        template:
          spec:
            containers:
              - name: worker
                resources: {limits: {nvidia.com/gpu: 8, cpu: "64", memory: 512Gi}}
              - name: log
"""


def offer(text):
    mapping = read_yaml("job.yaml", text).mapping
    assert mapping is not None
    return offered_by(mapping)


@pytest.mark.parametrize(
    ("replicas", "gpus"),
    [
        ("replicas: 2", 16),
        ("replicas: 2\n        numOfHosts: 2", 32),
        ("replicas: 2\n        maxReplicas: 1", 8),
        ("replicas: 1\n        minReplicas: 3", 24),
        ("minReplicas: 2", 16),
        ("replicas: 2\n        suspend: true", 0),
        ("rayStartParams: {num-gpus: '4'}\n        replicas: 1", 4),
        ("resources: {GPU: '2'}\n        replicas: 1", 2),
        ("maxReplicas: 4", 0),
    ],
)
def test_pods_of_a_worker_group(replicas, gpus):
    assert offer(JOB.replace("REPLICAS", replicas)).gpus.number == gpus


def test_a_group_that_grows_counts_in_full():
    text = JOB.replace("REPLICAS", "replicas: 1\n        maxReplicas: 4")
    text = text.replace("rayClusterSpec:", "rayClusterSpec:\n    enableInTreeAutoscaling: true")
    assert offer(text).gpus.number == 32


def test_a_group_that_grows_without_bound_is_not_known():
    text = JOB.replace("REPLICAS", "replicas: 1")
    text = text.replace("rayClusterSpec:", "rayClusterSpec:\n    enableInTreeAutoscaling: true")
    assert offer(text).gpus.number is None


def test_a_head_without_gpus_is_no_machine_to_train_on():
    machines = machines_of(None, offer(JOB.replace("REPLICAS", "replicas: 2")))
    assert (machines.nodes.number, machines.gpus_per_node.number) == (2, 8)
    assert (machines.cpus_per_node.number, machines.memory_gib.number) == (64, 512)


def test_a_cluster_that_is_there_already_is_not_known():
    text = "kind: RayJob\nspec: {clusterSelector: {ray.io/cluster: c}, rayClusterSpec: {}}\n"
    assert not offer(text).groups
    assert offer(text).more


def test_quantities_of_kubernetes():
    text = JOB.replace("REPLICAS", "replicas: 1").replace('cpu: "64"', "cpu: 63500m").replace("512Gi", "1Ti")
    machines = machines_of(None, offer(text))
    assert (machines.cpus_per_node.number, machines.memory_gib.number) == (64, 1024)


@pytest.mark.parametrize(
    "text", ["kind: Deployment\nspec: {}\n", "a: 1\n", "kind: RayJob\n", "kind: RayJob\nspec: 3\n"]
)
def test_other_manifests_offer_nothing(text):
    assert not offer(text).groups


@pytest.mark.parametrize(
    ("pod", "gpus"),
    [
        ("{spec: {containers: [{resources: {limits: {nvidia.com/gpu: 4}}}]}}", 8),
        ("{spec: {containers: [{resources: {limits: {nvidia.com/mig-1g.5gb: 3}}}]}}", 6),
        ("{spec: {containers: [{resources: {limits: {amd.com/gpu: '2'}}}]}}", 4),
        ("{spec: {containers: [{resources: {limits: {cpu: 2}}}]}}", 0),
        ("{spec: {containers: [{resources: {requests: {nvidia.com/gpu: 4}}}]}}", 0),
        ("{spec: {containers: [{name: worker}]}}", 0),
        ("{spec: {containers: [{resources: {limits: {nvidia.com/gpu: many}}}]}}", None),
        ("{spec: {containers: []}}", None),
        ("{spec: {containers: worker}}", None),
        ("{spec: {containers: [worker]}}", None),
        ("{spec: {}}", None),
        ("pod", None),
    ],
)
def test_gpus_of_a_pod(pod, gpus):
    text = f"kind: RayCluster\nspec:\n  workerGroupSpecs:\n  - replicas: 2\n    template: {pod}\n  - none\n"
    found = offer(text)
    assert found.gpus.number == gpus
    assert len(found.groups) == 1


@pytest.mark.parametrize("groups", ["3", "{}", "[[]]"])
def test_worker_groups_that_are_none(groups):
    found = offer(f"kind: RayCluster\nspec: {{workerGroupSpecs: {groups}}}\n")
    assert found.groups == ()
    assert bool(found.more) is not groups.startswith("[")


def test_of_several_documents_that_with_the_launch_counts():
    first = JOB.replace("REPLICAS", "replicas: 1")
    second = JOB.replace("REPLICAS", "replicas: 4")
    text = f"{first}---{second}"
    for number, at in ((8, text.index("python3")), (32, text.rindex("python3"))):
        assert offered_by_manifest("job.yaml", text, Span("job.yaml", at, at + 7)).gpus.number == number


@given(st.recursive(st.text(max_size=8) | st.integers() | st.booleans(), lambda inner: st.lists(inner, max_size=3)))
def test_any_value_in_a_manifest_is_taken(value):
    import json

    for part in ("rayClusterSpec", "workerGroupSpecs", "template", "resources", "containers"):
        text = JOB.replace("REPLICAS", "replicas: 1").replace(f"{part}:", f"{part}: {json.dumps(value)}\n    x:", 1)
        mapping = read_yaml("job.yaml", text).mapping
        if mapping is not None:
            assert offered_by(mapping).gpus is not None
