"""The settings of `trl:sdft`. Made by `tools/generate_trl_models.py`."""

from __future__ import annotations

from typing import Any, ClassVar

from rlhflint.frameworks.trl.models.shared import TrainerModel


class SDFTModel(TrainerModel):
    """The settings of `trl:sdft`."""

    program: ClassVar[str] = "trl:sdft"

    remove_unused_columns: bool | None = False
    model_init_kwargs: Any = None
    disable_dropout: bool = True
    max_prompt_length: int | None = 512
    num_generations: int = 8
    num_generations_eval: int | None = None
    max_completion_length: int | None = 256
    ds3_gather_for_generation: bool = True
    shuffle_dataset: bool = True
    generation_batch_size: int | None = None
    steps_per_generation: int | None = None
    temperature: float = 1.0
    top_p: float = 1.0
    top_k: int = 0
    min_p: float | None = None
    generation_kwargs: Any = None
    chat_template_kwargs: Any = None
    repetition_penalty: float = 1.0
    use_transformers_paged: bool = False
    cache_implementation: str | None = None
    use_vllm: bool = False
    vllm_mode: str = "colocate"
    vllm_model_impl: str = "vllm"
    vllm_enable_sleep_mode: bool = False
    vllm_server_base_url: str | None = None
    vllm_server_host: str = "0.0.0.0"
    vllm_server_port: int = 8000
    vllm_group_port: int = 51216
    vllm_server_timeout: float = 240.0
    vllm_tensor_parallel_size: int = 1
    vllm_gpu_memory_utilization: float = 0.3
    vllm_max_model_length: int | None = None
    beta: float = 0.0
    num_iterations: int = 1
    epsilon: float = 0.2
    epsilon_high: float | None = None
    importance_sampling_level: str = "token"
    reward_weights: list[float] | None = None
    scale_rewards: bool | str = "group"
    loss_type: str = "dapo"
    mask_truncated_completions: bool = False
    sync_ref_model: bool = False
    ref_model_mixup_alpha: float = 0.6
    ref_model_sync_steps: int = 512
    top_entropy_quantile: float = 1.0
    distillation_alpha: float = 0.5
    distillation_topk: int | None = 100
    full_logit_distillation: bool = False
    distillation_is_clip: float | None = 2.0
    distillation_add_tail: bool = False
    distillation_weight: float = 1.0
    diagnostics_warning_interval: int = 10
    diagnostics_flat_tolerance: float = 1e-08
    generate_from_teacher: bool = False
    teacher_prompt_template: str = "{prompt}\n\n{privileged_context}"
    num_loss_tokens_to_skip: int = 0
    use_teacher_server: bool = False
    teacher_model_kind: str = "base"
    teacher_update_rate: float = 0.05
    teacher_sync_steps: int = 1
    distillation_mode: str = "topk_logits"
