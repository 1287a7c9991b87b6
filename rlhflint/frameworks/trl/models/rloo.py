"""The settings of `trl:rloo`. Made by `tools/generate_trl_models.py`."""

from __future__ import annotations

from typing import Any, ClassVar

from rlhflint.frameworks.trl.models.shared import TrainerModel


class RLOOModel(TrainerModel):
    """The settings of `trl:rloo`."""

    program: ClassVar[str] = "trl:rloo"

    learning_rate: float = 1e-06
    remove_unused_columns: bool | None = False
    world_size: int | None = None
    num_updates: int | None = None
    micro_batch_size: int | None = None
    local_batch_size: int | None = None
    batch_size: int | None = None
    local_mini_batch_size: int | None = None
    mini_batch_size: int | None = None
    exp_name: str | None = None
    sanity_check: bool = False
    steps_per_generation: int | None = None
    total_episodes: int | None = None
    local_rollout_forward_batch_size: int | None = None
    num_sample_generations: int | None = None
    base_model: str = "EleutherAI/pythia-160m"
    max_completion_length: int | None = 512
    stop_token: str | None = None
    stop_token_id: int | None = None
    temperature: float = 1.0
    penalty_reward_value: int = -1
    non_eos_penalty: bool = False
    reward_model_path: str = "EleutherAI/pythia-160m"
    sft_model_path: str = "EleutherAI/pythia-160m"
    num_iterations: int = 1
    vf_coef: float = 0.1
    epsilon: float = 0.2
    cliprange_value: float = 0.2
    gamma: float = 1
    lam: float = 0.95
    whiten_rewards: bool = False
    beta: float = 0.05
    num_generations: int | None = 2
    dataset_num_proc: int | None = None
    num_total_batches: int | None = None
    missing_eos_penalty: float | None = None
    normalize_advantages: bool = False
    reward_clip_range: Any = None
    token_level_kl: bool | None = None
    ds3_gather_for_generation: bool = True
    model_init_kwargs: Any = None
    disable_dropout: bool = False
    max_prompt_length: int | None = None
    shuffle_dataset: bool | None = True
    generation_batch_size: int | None = None
    top_p: float = 1.0
    top_k: int | None = 0
    min_p: float | None = None
    generation_kwargs: Any = None
    repetition_penalty: float = 1.0
    use_transformers_continuous_batching: bool = False
    cache_implementation: str | None = None
    use_vllm: bool = False
    vllm_server_base_url: str | None = None
    vllm_mode: str = "colocate"
    vllm_model_impl: str = "vllm"
    vllm_structured_outputs_regex: str | None = None
    vllm_server_host: str = "0.0.0.0"
    vllm_server_port: int = 8000
    vllm_server_timeout: float = 240.0
    vllm_gpu_memory_utilization: float = 0.3
    vllm_tensor_parallel_size: int = 1
    epsilon_high: float | None = None
    reward_weights: list[float] | None = None
    mask_truncated_completions: bool = False
    sync_ref_model: bool = False
    ref_model_mixup_alpha: float = 0.6
    ref_model_sync_steps: int = 512
    log_completions: bool = False
    num_completions_to_print: int | None = None
    log_unique_prompts: bool | None = False
    vllm_enable_sleep_mode: bool = False
    chat_template_kwargs: Any = None
    num_generations_eval: int | None = None
    vllm_group_port: int = 51216
    vllm_max_model_length: int | None = None
    pad_to_multiple_of: int | str | None = "auto"
    router_aux_loss_coef: float | None = None
    transformers_continuous_batching_config: Any = None
    log_multimodal: bool = True
    ref_policy: Any = None
    reward_funcs: Any = None
    reward_processing_classes: Any = None
    reward_model_name_or_path: str | None = None
