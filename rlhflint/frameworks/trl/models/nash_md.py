"""The settings of `trl:nash_md`. Made by `tools/generate_trl_models.py`."""

from __future__ import annotations

from typing import Annotated, ClassVar

from pydantic import Field

from rlhflint.frameworks.trl.models.shared import TrainerModel
from rlhflint.model import Anything, ArgFloat, ArgInt, ArgStr, Convert, OptFloat, OptFloats, OptInt, OptStr, Switch


class NashMDModel(TrainerModel):
    """The settings of `trl:nash_md`."""

    program: ClassVar[str] = "trl:nash_md"

    learning_rate: ArgFloat = 5e-07
    remove_unused_columns: Annotated[bool | None, Convert] = False
    reward_model_path: OptStr = None
    max_new_tokens: ArgInt = 64
    temperature: ArgFloat = 0.9
    missing_eos_penalty: OptFloat = None
    beta: Annotated[float | list[float], Convert] = Field(default_factory=lambda: [0.1])
    loss_type: ArgStr = "sigmoid"
    dataset_num_proc: OptInt = None
    disable_dropout: Switch = True
    mixture_coef: Annotated[float | list[float], Convert] = Field(default_factory=lambda: [0.5])
    judge: OptStr = None
    max_length: ArgInt = 512
    use_vllm: Switch = False
    ds3_gather_for_generation: Switch = True
    vllm_gpu_memory_utilization: OptFloat = 0.55
    model_init_kwargs: Anything = None
    vllm_model_impl: ArgStr = "vllm"
    top_p: ArgFloat = 1.0
    top_k: OptInt = 0
    min_p: OptFloat = None
    repetition_penalty: ArgFloat = 1.0
    generation_kwargs: Anything = None
    use_transformers_paged: Switch = False
    cache_implementation: OptStr = None
    vllm_structured_outputs_regex: OptStr = None
    vllm_mode: ArgStr = "colocate"
    vllm_server_base_url: OptStr = None
    vllm_server_host: ArgStr = "0.0.0.0"
    vllm_server_port: ArgInt = 8000
    vllm_server_timeout: ArgFloat = 240.0
    vllm_tensor_parallel_size: ArgInt = 1
    reward_weights: OptFloats = None
    vllm_group_port: ArgInt = 51216
    vllm_enable_sleep_mode: Switch = False
    ref_model: Anything = None
    reward_funcs: Anything = None
