"""The settings of `trl:rloo`. Made by `tools/generate_trl_models.py`."""

from __future__ import annotations

from typing import Annotated, ClassVar

from rlhflint.frameworks.trl.models.shared import TrainerModel
from rlhflint.model import Anything, ArgFloat, ArgInt, ArgStr, Convert, OptFloat, OptFloats, OptInt, OptStr, Switch


class RLOOModel(TrainerModel):
    """The settings of `trl:rloo`."""

    program: ClassVar[str] = "trl:rloo"

    learning_rate: ArgFloat = 1e-06
    remove_unused_columns: Annotated[bool | None, Convert] = False
    world_size: OptInt = None
    num_updates: OptInt = None
    micro_batch_size: OptInt = None
    local_batch_size: OptInt = None
    batch_size: OptInt = None
    local_mini_batch_size: OptInt = None
    mini_batch_size: OptInt = None
    exp_name: OptStr = None
    sanity_check: Switch = False
    steps_per_generation: OptInt = None
    total_episodes: OptInt = None
    local_rollout_forward_batch_size: OptInt = None
    num_sample_generations: OptInt = None
    base_model: ArgStr = "EleutherAI/pythia-160m"
    max_completion_length: OptInt = 512
    stop_token: OptStr = None
    stop_token_id: OptInt = None
    temperature: ArgFloat = 1.0
    penalty_reward_value: ArgInt = -1
    non_eos_penalty: Switch = False
    reward_model_path: ArgStr = "EleutherAI/pythia-160m"
    sft_model_path: ArgStr = "EleutherAI/pythia-160m"
    num_iterations: ArgInt = 1
    vf_coef: ArgFloat = 0.1
    epsilon: ArgFloat = 0.2
    cliprange_value: ArgFloat = 0.2
    gamma: ArgFloat = 1
    lam: ArgFloat = 0.95
    whiten_rewards: Switch = False
    beta: ArgFloat = 0.05
    num_generations: OptInt = 2
    dataset_num_proc: OptInt = None
    num_total_batches: OptInt = None
    missing_eos_penalty: OptFloat = None
    normalize_advantages: Switch = False
    reward_clip_range: Anything = None
    token_level_kl: Annotated[bool | None, Convert] = None
    ds3_gather_for_generation: Switch = True
    model_init_kwargs: Anything = None
    disable_dropout: Switch = False
    max_prompt_length: OptInt = None
    shuffle_dataset: Annotated[bool | None, Convert] = True
    generation_batch_size: OptInt = None
    top_p: ArgFloat = 1.0
    top_k: OptInt = 0
    min_p: OptFloat = None
    generation_kwargs: Anything = None
    repetition_penalty: ArgFloat = 1.0
    use_transformers_continuous_batching: Switch = False
    cache_implementation: OptStr = None
    use_vllm: Switch = False
    vllm_server_base_url: OptStr = None
    vllm_mode: ArgStr = "colocate"
    vllm_model_impl: ArgStr = "vllm"
    vllm_structured_outputs_regex: OptStr = None
    vllm_server_host: ArgStr = "0.0.0.0"
    vllm_server_port: ArgInt = 8000
    vllm_server_timeout: ArgFloat = 240.0
    vllm_gpu_memory_utilization: ArgFloat = 0.3
    vllm_tensor_parallel_size: ArgInt = 1
    epsilon_high: OptFloat = None
    reward_weights: OptFloats = None
    mask_truncated_completions: Switch = False
    sync_ref_model: Switch = False
    ref_model_mixup_alpha: ArgFloat = 0.6
    ref_model_sync_steps: ArgInt = 512
    log_completions: Switch = False
    num_completions_to_print: OptInt = None
    log_unique_prompts: Annotated[bool | None, Convert] = False
    vllm_enable_sleep_mode: Switch = False
    chat_template_kwargs: Anything = None
    num_generations_eval: OptInt = None
    vllm_group_port: ArgInt = 51216
    vllm_max_model_length: OptInt = None
    pad_to_multiple_of: Annotated[int | str | None, Convert] = "auto"
    router_aux_loss_coef: OptFloat = None
    transformers_continuous_batching_config: Anything = None
    log_multimodal: Switch = True
    ref_policy: Anything = None
    reward_funcs: Anything = None
    reward_processing_classes: Anything = None
    reward_model_name_or_path: OptStr = None
