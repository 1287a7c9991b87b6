"""The settings of `trl:cpo`. Made by `tools/generate_trl_models.py`."""

from __future__ import annotations

from typing import Any, ClassVar

from rlhflint.frameworks.trl.models.shared import TrainerModel


class CPOModel(TrainerModel):
    """The settings of `trl:cpo`."""

    program: ClassVar[str] = "trl:cpo"

    learning_rate: float = 1e-06
    max_length: int | None = 1024
    max_prompt_length: int | None = 512
    max_completion_length: int | None = None
    beta: float = 0.1
    label_smoothing: float = 0.0
    loss_type: str = "sigmoid"
    disable_dropout: bool = True
    label_pad_token_id: int = -100
    padding_value: int | None = None
    truncation_mode: str = "keep_end"
    generate_during_eval: bool = False
    is_encoder_decoder: bool | None = None
    model_init_kwargs: Any = None
    dataset_num_proc: int | None = None
    cpo_alpha: float = 1.0
    simpo_gamma: float = 0.5
    alpha: float = 0.0
    model_init: Any = None
