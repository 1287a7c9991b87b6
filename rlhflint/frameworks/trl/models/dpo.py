"""The settings of `trl:dpo`. Made by `tools/generate_trl_models.py`."""

from __future__ import annotations

from typing import Annotated, ClassVar

from pydantic import Field

from rlhflint.frameworks.trl.models.shared import TrainerModel
from rlhflint.model import Anything, ArgFloat, ArgInt, ArgStr, Convert, OptFloat, OptFloats, OptInt, OptStr, Switch


class DPOModel(TrainerModel):
    """The settings of `trl:dpo`."""

    program: ClassVar[str] = "trl:dpo"

    learning_rate: ArgFloat = 1e-06
    beta: ArgFloat = 0.1
    label_smoothing: ArgFloat = 0.0
    loss_type: Annotated[str | list[str], Convert] = Field(default_factory=lambda: ["sigmoid"])
    label_pad_token_id: OptInt = None
    padding_value: OptInt = None
    truncation_mode: ArgStr = "keep_start"
    max_length: OptInt = 1024
    max_prompt_length: OptInt = -1
    max_completion_length: OptInt = -1
    is_encoder_decoder: Annotated[bool | None, Convert] = None
    disable_dropout: Switch = True
    generate_during_eval: Annotated[bool | None, Convert] = None
    precompute_ref_log_probs: Switch = False
    dataset_num_proc: OptInt = None
    model_init_kwargs: Anything = None
    ref_model_init_kwargs: Anything = None
    model_adapter_name: OptStr = None
    ref_adapter_name: OptStr = None
    reference_free: Annotated[bool | None, Convert] = None
    force_use_ref_model: Annotated[bool | None, Convert] = None
    sync_ref_model: Switch = False
    ref_model_mixup_alpha: ArgFloat = 0.6
    ref_model_sync_steps: ArgInt = 512
    rpo_alpha: OptFloat = None
    f_divergence_type: OptStr = "reverse_kl"
    f_alpha_divergence_coef: OptFloat = 0.5
    use_weighting: Switch = False
    precompute_ref_batch_size: OptInt = None
    discopop_tau: ArgFloat = 0.05
    use_logits_to_keep: Annotated[bool | None, Convert] = None
    padding_free: Switch = False
    tools: Anything = None
    ld_alpha: OptFloat = None
    use_liger_loss: Switch = False
    base_model_attribute_name: OptStr = None
    loss_weights: OptFloats = None
    pad_token: OptStr = None
    pad_to_multiple_of: Annotated[int | str | None, Convert] = "auto"
    activation_offloading: Switch = False
    router_aux_loss_coef: OptFloat = None
    ref_model: Anything = None
    model_init: Anything = None
    max_target_length: Anything = None
    optimizer_cls_and_kwargs: Anything = None
    sanity_check: Switch = False
