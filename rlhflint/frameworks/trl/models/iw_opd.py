"""The settings of `trl:iw_opd`. Made by `tools/generate_trl_models.py`."""

from __future__ import annotations

from typing import Any, ClassVar

from rlhflint.frameworks.trl.models.shared import TrainerModel


class IWOPDModel(TrainerModel):
    """The settings of `trl:iw_opd`."""

    program: ClassVar[str] = "trl:iw_opd"

    learning_rate: float = 1e-06
    model_init_kwargs: Any = None
    max_length: int | None = 1024
    temperature: float = 1.0
    lmbda: float = 1.0
    beta: float = 1.0
    distillation_objective: str = "iw_opd"
    iw_opd_gamma: float = 0.5
    iw_opd_epsilon: float = 1e-08
    reverse_kl_top_1_mode: str = "sampled"
    max_completion_length: int = 512
    max_prompt_length: int | None = None
    disable_dropout: bool = True
    teacher_model_name_or_path: str | None = None
    teacher_model_revision: str | None = None
    teacher_model_init_kwargs: Any = None
    use_teacher_server: bool = False
    teacher_model_server_url: str | None = None
    loss_top_k: int = 1
    loss_add_tail: bool = True
    num_generations: int = 1
    generation_batch_size: int | None = None
    top_p: float = 0.95
    top_k: int = 0
    use_vllm: bool = False
    vllm_mode: str = "colocate"
    vllm_server_base_url: str | None = None
    vllm_server_host: str = "0.0.0.0"
    vllm_server_port: int = 8001
    vllm_server_timeout: float = 240.0
    vllm_group_port: int = 51216
    vllm_gpu_memory_utilization: float = 0.3
    vllm_tensor_parallel_size: int = 1
    vllm_max_model_length: int | None = None
    vllm_model_impl: str = "vllm"
    vllm_structured_outputs_regex: str | None = None
    vllm_sync_frequency: int = 1
    vllm_enable_sleep_mode: bool = False
    log_completions: bool = False
    log_completions_steps: int = 100
    num_completions_to_print: int | None = None
    teacher_model: Any = None
