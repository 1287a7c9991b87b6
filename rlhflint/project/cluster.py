"""The machines a launch is meant for, as the user states them."""

from __future__ import annotations

from rlhflint.expressions import expression
from rlhflint.records import dataclass

_SHAPE = expression(r"\s*(?P<nodes>[1-9]\d{0,5})\s*(?:[xX×*]\s*(?P<gpus>\d{1,6})\s*)?")


@dataclass(frozen=True, slots=True)
class Cluster:
    """What is known of the machines; None for what is not stated.

    `nodes` machines, each with `gpus_per_node` GPUs, `cpus_per_node` processor cores and `memory_gib` GiB of main
    memory; a GPU has `gpu_memory_gib` GiB and goes by the name `gpu` ("H100"). `source` fits behind "from".
    """

    nodes: int | None = None
    gpus_per_node: int | None = None
    cpus_per_node: int | None = None
    memory_gib: float | None = None
    gpu_memory_gib: float | None = None
    gpu: str | None = None
    source: str = ""

    @property
    def gpus(self) -> int | None:
        """GPUs of all machines together; None if that is not known."""
        if self.nodes is None or self.gpus_per_node is None:
            return None
        return self.nodes * self.gpus_per_node

    def __str__(self) -> str:
        nodes = "?" if self.nodes is None else self.nodes
        gpus = "?" if self.gpus_per_node is None else self.gpus_per_node
        return f"{nodes}x{gpus}{f' {self.gpu}' if self.gpu else ''}"


def parse_cluster(text: str, source: str = "") -> Cluster:
    """The cluster of a text such as `2x8`, two machines with eight GPUs each; `8` alone is one machine with eight.

    Raises:
        ValueError: the text is not of that form; the message says what is wanted.
    """
    found = _SHAPE.fullmatch(text)
    if found is None:
        raise ValueError(f"{text!r} is not MACHINESxGPUS, such as 2x8 for two machines with eight GPUs each")
    if found["gpus"] is None:
        return Cluster(1, int(found["nodes"]), source=source)
    return Cluster(int(found["nodes"]), int(found["gpus"]), source=source)
