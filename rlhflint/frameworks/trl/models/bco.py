"""The settings of `trl:bco`. Made by `tools/generate_trl_models.py`."""

from __future__ import annotations

from typing import Any, ClassVar

from rlhflint.frameworks.trl.models.shared import TrainerModel


class BCOModel(TrainerModel):
    """The settings of `trl:bco`."""

    program: ClassVar[str] = "trl:bco"

    learning_rate: float = 5e-07
    max_length: int | None = 1024
    max_prompt_length: int | None = 512
    max_completion_length: int | None = None
    beta: float = 0.1
    label_pad_token_id: int = -100
    padding_value: int | None = None
    truncation_mode: str = "keep_end"
    generate_during_eval: bool = False
    is_encoder_decoder: bool | None = None
    precompute_ref_log_probs: bool = False
    model_init_kwargs: Any = None
    ref_model_init_kwargs: Any = None
    dataset_num_proc: int | None = None
    prompt_sample_size: int = 1024
    min_density_ratio: float = 0.5
    max_density_ratio: float = 10.0
    disable_dropout: bool = True
    ref_model: Any = None
    model_init: Any = None
    model_adapter_name: Any = None
    ref_adapter_name: Any = None
    embedding_func: Any = None
    embedding_tokenizer: Any = None
