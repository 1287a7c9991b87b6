"""The settings of `trl:dppo`. Made by `tools/generate_trl_models.py`."""

from __future__ import annotations

from typing import Any, ClassVar

from rlhflint.frameworks.trl.models.shared import TrainerModel


class DPPOModel(TrainerModel):
    """The settings of `trl:dppo`."""

    program: ClassVar[str] = "trl:dppo"

    learning_rate: float = 1e-06
    remove_unused_columns: bool | None = False
    model_init_kwargs: Any = None
    num_generations: int | None = 8
    temperature: float = 1.0
    max_completion_length: int | None = 256
    use_vllm: bool = False
    vllm_gpu_memory_utilization: float = 0.3
    beta: float = 0.0
    ds3_gather_for_generation: bool = True
    reward_weights: list[float] | None = None
    sync_ref_model: bool = False
    ref_model_mixup_alpha: float = 0.6
    ref_model_sync_steps: int = 512
    log_completions: bool = False
    top_p: float = 1.0
    top_k: int = 0
    min_p: float | None = None
    repetition_penalty: float = 1.0
    cache_implementation: str | None = None
    vllm_server_host: str = "0.0.0.0"
    vllm_server_port: int = 8000
    vllm_server_timeout: float = 240.0
    num_iterations: int = 1
    epsilon: float = 0.15
    epsilon_high: float = 0.15
    scale_rewards: str = "group"
    disable_dropout: bool = False
    shuffle_dataset: bool | None = True
    loss_type: str = "dapo"
    mask_truncated_completions: bool = False
    num_completions_to_print: int | None = None
    generation_batch_size: int | None = None
    steps_per_generation: int | None = None
    vllm_server_base_url: str | None = None
    vllm_mode: str = "colocate"
    vllm_tensor_parallel_size: int = 1
    delta: float | None = None
    generation_kwargs: Any = None
    use_transformers_paged: bool = False
    importance_sampling_level: str = "token"
    top_entropy_quantile: float = 1.0
    vllm_model_impl: str = "vllm"
    vllm_enable_sleep_mode: bool = False
    vllm_importance_sampling_correction: bool = True
    vllm_importance_sampling_cap: float | None = None
    cast_lm_head_to_fp32: bool = False
    chat_template_kwargs: Any = None
    num_generations_eval: int | None = None
    vllm_max_model_length: int | None = None
    sapo_temperature_neg: float = 1.05
    sapo_temperature_pos: float = 1.0
    vllm_importance_sampling_mode: str = "sequence_mask"
    use_bias_correction_kl: bool = False
    log_unique_prompts: bool = False
    vllm_structured_outputs_regex: str | None = None
    vllm_group_port: int = 51216
    multi_objective_aggregation: str = "sum_then_normalize"
    max_tool_calling_iterations: int | None = None
    off_policy_mask_threshold: float | None = None
    log_completions_hub_repo: str | None = None
    pad_to_multiple_of: int | None = None
    vespo_k_pos: float = 2.0
    vespo_lambda_pos: float = 3.0
    vespo_k_neg: float = 3.0
    vespo_lambda_neg: float = 2.0
    divergence_type: str = "binary_tv"
    divergence_topk: int = 20
    clip_ratio_c: float = 20.0
    vllm_importance_sampling_clip_max: float | None = 3.0
    vllm_importance_sampling_clip_min: float | None = None
    router_aux_loss_coef: float = 0.001
    use_transformers_continuous_batching: bool = False
    transformers_continuous_batching_config: Any = None
    entropy_coef: float = 0.0
    use_adaptive_entropy: bool = False
    entropy_coef_min: float = 0.0
    entropy_coef_max: float = 1.0
    entropy_coef_delta: float = 0.005
    entropy_target: float = 0.2
    reward_funcs: Any = None
    reward_processing_classes: Any = None
    tools: Any = None
    rollout_func: Any = None
    environment_factory: Any = None
