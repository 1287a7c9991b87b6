"""The settings of `trl:sdft`. Made by `tools/generate_trl_models.py`."""

from __future__ import annotations

from typing import Annotated, ClassVar

from rlhflint.frameworks.trl.models.shared import TrainerModel
from rlhflint.model import Anything, ArgFloat, ArgInt, ArgStr, Convert, OptFloat, OptFloats, OptInt, OptStr, Switch


class SDFTModel(TrainerModel):
    """The settings of `trl:sdft`."""

    program: ClassVar[str] = "trl:sdft"

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
    distillation_alpha: ArgFloat = 0.5
    distillation_topk: OptInt = 100
    full_logit_distillation: Switch = False
    distillation_is_clip: OptFloat = 2.0
    distillation_add_tail: Switch = False
    distillation_weight: ArgFloat = 1.0
    diagnostics_warning_interval: ArgInt = 10
    diagnostics_flat_tolerance: ArgFloat = 1e-08
    generate_from_teacher: Switch = False
    teacher_prompt_template: ArgStr = "{prompt}\n\n{privileged_context}"
    num_loss_tokens_to_skip: ArgInt = 0
    use_teacher_server: Switch = False
    teacher_model_kind: ArgStr = "base"
    teacher_update_rate: ArgFloat = 0.05
    teacher_sync_steps: ArgInt = 1
    distillation_mode: ArgStr = "topk_logits"
