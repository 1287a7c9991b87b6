"""The settings of `trl:sdpo`. Made by `tools/generate_trl_models.py`."""

from __future__ import annotations

from typing import Annotated, ClassVar

from rlhflint.frameworks.trl.models.shared import TrainerModel
from rlhflint.model import Anything, ArgFloat, ArgInt, ArgStr, Convert, OptFloat, OptFloats, OptInt, OptStr, Switch


class SDPOModel(TrainerModel):
    """The settings of `trl:sdpo`."""

    program: ClassVar[str] = "trl:sdpo"

    remove_unused_columns: Annotated[bool | None, Convert] = False
    model_init_kwargs: Anything = None
    disable_dropout: Switch = True
    max_prompt_length: OptInt = 512
    num_generations: ArgInt = 8
    num_generations_eval: OptInt = None
    max_completion_length: OptInt = 256
    ds3_gather_for_generation: Switch = True
    shuffle_dataset: Switch = True
    generation_batch_size: OptInt = None
    steps_per_generation: OptInt = None
    temperature: ArgFloat = 1.0
    top_p: ArgFloat = 1.0
    top_k: ArgInt = 0
    min_p: OptFloat = None
    generation_kwargs: Anything = None
    chat_template_kwargs: Anything = None
    repetition_penalty: ArgFloat = 1.0
    use_transformers_paged: Switch = False
    cache_implementation: OptStr = None
    use_vllm: Switch = False
    vllm_mode: ArgStr = "colocate"
    vllm_model_impl: ArgStr = "vllm"
    vllm_enable_sleep_mode: Switch = False
    vllm_server_base_url: OptStr = None
    vllm_server_host: ArgStr = "0.0.0.0"
    vllm_server_port: ArgInt = 8000
    vllm_group_port: ArgInt = 51216
    vllm_server_timeout: ArgFloat = 240.0
    vllm_tensor_parallel_size: ArgInt = 1
    vllm_gpu_memory_utilization: ArgFloat = 0.3
    vllm_max_model_length: OptInt = None
    beta: ArgFloat = 0.0
    num_iterations: ArgInt = 1
    epsilon: ArgFloat = 0.2
    epsilon_high: OptFloat = None
    importance_sampling_level: ArgStr = "token"
    reward_weights: OptFloats = None
    scale_rewards: Annotated[bool | str, Convert] = "group"
    loss_type: ArgStr = "dapo"
    mask_truncated_completions: Switch = False
    sync_ref_model: Switch = False
    ref_model_mixup_alpha: ArgFloat = 0.6
    ref_model_sync_steps: ArgInt = 512
    top_entropy_quantile: ArgFloat = 1.0
    distillation_alpha: ArgFloat = 1.0
    distillation_topk: OptInt = None
    full_logit_distillation: Switch = False
    distillation_is_clip: OptFloat = 2.0
    distillation_add_tail: Switch = False
    distillation_weight: ArgFloat = 1.0
    diagnostics_warning_interval: ArgInt = 10
    diagnostics_flat_tolerance: ArgFloat = 1e-08
    dont_reprompt_on_self_success: Switch = True
    sdpo_policy_loss_mode: ArgStr = "distillation_only"
    teacher_regularization: ArgStr = "ema"
    teacher_update_rate: OptFloat = 0.05
    ema_update_rate: ArgFloat = 0.05
    max_reprompt_len: ArgInt = 10240
    use_successful_as_teacher: Switch = True
    success_reward_threshold: ArgFloat = 1.0
    reprompt_template: ArgStr = "{prompt}{solution}{feedback}\n\nCorrectly solve the original question.\n"
    solution_template: ArgStr = "\nCorrect solution:\n\n{successful_previous_attempt}\n\n"
    feedback_template: ArgStr = (
        "\nThe following is feedback from your unsuccessful earlier attempt:\n\n{feedback_raw}\n\n"
    )
    include_environment_feedback: Switch = False
    environment_feedback_only_without_solution: Switch = False
    remove_thinking_from_demonstration: Switch = False
    use_teacher_server: Switch = False
    distillation_mode: ArgStr = "sampled_token"
    teacher_model_kind: ArgStr = "ema"
    teacher_sync_steps: ArgInt = 1
    reward_funcs: Anything = None
    reward_processing_classes: Anything = None
