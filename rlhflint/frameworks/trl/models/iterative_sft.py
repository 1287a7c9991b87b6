"""The settings of `trl:iterative_sft`. Made by `tools/generate_trl_models.py`."""

from __future__ import annotations

from typing import ClassVar

from rlhflint.frameworks.trl.models.shared import TrainerModel
from rlhflint.model import Anything, ArgStr, OptInt, Switch


class IterativeSFTModel(TrainerModel):
    """The settings of `trl:iterative_sft`."""

    program: ClassVar[str] = "trl:iterative_sft"

    model_init_kwargs: Anything = None
    max_length: OptInt = None
    truncation_mode: ArgStr = "keep_end"
    optimize_device_cache: Switch = False
