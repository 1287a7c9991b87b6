"""The settings of `trl:sft`. Made by `tools/generate_trl_models.py`."""

from __future__ import annotations

from typing import Annotated, ClassVar

from rlhflint.frameworks.trl.models.shared import TrainerModel
from rlhflint.model import Anything, ArgFloat, ArgStr, Convert, OptFloat, OptInt, OptStr, Switch


class SFTModel(TrainerModel):
    """The settings of `trl:sft`."""

    program: ClassVar[str] = "trl:sft"

    learning_rate: ArgFloat = 2e-05
    dataset_text_field: OptStr = "text"
    packing: Annotated[bool | None, Convert] = False
    max_length: OptInt = 1024
    dataset_num_proc: OptInt = None
    dataset_batch_size: OptInt = None
    model_init_kwargs: Anything = None
    dataset_kwargs: Anything = None
    eval_packing: Annotated[bool | None, Convert] = None
    num_of_sequences: OptInt = None
    chars_per_token: OptFloat = None
    use_liger: Annotated[bool | None, Convert] = False
    padding_free: Switch = False
    pad_token: OptStr = None
    eos_token: OptStr = None
    completion_only_loss: Annotated[bool | None, Convert] = None
    pad_to_multiple_of: Annotated[int | str | None, Convert] = "auto"
    activation_offloading: Switch = False
    chat_template_path: OptStr = None
    packing_strategy: ArgStr = "bfd"
    assistant_only_loss: Switch = False
    loss_type: OptStr = "nll"
    shuffle_dataset: Switch = False
    truncation_mode: ArgStr = "keep_start"
    router_aux_loss_coef: OptFloat = None
    model_init: Anything = None
    formatting_func: Anything = None
    max_seq_length: Anything = None
    infinite: Anything = None
    compute_loss_func: Anything = None
    optimizer_cls_and_kwargs: Anything = None
    dataset_train_name: ArgStr = "train"
    dataset_test_name: ArgStr = "test"
