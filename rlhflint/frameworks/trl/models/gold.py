"""The settings of `trl:gold`. Made by `tools/generate_trl_models.py`."""

from __future__ import annotations

from typing import Any, ClassVar

from rlhflint.frameworks.trl.models.shared import TrainerModel


class GOLDModel(TrainerModel):
    """The settings of `trl:gold`."""

    program: ClassVar[str] = "trl:gold"

    learning_rate: float = 1e-07
    dataset_text_field: str = "text"
    packing: bool = False
    dataset_num_proc: int | None = None
    model_init_kwargs: Any = None
    dataset_kwargs: Any = None
    eval_packing: bool | None = None
    max_length: int | None = 1024
    padding_free: bool = False
    pad_token: str | None = None
    eos_token: str | None = None
    completion_only_loss: bool | None = None
    pad_to_multiple_of: int | str | None = "auto"
    activation_offloading: bool = False
    chat_template_path: str | None = None
    packing_strategy: str = "bfd"
    assistant_only_loss: bool = False
    loss_type: str | None = "nll"
    temperature: float = 0.9
    top_p: float = 0.95
    top_k: int = 0
    lmbda: float = 0.5
    beta: float = 0.5
    max_completion_length: int = 128
    student_model_revision: str = "main"
    teacher_model_name_or_path: str | None = None
    teacher_model_init_kwargs: Any = None
    teacher_tokenizer_name_or_path: str | None = None
    disable_dropout: bool = True
    seq_kd: bool = False
    steps_per_generation: int | None = None
    use_uld_loss: bool = False
    use_extended_uld: bool = True
    uld_use_hybrid_loss: bool = False
    uld_hybrid_matched_weight: float | None = None
    uld_hybrid_unmatched_weight: float | None = None
    uld_crossentropy_weight: float = 0.0
    uld_distillation_weight: float = 1.0
    uld_student_temperature: float = 1.0
    uld_teacher_temperature: float = 1.0
    uld_skip_student_eos: bool = True
    uld_skip_teacher_eos: bool = True
    use_transformers_paged: bool = False
    use_vllm: bool = False
    vllm_mode: str = "colocate"
    vllm_server_host: str = "0.0.0.0"
    vllm_server_port: int = 8001
    vllm_server_timeout: float = 240.0
    vllm_gpu_memory_utilization: float = 0.9
    vllm_tensor_parallel_size: int = 1
    vllm_structured_outputs_regex: str | None = None
    vllm_sync_frequency: int = 1
    vllm_enable_sleep_mode: bool = False
    log_completions: bool = False
    log_completions_steps: int = 100
    num_completions_to_print: int | None = None
    wandb_entity: str | None = None
    wandb_project: str | None = None
    wandb_run_group: str | None = None
    wandb_log_unique_prompts: bool = True
    hub_model_revision: str | None = "main"
    overwrite_hub_revision: bool = False
    push_to_hub_revision: bool = False
    trl_project: str = "smollm3"
    shuffle_dataset: bool = False
    truncation_mode: str = "keep_start"
    teacher_model_revision: str | None = None
    num_generations: int = 1
    generation_batch_size: int | None = None
    vllm_server_base_url: str | None = None
    vllm_group_port: int = 51216
    vllm_max_model_length: int | None = None
    vllm_model_impl: str = "vllm"
    router_aux_loss_coef: float | None = None
    uld_token_merge_strategy: str = "observed"
    teacher_model: Any = None
