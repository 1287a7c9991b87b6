"""The settings of `trl:orpo`. Made by `tools/generate_trl_models.py`."""

from __future__ import annotations

from typing import Any, ClassVar

from rlhflint.frameworks.trl.models.shared import TrainerModel


class ORPOModel(TrainerModel):
    """The settings of `trl:orpo`."""

    program: ClassVar[str] = "trl:orpo"

    learning_rate: float = 1e-06
    max_length: int | None = 1024
    max_prompt_length: int | None = 512
    max_completion_length: int | None = None
    beta: float = 0.1
    disable_dropout: bool = True
    label_pad_token_id: int = -100
    padding_value: int | None = None
    truncation_mode: str = "keep_end"
    generate_during_eval: bool = False
    is_encoder_decoder: bool | None = None
    model_init_kwargs: Any = None
    dataset_num_proc: int | None = None
    model_init: Any = None
