"""The settings of `trl:gkd`. Made by `tools/generate_trl_models.py`."""

from __future__ import annotations

from typing import Any, ClassVar

from rlhflint.frameworks.trl.models.shared import TrainerModel


class GKDModel(TrainerModel):
    """The settings of `trl:gkd`."""

    program: ClassVar[str] = "trl:gkd"

    learning_rate: float = 2e-05
    dataset_text_field: str | None = "text"
    packing: bool = False
    max_length: int | None = 1024
    dataset_num_proc: int | None = None
    dataset_batch_size: int | None = None
    model_init_kwargs: Any = None
    dataset_kwargs: Any = None
    eval_packing: bool | None = None
    num_of_sequences: int | None = None
    chars_per_token: float | None = None
    use_liger: bool = False
    temperature: float = 0.9
    lmbda: float = 0.5
    beta: float = 0.5
    max_new_tokens: int = 128
    teacher_model_name_or_path: str | None = None
    teacher_model_init_kwargs: Any = None
    disable_dropout: bool = True
    seq_kd: bool = False
    padding_free: bool = False
    pad_token: str | None = None
    eos_token: str | None = None
    completion_only_loss: bool | None = None
    pad_to_multiple_of: int | str | None = "auto"
    activation_offloading: bool = False
    chat_template_path: str | None = None
    packing_strategy: str = "bfd"
    assistant_only_loss: bool = False
    loss_type: str | None = "nll"
    shuffle_dataset: bool = False
    truncation_mode: str = "keep_start"
    router_aux_loss_coef: float | None = None
    teacher_model: Any = None
    model_init: Any = None
    formatting_func: Any = None
