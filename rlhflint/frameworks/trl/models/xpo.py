"""The settings of `trl:xpo`. Made by `tools/generate_trl_models.py`."""

from __future__ import annotations

from typing import Any, ClassVar

from rlhflint.frameworks.trl.models.shared import TrainerModel


class XPOModel(TrainerModel):
    """The settings of `trl:xpo`."""

    program: ClassVar[str] = "trl:xpo"

    learning_rate: float = 5e-07
    remove_unused_columns: bool | None = False
    reward_model_path: str | None = None
    max_new_tokens: int = 64
    temperature: float = 0.9
    missing_eos_penalty: float | None = None
    beta: float | list[float] = [0.1]
    loss_type: str = "sigmoid"
    dataset_num_proc: int | None = None
    disable_dropout: bool = True
    alpha: float | list[float] = [1e-05]
    judge: str | None = None
    max_length: int = 512
    use_vllm: bool = False
    ds3_gather_for_generation: bool = True
    vllm_gpu_memory_utilization: float | None = 0.55
    model_init_kwargs: Any = None
    vllm_model_impl: str = "vllm"
    top_p: float = 1.0
    top_k: int | None = 0
    min_p: float | None = None
    repetition_penalty: float = 1.0
    generation_kwargs: Any = None
    use_transformers_paged: bool = False
    cache_implementation: str | None = None
    vllm_structured_outputs_regex: str | None = None
    vllm_mode: str = "colocate"
    vllm_server_base_url: str | None = None
    vllm_server_host: str = "0.0.0.0"
    vllm_server_port: int = 8000
    vllm_server_timeout: float = 240.0
    vllm_tensor_parallel_size: int = 1
    reward_weights: list[float] | None = None
    vllm_group_port: int = 51216
    vllm_enable_sleep_mode: bool = False
    ref_model: Any = None
    reward_funcs: Any = None
    reward_processing_classes: Any = None
