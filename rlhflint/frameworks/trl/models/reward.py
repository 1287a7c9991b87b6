"""The settings of `trl:reward`. Made by `tools/generate_trl_models.py`."""

from __future__ import annotations

from typing import Annotated, ClassVar

from rlhflint.frameworks.trl.models.shared import TrainerModel
from rlhflint.model import Anything, ArgFloat, Convert, OptFloat, OptInt, OptStr, Switch


class RewardModel(TrainerModel):
    """The settings of `trl:reward`."""

    program: ClassVar[str] = "trl:reward"

    learning_rate: ArgFloat = 0.0001
    max_length: OptInt = 1024
    dataset_num_proc: OptInt = None
    center_rewards_coefficient: OptFloat = None
    disable_dropout: Switch = True
    model_init_kwargs: Anything = None
    chat_template_path: OptStr = None
    eos_token: OptStr = None
    pad_token: OptStr = None
    pad_to_multiple_of: Annotated[int | str | None, Convert] = "auto"
    activation_offloading: Switch = False
    model_init: Anything = None
    optimizer_cls_and_kwargs: Anything = None
