"""The settings of `trl:server_distillation`. Made by `tools/generate_trl_models.py`."""

from __future__ import annotations

from typing import Annotated, ClassVar

from rlhflint.frameworks.trl.models.shared import TrainerModel
from rlhflint.model import Anything, ArgFloat, ArgInt, ArgStr, Convert, OptFloat, OptInt, OptStr, Switch


class ServerDistillationModel(TrainerModel):
    """The settings of `trl:server_distillation`."""

    program: ClassVar[str] = "trl:server_distillation"

    learning_rate: ArgFloat = 1e-06
    remove_unused_columns: Annotated[bool | None, Convert] = False
    model_init_kwargs: Anything = None
    max_length: OptInt = 1024
    temperature: ArgFloat = 1.0
    beta: ArgFloat = 1.0
    max_completion_length: OptInt = 512
    max_prompt_length: OptInt = None
    disable_dropout: Switch = False
    teacher_model_name_or_path: OptStr = None
    teacher_model_revision: OptStr = None
    teacher_model_init_kwargs: Anything = None
    num_generations: ArgInt = 1
    generation_batch_size: OptInt = None
    top_p: ArgFloat = 1.0
    top_k: ArgInt = 0
    use_vllm: Switch = False
    vllm_mode: ArgStr = "colocate"
    vllm_server_base_url: OptStr = None
    vllm_server_host: ArgStr = "0.0.0.0"
    vllm_server_port: ArgInt = 8001
    vllm_server_timeout: ArgFloat = 240.0
    vllm_group_port: ArgInt = 51216
    vllm_gpu_memory_utilization: ArgFloat = 0.3
    vllm_tensor_parallel_size: ArgInt = 1
    vllm_max_model_length: OptInt = None
    vllm_model_impl: ArgStr = "vllm"
    vllm_structured_outputs_regex: OptStr = None
    vllm_sync_frequency: ArgInt = 1
    vllm_enable_sleep_mode: Switch = False
    log_completions: Switch = False
    log_completions_steps: ArgInt = 100
    num_completions_to_print: OptInt = None
    teacher_model_server_url: OptStr = None
    loss_top_k: ArgInt = 1
    loss_add_tail: Switch = True
    reverse_kl_top_1_mode: ArgStr = "sampled"
    ds3_gather_for_generation: Switch = True
    shuffle_dataset: Annotated[bool | None, Convert] = True
    pad_to_multiple_of: Annotated[int | str | None, Convert] = "auto"
    min_p: OptFloat = None
    generation_kwargs: Anything = None
    chat_template_kwargs: Anything = None
    repetition_penalty: ArgFloat = 1.0
    cache_implementation: OptStr = None
    log_unique_prompts: Switch = False
    max_tool_calling_iterations: OptInt = None
