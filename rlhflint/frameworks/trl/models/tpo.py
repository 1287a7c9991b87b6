"""The settings of `trl:tpo`. Made by `tools/generate_trl_models.py`."""

from __future__ import annotations

from typing import ClassVar

from rlhflint.frameworks.trl.models.shared import TrainerModel
from rlhflint.model import Anything, ArgFloat, ArgStr, OptInt, Switch


class TPOModel(TrainerModel):
    """The settings of `trl:tpo`."""

    program: ClassVar[str] = "trl:tpo"

    learning_rate: ArgFloat = 5e-07
    model_init_kwargs: Anything = None
    disable_dropout: Switch = True
    dataset_num_proc: OptInt = None
    max_length: OptInt = 1024
    truncation_mode: ArgStr = "keep_start"
    pad_to_multiple_of: OptInt = None
    loss_type: ArgStr = "sigmoid"
    beta: ArgFloat = 0.01
    label_smoothing: ArgFloat = 0.0
    tpo_alpha: ArgFloat = 1.0
    tpo_l_gamma: ArgFloat = 0.5
