"""The settings of `trl:kto`. Made by `tools/generate_trl_models.py`."""

from __future__ import annotations

from typing import Annotated, ClassVar

from rlhflint.frameworks.trl.models.shared import TrainerModel
from rlhflint.model import Anything, ArgFloat, ArgInt, ArgStr, Convert, OptFloat, OptInt, Switch


class KTOModel(TrainerModel):
    """The settings of `trl:kto`."""

    program: ClassVar[str] = "trl:kto"

    learning_rate: ArgFloat = 1e-06
    train_sampling_strategy: ArgStr = "sequential"
    max_length: OptInt = 1024
    max_prompt_length: OptInt = 512
    max_completion_length: OptInt = None
    beta: ArgFloat = 0.1
    desirable_weight: OptFloat = 1.0
    undesirable_weight: OptFloat = 1.0
    label_pad_token_id: ArgInt = -100
    padding_value: OptInt = None
    truncation_mode: ArgStr = "keep_end"
    generate_during_eval: Switch = False
    is_encoder_decoder: Annotated[bool | None, Convert] = None
    precompute_ref_log_probs: Switch = False
    model_init_kwargs: Anything = None
    ref_model_init_kwargs: Anything = None
    dataset_num_proc: OptInt = None
    loss_type: ArgStr = "kto"
    prompt_sample_size: ArgInt = 1024
    min_density_ratio: ArgFloat = 0.5
    max_density_ratio: ArgFloat = 10.0
    disable_dropout: Switch = True
    use_liger_loss: Switch = False
    base_model_attribute_name: ArgStr = "model"
    precompute_ref_batch_size: OptInt = None
    activation_offloading: Switch = False
    pad_to_multiple_of: Annotated[int | str | None, Convert] = "auto"
    sync_ref_model: Switch = False
    ref_model_mixup_alpha: ArgFloat = 0.6
    ref_model_sync_steps: ArgInt = 512
    router_aux_loss_coef: OptFloat = None
    ref_model: Anything = None
    model_init: Anything = None
    model_adapter_name: Anything = None
    ref_adapter_name: Anything = None
    embedding_func: Anything = None
    embedding_tokenizer: Anything = None
