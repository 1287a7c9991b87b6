"""The settings of `trl:a2po`. Made by `tools/generate_trl_models.py`."""

from __future__ import annotations

from typing import Any, ClassVar

from rlhflint.frameworks.trl.models.shared import TrainerModel


class A2POModel(TrainerModel):
    """The settings of `trl:a2po`."""

    program: ClassVar[str] = "trl:a2po"

    remove_unused_columns: bool | None = False
    model_init_kwargs: Any = None
    max_prompt_length: int | None = 512
    max_completion_length: int | None = 256
    temperature: float = 1.0
    top_p: float = 1.0
    top_k: int | None = None
    num_value_samples: int = 8
    beta1: float = 0.5
    filter_all_incorrect: bool = True
    beta2: float = 0.001
    reward_weights: list[float] | None = None
    reward_funcs: Any = None
