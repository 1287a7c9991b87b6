"""The settings of `trl:ssd`. Made by `tools/generate_trl_models.py`."""

from __future__ import annotations

from typing import Any, ClassVar

from rlhflint.frameworks.trl.models.shared import TrainerModel


class SSDModel(TrainerModel):
    """The settings of `trl:ssd`."""

    program: ClassVar[str] = "trl:ssd"

    model_init_kwargs: Any = None
    max_prompt_length: int | None = 512
    max_completion_length: int | None = 256
    generation_batch_size: int | None = None
    steps_per_generation: int | None = None
    temperature: float = 1.0
    top_k: int = 0
    top_p: float = 1.0
    min_p: float | None = None
    repetition_penalty: float = 1.0
    generation_kwargs: Any = None
    cache_implementation: str | None = None
    chat_template_kwargs: Any = None
    use_vllm: bool = False
    vllm_mode: str = "colocate"
    vllm_model_impl: str = "vllm"
    vllm_server_base_url: str | None = None
    vllm_server_host: str = "0.0.0.0"
    vllm_server_port: int = 8000
    vllm_server_timeout: float = 240.0
    vllm_group_port: int = 51216
    vllm_tensor_parallel_size: int = 1
    vllm_gpu_memory_utilization: float = 0.3
    vllm_max_model_length: int | None = None
    vllm_enable_sleep_mode: bool = False
    disable_dropout: bool = True
    filter_empty: bool = True
    num_iterations: int = 1
    shuffle_dataset: bool = True
    ds3_gather_for_generation: bool = True
