"""The settings of `trl:distillation`. Made by `tools/generate_trl_models.py`."""

from __future__ import annotations

from typing import Any, ClassVar

from rlhflint.frameworks.trl.models.shared import TrainerModel


class DistillationModel(TrainerModel):
    """The settings of `trl:distillation`."""

    program: ClassVar[str] = "trl:distillation"

    learning_rate: float = 1e-06
    remove_unused_columns: bool | None = False
    model_init_kwargs: Any = None
    max_length: int | None = 1024
    temperature: float = 1.0
    lmbda: float = 1.0
    beta: float = 1.0
    reverse_kl_top_1_mode: str = "sampled"
    max_completion_length: int | None = 512
    max_prompt_length: int | None = None
    disable_dropout: bool = False
    teacher_model_name_or_path: str | None = None
    teacher_model_revision: str | None = None
    teacher_model_init_kwargs: Any = None
    use_teacher_server: bool = False
    teacher_model_server_url: str | None = None
    loss_top_k: int = 1
    loss_add_tail: bool = True
    num_generations: int = 1
    generation_batch_size: int | None = None
    top_p: float = 1.0
    top_k: int = 0
    use_vllm: bool = False
    vllm_mode: str = "colocate"
    vllm_server_base_url: str | None = None
    vllm_server_host: str = "0.0.0.0"
    vllm_server_port: int = 8000
    vllm_server_timeout: float = 240.0
    vllm_group_port: int = 51216
    vllm_gpu_memory_utilization: float = 0.3
    vllm_tensor_parallel_size: int = 1
    vllm_max_model_length: int | None = None
    vllm_model_impl: str = "vllm"
    vllm_structured_outputs_regex: str | None = None
    vllm_sync_frequency: int = 1
    vllm_enable_sleep_mode: bool = False
    wandb_entity: str | None = None
    wandb_project: str | None = None
    wandb_run_group: str | None = None
    log_completions: bool = False
    log_completions_steps: int = 100
    num_completions_to_print: int | None = None
    ds3_gather_for_generation: bool = True
    shuffle_dataset: bool | None = True
    pad_to_multiple_of: int | str | None = "auto"
    min_p: float | None = None
    generation_kwargs: Any = None
    chat_template_kwargs: Any = None
    repetition_penalty: float = 1.0
    cache_implementation: str | None = None
    log_unique_prompts: bool = False
    max_tool_calling_iterations: int | None = None
    teacher_model: Any = None
    tools: Any = None
