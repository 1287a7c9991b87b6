"""The settings of `trl:dpo`. Made by `tools/generate_trl_models.py`."""

from __future__ import annotations

from typing import Any, ClassVar

from rlhflint.frameworks.trl.models.shared import TrainerModel


class DPOModel(TrainerModel):
    """The settings of `trl:dpo`."""

    program: ClassVar[str] = "trl:dpo"

    learning_rate: float = 1e-06
    beta: float = 0.1
    label_smoothing: float = 0.0
    loss_type: str | list[str] = ["sigmoid"]
    label_pad_token_id: int | None = None
    padding_value: int | None = None
    truncation_mode: str = "keep_start"
    max_length: int | None = 1024
    max_prompt_length: int | None = -1
    max_completion_length: int | None = -1
    is_encoder_decoder: bool | None = None
    disable_dropout: bool = True
    generate_during_eval: bool | None = None
    precompute_ref_log_probs: bool = False
    dataset_num_proc: int | None = None
    model_init_kwargs: Any = None
    ref_model_init_kwargs: Any = None
    model_adapter_name: str | None = None
    ref_adapter_name: str | None = None
    reference_free: bool | None = None
    force_use_ref_model: bool | None = None
    sync_ref_model: bool = False
    ref_model_mixup_alpha: float = 0.6
    ref_model_sync_steps: int = 512
    rpo_alpha: float | None = None
    f_divergence_type: str | None = "reverse_kl"
    f_alpha_divergence_coef: float | None = 0.5
    use_weighting: bool = False
    precompute_ref_batch_size: int | None = None
    discopop_tau: float = 0.05
    use_logits_to_keep: bool | None = None
    padding_free: bool = False
    tools: Any = None
    ld_alpha: float | None = None
    use_liger_loss: bool = False
    base_model_attribute_name: str | None = None
    loss_weights: list[float] | None = None
    pad_token: str | None = None
    pad_to_multiple_of: int | str | None = "auto"
    activation_offloading: bool = False
    router_aux_loss_coef: float | None = None
    ref_model: Any = None
    model_init: Any = None
    max_target_length: Any = None
    optimizer_cls_and_kwargs: Any = None
    sanity_check: bool = False
