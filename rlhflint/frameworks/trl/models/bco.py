"""The settings of `trl:bco`. Made by `tools/generate_trl_models.py`."""

from __future__ import annotations

from typing import Annotated, ClassVar

from rlhflint.frameworks.trl.models.shared import TrainerModel
from rlhflint.model import Anything, ArgFloat, ArgInt, ArgStr, Convert, OptInt, Switch


class BCOModel(TrainerModel):
    """The settings of `trl:bco`."""

    program: ClassVar[str] = "trl:bco"

    learning_rate: ArgFloat = 5e-07
    max_length: OptInt = 1024
    max_prompt_length: OptInt = 512
    max_completion_length: OptInt = None
    beta: ArgFloat = 0.1
    label_pad_token_id: ArgInt = -100
    padding_value: OptInt = None
    truncation_mode: ArgStr = "keep_end"
    generate_during_eval: Switch = False
    is_encoder_decoder: Annotated[bool | None, Convert] = None
    precompute_ref_log_probs: Switch = False
    model_init_kwargs: Anything = None
    ref_model_init_kwargs: Anything = None
    dataset_num_proc: OptInt = None
    prompt_sample_size: ArgInt = 1024
    min_density_ratio: ArgFloat = 0.5
    max_density_ratio: ArgFloat = 10.0
    disable_dropout: Switch = True
    ref_model: Anything = None
    model_init: Anything = None
    model_adapter_name: Anything = None
    ref_adapter_name: Anything = None
    embedding_func: Anything = None
    embedding_tokenizer: Anything = None
