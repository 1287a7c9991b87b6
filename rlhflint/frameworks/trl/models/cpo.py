"""The settings of `trl:cpo`. Made by `tools/generate_trl_models.py`."""

from __future__ import annotations

from typing import Annotated, ClassVar

from rlhflint.frameworks.trl.models.shared import TrainerModel
from rlhflint.model import Anything, ArgFloat, ArgInt, ArgStr, Convert, OptInt, Switch


class CPOModel(TrainerModel):
    """The settings of `trl:cpo`."""

    program: ClassVar[str] = "trl:cpo"

    learning_rate: ArgFloat = 1e-06
    max_length: OptInt = 1024
    max_prompt_length: OptInt = 512
    max_completion_length: OptInt = None
    beta: ArgFloat = 0.1
    label_smoothing: ArgFloat = 0.0
    loss_type: ArgStr = "sigmoid"
    disable_dropout: Switch = True
    label_pad_token_id: ArgInt = -100
    padding_value: OptInt = None
    truncation_mode: ArgStr = "keep_end"
    generate_during_eval: Switch = False
    is_encoder_decoder: Annotated[bool | None, Convert] = None
    model_init_kwargs: Anything = None
    dataset_num_proc: OptInt = None
    cpo_alpha: ArgFloat = 1.0
    simpo_gamma: ArgFloat = 0.5
    alpha: ArgFloat = 0.0
    model_init: Anything = None
