"""Whether a launch runs on more than one machine."""

from __future__ import annotations

from rlhflint.model import ProgramModel
from rlhflint.value import Undetermined

_WITH_RAY = ("openrlhf:train_ppo_ray",)


def on_several_machines(launch: ProgramModel) -> bool:
    """Whether a launch runs on more than one machine. Raises `Undetermined` where nothing says.

    Processes of a launcher are on as many machines as it is told; what Ray places may be on any machine of its cluster.
    """
    if launch.session.launch.program not in _WITH_RAY:
        return launch.session.world.nodes.need("machines") > 1
    try:
        return launch.session.machines.nodes.need("cluster") > 1
    except Undetermined:
        nodes = launch.held("actor.num_nodes")
        if isinstance(nodes, int) and nodes > 1:
            return True
        raise
