"""The settings of `trl:kto`. Made by `tools/generate_trl_models.py`."""

from __future__ import annotations

from typing import Any, ClassVar

from rlhflint.frameworks.trl.models.shared import TrainerModel


class KTOModel(TrainerModel):
    """The settings of `trl:kto`."""

    program: ClassVar[str] = "trl:kto"

    learning_rate: float = 1e-06
    train_sampling_strategy: str = "sequential"
    max_length: int | None = 1024
    max_prompt_length: int | None = 512
    max_completion_length: int | None = None
    beta: float = 0.1
    desirable_weight: float | None = 1.0
    undesirable_weight: float | None = 1.0
    label_pad_token_id: int = -100
    padding_value: int | None = None
    truncation_mode: str = "keep_end"
    generate_during_eval: bool = False
    is_encoder_decoder: bool | None = None
    precompute_ref_log_probs: bool = False
    model_init_kwargs: Any = None
    ref_model_init_kwargs: Any = None
    dataset_num_proc: int | None = None
    loss_type: str = "kto"
    prompt_sample_size: int = 1024
    min_density_ratio: float = 0.5
    max_density_ratio: float = 10.0
    disable_dropout: bool = True
    use_liger_loss: bool = False
    base_model_attribute_name: str = "model"
    precompute_ref_batch_size: int | None = None
    activation_offloading: bool = False
    pad_to_multiple_of: int | str | None = "auto"
    sync_ref_model: bool = False
    ref_model_mixup_alpha: float = 0.6
    ref_model_sync_steps: int = 512
    router_aux_loss_coef: float | None = None
    ref_model: Any = None
    model_init: Any = None
    model_adapter_name: Any = None
    ref_adapter_name: Any = None
    embedding_func: Any = None
    embedding_tokenizer: Any = None
