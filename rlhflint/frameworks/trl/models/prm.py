"""The settings of `trl:prm`. Made by `tools/generate_trl_models.py`."""

from __future__ import annotations

from typing import Any, ClassVar

from rlhflint.frameworks.trl.models.shared import TrainerModel


class PRMModel(TrainerModel):
    """The settings of `trl:prm`."""

    program: ClassVar[str] = "trl:prm"

    learning_rate: float = 1e-05
    max_length: int | None = 1024
    max_completion_length: int | None = None
    step_separator: str = "\n"
    train_on_last_step_only: bool = False
    dataset_num_proc: int | None = None
    max_prompt_length: int | None = 512
    disable_dropout: bool = True
    model_init: Any = None
