"""The settings of `trl:ssd`. Made by `tools/generate_trl_models.py`."""

from __future__ import annotations

from typing import ClassVar

from rlhflint.frameworks.trl.models.shared import TrainerModel
from rlhflint.model import Anything, ArgFloat, ArgInt, ArgStr, OptFloat, OptInt, OptStr, Switch


class SSDModel(TrainerModel):
    """The settings of `trl:ssd`."""

    program: ClassVar[str] = "trl:ssd"

    model_init_kwargs: Anything = None
    max_prompt_length: OptInt = 512
    max_completion_length: OptInt = 256
    generation_batch_size: OptInt = None
    steps_per_generation: OptInt = None
    temperature: ArgFloat = 1.0
    top_k: ArgInt = 0
    top_p: ArgFloat = 1.0
    min_p: OptFloat = None
    repetition_penalty: ArgFloat = 1.0
    generation_kwargs: Anything = None
    cache_implementation: OptStr = None
    chat_template_kwargs: Anything = None
    use_vllm: Switch = False
    vllm_mode: ArgStr = "colocate"
    vllm_model_impl: ArgStr = "vllm"
    vllm_server_base_url: OptStr = None
    vllm_server_host: ArgStr = "0.0.0.0"
    vllm_server_port: ArgInt = 8000
    vllm_server_timeout: ArgFloat = 240.0
    vllm_group_port: ArgInt = 51216
    vllm_tensor_parallel_size: ArgInt = 1
    vllm_gpu_memory_utilization: ArgFloat = 0.3
    vllm_max_model_length: OptInt = None
    vllm_enable_sleep_mode: Switch = False
    disable_dropout: Switch = True
    filter_empty: Switch = True
    num_iterations: ArgInt = 1
    shuffle_dataset: Switch = True
    ds3_gather_for_generation: Switch = True
