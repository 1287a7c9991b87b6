"""The settings of `trl:gold`. Made by `tools/generate_trl_models.py`."""

from __future__ import annotations

from typing import Annotated, ClassVar

from rlhflint.frameworks.trl.models.shared import TrainerModel
from rlhflint.model import Anything, ArgFloat, ArgInt, ArgStr, Convert, OptFloat, OptInt, OptStr, Switch


class GOLDModel(TrainerModel):
    """The settings of `trl:gold`."""

    program: ClassVar[str] = "trl:gold"

    learning_rate: ArgFloat = 1e-07
    dataset_text_field: ArgStr = "text"
    packing: Switch = False
    dataset_num_proc: OptInt = None
    model_init_kwargs: Anything = None
    dataset_kwargs: Anything = None
    eval_packing: Annotated[bool | None, Convert] = None
    max_length: OptInt = 1024
    padding_free: Switch = False
    pad_token: OptStr = None
    eos_token: OptStr = None
    completion_only_loss: Annotated[bool | None, Convert] = None
    pad_to_multiple_of: Annotated[int | str | None, Convert] = "auto"
    activation_offloading: Switch = False
    chat_template_path: OptStr = None
    packing_strategy: ArgStr = "bfd"
    assistant_only_loss: Switch = False
    loss_type: OptStr = "nll"
    temperature: ArgFloat = 0.9
    top_p: ArgFloat = 0.95
    top_k: ArgInt = 0
    lmbda: ArgFloat = 0.5
    beta: ArgFloat = 0.5
    max_completion_length: ArgInt = 128
    student_model_revision: ArgStr = "main"
    teacher_model_name_or_path: OptStr = None
    teacher_model_init_kwargs: Anything = None
    teacher_tokenizer_name_or_path: OptStr = None
    disable_dropout: Switch = True
    seq_kd: Switch = False
    steps_per_generation: OptInt = None
    use_uld_loss: Switch = False
    use_extended_uld: Switch = True
    uld_use_hybrid_loss: Switch = False
    uld_hybrid_matched_weight: OptFloat = None
    uld_hybrid_unmatched_weight: OptFloat = None
    uld_crossentropy_weight: ArgFloat = 0.0
    uld_distillation_weight: ArgFloat = 1.0
    uld_student_temperature: ArgFloat = 1.0
    uld_teacher_temperature: ArgFloat = 1.0
    uld_skip_student_eos: Switch = True
    uld_skip_teacher_eos: Switch = True
    use_transformers_paged: Switch = False
    use_vllm: Switch = False
    vllm_mode: ArgStr = "colocate"
    vllm_server_host: ArgStr = "0.0.0.0"
    vllm_server_port: ArgInt = 8001
    vllm_server_timeout: ArgFloat = 240.0
    vllm_gpu_memory_utilization: ArgFloat = 0.9
    vllm_tensor_parallel_size: ArgInt = 1
    vllm_structured_outputs_regex: OptStr = None
    vllm_sync_frequency: ArgInt = 1
    vllm_enable_sleep_mode: Switch = False
    log_completions: Switch = False
    log_completions_steps: ArgInt = 100
    num_completions_to_print: OptInt = None
    wandb_entity: OptStr = None
    wandb_project: OptStr = None
    wandb_run_group: OptStr = None
    wandb_log_unique_prompts: Switch = True
    hub_model_revision: OptStr = "main"
    overwrite_hub_revision: Switch = False
    push_to_hub_revision: Switch = False
    trl_project: ArgStr = "smollm3"
    shuffle_dataset: Switch = False
    truncation_mode: ArgStr = "keep_start"
    teacher_model_revision: OptStr = None
    num_generations: ArgInt = 1
    generation_batch_size: OptInt = None
    vllm_server_base_url: OptStr = None
    vllm_group_port: ArgInt = 51216
    vllm_max_model_length: OptInt = None
    vllm_model_impl: ArgStr = "vllm"
    router_aux_loss_coef: OptFloat = None
    uld_token_merge_strategy: ArgStr = "observed"
    teacher_model: Anything = None
