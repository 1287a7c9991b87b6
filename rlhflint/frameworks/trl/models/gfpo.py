"""The settings of `trl:gfpo`. Made by `tools/generate_trl_models.py`."""

from __future__ import annotations

from typing import Annotated, ClassVar

from rlhflint.frameworks.trl.models.shared import TrainerModel
from rlhflint.model import Anything, ArgFloat, ArgInt, ArgStr, Convert, OptFloat, OptFloats, OptInt, OptStr, Switch


class GFPOModel(TrainerModel):
    """The settings of `trl:gfpo`."""

    program: ClassVar[str] = "trl:gfpo"

    learning_rate: ArgFloat = 1e-06
    remove_unused_columns: Annotated[bool | None, Convert] = False
    model_init_kwargs: Anything = None
    max_prompt_length: OptInt = None
    num_generations: OptInt = 8
    temperature: ArgFloat = 1.0
    max_completion_length: OptInt = 256
    use_vllm: Switch = False
    vllm_gpu_memory_utilization: ArgFloat = 0.3
    beta: ArgFloat = 0.0
    ds3_gather_for_generation: Switch = True
    reward_weights: OptFloats = None
    sync_ref_model: Switch = False
    ref_model_mixup_alpha: ArgFloat = 0.6
    ref_model_sync_steps: ArgInt = 512
    log_completions: Switch = False
    top_p: ArgFloat = 1.0
    top_k: OptInt = 0
    min_p: OptFloat = None
    repetition_penalty: ArgFloat = 1.0
    cache_implementation: OptStr = None
    vllm_server_host: ArgStr = "0.0.0.0"
    vllm_server_port: ArgInt = 8000
    vllm_server_timeout: ArgFloat = 240.0
    vllm_structured_outputs_regex: OptStr = None
    num_iterations: ArgInt = 1
    epsilon: ArgFloat = 0.2
    epsilon_high: OptFloat = None
    scale_rewards: ArgStr = "group"
    disable_dropout: Switch = False
    shuffle_dataset: Annotated[bool | None, Convert] = True
    loss_type: ArgStr = "dapo"
    mask_truncated_completions: Switch = False
    use_liger_loss: Switch = False
    num_completions_to_print: OptInt = None
    log_unique_prompts: Annotated[bool | None, Convert] = False
    generation_batch_size: OptInt = None
    steps_per_generation: OptInt = None
    vllm_server_base_url: OptStr = None
    vllm_mode: ArgStr = "colocate"
    vllm_tensor_parallel_size: ArgInt = 1
    delta: OptFloat = None
    generation_kwargs: Anything = None
    use_transformers_paged: Switch = False
    importance_sampling_level: ArgStr = "token"
    top_entropy_quantile: ArgFloat = 1.0
    vllm_model_impl: ArgStr = "vllm"
    vllm_enable_sleep_mode: Switch = False
    vllm_importance_sampling_correction: Switch = True
    vllm_importance_sampling_cap: OptFloat = None
    num_remains_in_group: OptInt = None
    cast_lm_head_to_fp32: Switch = False
    chat_template_kwargs: Anything = None
    num_generations_eval: OptInt = None
    vllm_max_model_length: OptInt = None
    sapo_temperature_neg: ArgFloat = 1.05
    sapo_temperature_pos: ArgFloat = 1.0
    vllm_importance_sampling_mode: ArgStr = "sequence_mask"
    use_bias_correction_kl: Switch = False
    vllm_group_port: ArgInt = 51216
    multi_objective_aggregation: ArgStr = "sum_then_normalize"
    max_tool_calling_iterations: OptInt = None
    off_policy_mask_threshold: OptFloat = None
    log_completions_hub_repo: OptStr = None
    pad_to_multiple_of: OptInt = None
    vespo_k_pos: ArgFloat = 2.0
    vespo_lambda_pos: ArgFloat = 3.0
    vespo_k_neg: ArgFloat = 3.0
    vespo_lambda_neg: ArgFloat = 2.0
    vllm_importance_sampling_clip_max: OptFloat = 3.0
    vllm_importance_sampling_clip_min: OptFloat = None
    router_aux_loss_coef: ArgFloat = 0.001
    use_transformers_continuous_batching: Switch = False
    transformers_continuous_batching_config: Anything = None
    reward_funcs: Anything = None
    reward_processing_classes: Anything = None
    group_filter_func: Anything = None
