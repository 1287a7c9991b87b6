"""The settings of `trl:prm`. Made by `tools/generate_trl_models.py`."""

from __future__ import annotations

from typing import ClassVar

from rlhflint.frameworks.trl.models.shared import TrainerModel
from rlhflint.model import Anything, ArgFloat, ArgStr, OptInt, Switch


class PRMModel(TrainerModel):
    """The settings of `trl:prm`."""

    program: ClassVar[str] = "trl:prm"

    learning_rate: ArgFloat = 1e-05
    max_length: OptInt = 1024
    max_completion_length: OptInt = None
    step_separator: ArgStr = "\n"
    train_on_last_step_only: Switch = False
    dataset_num_proc: OptInt = None
    max_prompt_length: OptInt = 512
    disable_dropout: Switch = True
    model_init: Anything = None
