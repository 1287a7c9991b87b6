"""OpenRLHF's programs as typed models, made from the catalog by `tools/generate_models.py`."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rlhflint.model import ProgramModel

_CLASSES = {
    "batch_inference": "BatchInference",
    "interactive_chat": "InteractiveChat",
    "lora_combiner": "LoraCombiner",
    "serve_rm": "ServeRM",
    "train_dpo": "TrainDPO",
    "train_kd": "TrainKD",
    "train_kto": "TrainKTO",
    "train_ppo": "TrainPPO",
    "train_ppo_ray": "TrainPPORay",
    "train_prm": "TrainPRM",
    "train_rm": "TrainRM",
    "train_sft": "TrainSFT",
}


def model_of(program: str) -> type[ProgramModel]:
    """The model of a program by its name (`train_sft`), loaded when it is asked for. Raises KeyError."""
    found: type[ProgramModel] = getattr(import_module(f"{__name__}.{program}"), _CLASSES[program])
    return found
