"""The settings of `trl:vllm_serve`. Made by `tools/generate_trl_models.py`."""

from __future__ import annotations

from typing import ClassVar

from rlhflint.model import ProgramModel


class VllmServeModel(ProgramModel):
    """The settings of `trl:vllm_serve`."""

    program: ClassVar[str] = "trl:vllm_serve"

    model: str | None = None
    revision: str | None = None
    tensor_parallel_size: int = 1
    host: str = "0.0.0.0"
    port: int = 8000
    gpu_memory_utilization: float = 0.9
    dtype: str = "auto"
    max_model_len: int | None = None
    enable_prefix_caching: bool | None = None
    data_parallel_size: int = 1
    enforce_eager: bool | None = False
    log_level: str = "info"
    kv_cache_dtype: str = "auto"
    trust_remote_code: bool = False
    vllm_model_impl: str = "vllm"
    distributed_executor_backend: str | None = None
    speculative_config: str | None = None
