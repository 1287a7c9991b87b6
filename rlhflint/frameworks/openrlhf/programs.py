"""OpenRLHF's programs: their names, and how a command starts them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rlhflint.launchers import Start

PPO = "openrlhf:train_ppo_ray"
SFT = "openrlhf:train_sft"
RM = "openrlhf:train_rm"
DPO = "openrlhf:train_dpo"
SUPERVISED = (SFT, RM, DPO)
"""Programs without Ray: their processes come from a launcher."""
TRAINING = (PPO, *SUPERVISED)
KTO = "openrlhf:train_kto"
PRM = "openrlhf:train_prm"
KD = "openrlhf:train_kd"
PPO_WITHOUT_RAY = "openrlhf:train_ppo"
ENDED = (KTO, PRM, KD, PPO_WITHOUT_RAY)
"""Training programs that older releases have: the last one up to 0.6.1.post1, the others up to 0.9.5."""
EVERY = "openrlhf:*"

PACKAGE = "openrlhf.cli."
_FOLDER = "openrlhf/cli/"


def program_of(start: Start) -> str | None:
    """The entry point a command starts (`train_ppo_ray`), None if it starts none of OpenRLHF's.

    It is meant by the module (`-m openrlhf.cli.train_sft`, `deepspeed --module …`) or by the path of its file; a file
    of the same name elsewhere is a program of somebody's own.
    """
    module = start.module
    if module is None:
        path = start.script
        if path is None or not path.endswith(".py"):
            return None
        folder, _, name = path.removesuffix(".py").rpartition("/")
        return name if f"{folder}/".endswith(_FOLDER) and name.isidentifier() else None
    name = module.removeprefix(PACKAGE)
    return name if name != module and name.isidentifier() and name != "__init__" else None
