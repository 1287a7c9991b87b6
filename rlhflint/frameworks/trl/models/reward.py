"""The settings of `trl:reward`. Made by `tools/generate_trl_models.py`."""

from __future__ import annotations

from typing import Any, ClassVar

from rlhflint.frameworks.trl.models.shared import TrainerModel


class RewardModel(TrainerModel):
    """The settings of `trl:reward`."""

    program: ClassVar[str] = "trl:reward"

    learning_rate: float = 0.0001
    max_length: int | None = 1024
    dataset_num_proc: int | None = None
    center_rewards_coefficient: float | None = None
    disable_dropout: bool = True
    model_init_kwargs: Any = None
    chat_template_path: str | None = None
    eos_token: str | None = None
    pad_token: str | None = None
    pad_to_multiple_of: int | str | None = "auto"
    activation_offloading: bool = False
    model_init: Any = None
    optimizer_cls_and_kwargs: Any = None
