"""The settings of `trl:a2po`. Made by `tools/generate_trl_models.py`."""

from __future__ import annotations

from typing import Annotated, ClassVar

from rlhflint.frameworks.trl.models.shared import TrainerModel
from rlhflint.model import Anything, ArgFloat, ArgInt, Convert, OptFloats, OptInt, Switch


class A2POModel(TrainerModel):
    """The settings of `trl:a2po`."""

    program: ClassVar[str] = "trl:a2po"

    remove_unused_columns: Annotated[bool | None, Convert] = False
    model_init_kwargs: Anything = None
    max_prompt_length: OptInt = 512
    max_completion_length: OptInt = 256
    temperature: ArgFloat = 1.0
    top_p: ArgFloat = 1.0
    top_k: OptInt = None
    num_value_samples: ArgInt = 8
    beta1: ArgFloat = 0.5
    filter_all_incorrect: Switch = True
    beta2: ArgFloat = 0.001
    reward_weights: OptFloats = None
    reward_funcs: Anything = None
