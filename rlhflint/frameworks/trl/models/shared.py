"""The settings that all trainers of TRL have in common. Made by `tools/generate_trl_models.py`."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from rlhflint.model import (
    Anything,
    ArgFloat,
    ArgInt,
    ArgStr,
    ArgStrs,
    Convert,
    OptFloat,
    OptInt,
    OptStr,
    OptStrs,
    ProgramModel,
    Switch,
)


class TrainerModel(ProgramModel):
    """The settings that all trainers of TRL have in common."""

    output_dir: OptStr = None
    overwrite_output_dir: Switch = False
    do_train: Switch = False
    do_eval: Switch = False
    do_predict: Switch = False
    eval_strategy: ArgStr = "no"
    prediction_loss_only: Switch = False
    per_device_train_batch_size: ArgInt = 8
    per_device_eval_batch_size: ArgInt = 8
    gradient_accumulation_steps: ArgInt = 1
    eval_accumulation_steps: OptInt = None
    eval_delay: OptFloat = 0
    learning_rate: ArgFloat = 5e-05
    weight_decay: ArgFloat = 0.0
    adam_beta1: ArgFloat = 0.9
    adam_beta2: ArgFloat = 0.999
    adam_epsilon: ArgFloat = 1e-08
    max_grad_norm: OptFloat = 1.0
    num_train_epochs: ArgFloat = 3.0
    max_steps: ArgInt = -1
    lr_scheduler_type: ArgStr = "linear"
    lr_scheduler_kwargs: Anything = None
    warmup_ratio: OptFloat = None
    warmup_steps: ArgFloat = 0
    log_level: OptStr = "passive"
    log_level_replica: OptStr = "warning"
    log_on_each_node: Switch = True
    logging_dir: OptStr = None
    logging_strategy: ArgStr = "steps"
    logging_first_step: Switch = False
    logging_steps: ArgFloat = 10
    logging_nan_inf_filter: Switch = True
    save_strategy: ArgStr = "steps"
    save_steps: ArgFloat = 500
    save_total_limit: OptInt = None
    save_safetensors: Annotated[bool | None, Convert] = True
    save_on_each_node: Switch = False
    save_only_model: Switch = False
    use_cpu: Switch = False
    use_mps_device: Switch = False
    seed: ArgInt = 42
    data_seed: OptInt = None
    jit_mode_eval: Switch = False
    use_ipex: Switch = False
    bf16: Annotated[bool | None, Convert] = None
    fp16: Switch = False
    fp16_opt_level: ArgStr = "O1"
    half_precision_backend: ArgStr = "auto"
    bf16_full_eval: Switch = False
    fp16_full_eval: Switch = False
    tf32: Annotated[bool | None, Convert] = None
    local_rank: ArgInt = -1
    ddp_backend: OptStr = None
    tpu_num_cores: OptInt = None
    tpu_metrics_debug: Switch = False
    debug: Anything = ""
    dataloader_drop_last: Switch = False
    eval_steps: OptFloat = None
    dataloader_num_workers: ArgInt = 0
    dataloader_prefetch_factor: OptInt = None
    past_index: ArgInt = -1
    run_name: OptStr = None
    disable_tqdm: Annotated[bool | None, Convert] = None
    remove_unused_columns: Annotated[bool | None, Convert] = True
    label_names: OptStrs = None
    load_best_model_at_end: Annotated[bool | None, Convert] = False
    metric_for_best_model: OptStr = None
    greater_is_better: Annotated[bool | None, Convert] = None
    ignore_data_skip: Switch = False
    fsdp: Anything = None
    fsdp_min_num_params: ArgInt = 0
    fsdp_config: Anything = None
    fsdp_transformer_layer_cls_to_wrap: OptStr = None
    accelerator_config: Anything = None
    deepspeed: Anything = None
    label_smoothing_factor: ArgFloat = 0.0
    optim: OptStr = None
    optim_args: OptStr = None
    adafactor: Switch = False
    group_by_length: Switch = False
    length_column_name: OptStr = "length"
    report_to: Annotated[str | list[str] | None, Convert] = "none"
    ddp_find_unused_parameters: Annotated[bool | None, Convert] = None
    ddp_bucket_cap_mb: OptInt = None
    ddp_broadcast_buffers: Annotated[bool | None, Convert] = None
    dataloader_pin_memory: Switch = True
    dataloader_persistent_workers: Switch = False
    skip_memory_metrics: Switch = True
    use_legacy_prediction_loop: Switch = False
    push_to_hub: Switch = False
    resume_from_checkpoint: OptStr = None
    hub_model_id: OptStr = None
    hub_strategy: ArgStr = "every_save"
    hub_token: OptStr = None
    hub_private_repo: Annotated[bool | None, Convert] = None
    hub_always_push: Switch = False
    gradient_checkpointing: Annotated[bool | None, Convert] = True
    gradient_checkpointing_kwargs: Anything = None
    include_inputs_for_metrics: Switch = False
    eval_do_concat_batches: Switch = True
    fp16_backend: ArgStr = "auto"
    push_to_hub_organization: OptStr = None
    mp_parameters: ArgStr = ""
    auto_find_batch_size: Switch = False
    full_determinism: Switch = False
    torch_compile_backend: OptStr = None
    ray_scope: OptStr = "last"
    ddp_timeout: OptInt = 1800
    torch_compile: Switch = False
    torch_compile_mode: OptStr = None
    dispatch_batches: Annotated[bool | None, Convert] = None
    split_batches: Annotated[bool | None, Convert] = None
    include_tokens_per_second: Annotated[bool | None, Convert] = False
    include_num_input_tokens_seen: Annotated[bool | str | None, Convert] = "no"
    neftune_noise_alpha: OptFloat = None
    optim_target_modules: Annotated[str | list[str] | None, Convert] = None
    restore_callback_states_from_checkpoint: Switch = False
    batch_eval_metrics: Switch = False
    eval_on_start: Switch = False
    torch_empty_cache_steps: OptInt = None
    eval_use_gather_object: Annotated[bool | None, Convert] = False
    use_liger_kernel: Switch = False
    include_for_metrics: ArgStrs = Field(default_factory=list)
    average_tokens_across_devices: Annotated[bool | None, Convert] = True
    tp_size: OptInt = 0
    hub_revision: OptStr = None
    liger_kernel_config: Anything = None
    parallelism_config: Anything = None
    project: ArgStr = "huggingface"
    trackio_space_id: OptStr = None
    enable_jit_checkpoint: Switch = False
    use_cache: Switch = False
    train_sampling_strategy: ArgStr = "random"
    trackio_bucket_id: OptStr = None
    trackio_static_space_id: OptStr = None
    ddp_static_graph: Annotated[bool | None, Convert] = None
    dataloader_multiprocessing_context: OptStr = None
    dataloader_in_order: Switch = True
    activation_checkpointing: Annotated[bool | None, Convert] = None
    activation_checkpointing_kwargs: Anything = None
    model_name_or_path: OptStr = None
    model_revision: ArgStr = "main"
    dtype: OptStr = "float32"
    trust_remote_code: Switch = False
    attn_implementation: OptStr = None
    use_peft: Switch = False
    lora_r: OptInt = 16
    lora_alpha: OptInt = 32
    lora_dropout: OptFloat = 0.05
    lora_target_modules: OptStrs = None
    lora_modules_to_save: OptStrs = None
    lora_task_type: ArgStr = "CAUSAL_LM"
    load_in_8bit: Switch = False
    load_in_4bit: Switch = False
    bnb_4bit_quant_type: OptStr = "nf4"
    use_bnb_nested_quant: Switch = False
    use_rslora: Switch = False
    use_dora: Switch = False
    lora_target_parameters: OptStrs = None
    bnb_4bit_quant_storage: OptStr = None
    dataset_name: OptStr = None
    dataset_train_split: ArgStr = "train"
    dataset_test_split: ArgStr = "test"
    config: OptStr = None
    gradient_checkpointing_use_reentrant: Switch = False
    ignore_bias_buffers: Switch = False
    dataset_config: OptStr = None
    dataset_streaming: Switch = False
    datasets: Anything = Field(default_factory=list)
    streaming: Switch = False
    test_split_size: OptFloat = None
    model: Anything = None
    processing_class: Anything = None
    train_dataset: Anything = None
    eval_dataset: Anything = None
    data_collator: Anything = None
    peft_config: Anything = None
    quantization_config: Anything = None
    compute_metrics: Anything = None
    callbacks: Anything = None
    optimizers: Anything = None
    preprocess_logits_for_metrics: Anything = None
