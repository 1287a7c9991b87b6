"""The settings of `trl:vllm_serve`. Made by `tools/generate_trl_models.py`."""

from __future__ import annotations

from typing import Annotated, ClassVar

from rlhflint.model import ArgFloat, ArgInt, ArgStr, Convert, OptInt, OptStr, ProgramModel, Switch


class VllmServeModel(ProgramModel):
    """The settings of `trl:vllm_serve`."""

    program: ClassVar[str] = "trl:vllm_serve"

    model: OptStr = None
    revision: OptStr = None
    tensor_parallel_size: ArgInt = 1
    host: ArgStr = "0.0.0.0"
    port: ArgInt = 8000
    gpu_memory_utilization: ArgFloat = 0.9
    dtype: ArgStr = "auto"
    max_model_len: OptInt = None
    enable_prefix_caching: Annotated[bool | None, Convert] = None
    data_parallel_size: ArgInt = 1
    enforce_eager: Annotated[bool | None, Convert] = False
    log_level: ArgStr = "info"
    kv_cache_dtype: ArgStr = "auto"
    trust_remote_code: Switch = False
    vllm_model_impl: ArgStr = "vllm"
    distributed_executor_backend: OptStr = None
    speculative_config: OptStr = None
