"""The settings of `trl:tpo`. Made by `tools/generate_trl_models.py`."""

from __future__ import annotations

from typing import Any, ClassVar

from rlhflint.frameworks.trl.models.shared import TrainerModel


class TPOModel(TrainerModel):
    """The settings of `trl:tpo`."""

    program: ClassVar[str] = "trl:tpo"

    learning_rate: float = 5e-07
    model_init_kwargs: Any = None
    disable_dropout: bool = True
    dataset_num_proc: int | None = None
    max_length: int | None = 1024
    truncation_mode: str = "keep_start"
    pad_to_multiple_of: int | None = None
    loss_type: str = "sigmoid"
    beta: float = 0.01
    label_smoothing: float = 0.0
    tpo_alpha: float = 1.0
    tpo_l_gamma: float = 0.5
