"""The settings of `trl:iterative_sft`. Made by `tools/generate_trl_models.py`."""

from __future__ import annotations

from typing import Any, ClassVar

from rlhflint.frameworks.trl.models.shared import TrainerModel


class IterativeSFTModel(TrainerModel):
    """The settings of `trl:iterative_sft`."""

    program: ClassVar[str] = "trl:iterative_sft"

    model_init_kwargs: Any = None
    max_length: int | None = None
    truncation_mode: str = "keep_end"
    optimize_device_cache: bool = False
