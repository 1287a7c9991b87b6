"""OpenRLHF's `train_kd` as a typed model, made from the catalog by `tools/generate_models.py`."""

from __future__ import annotations

from typing import ClassVar

from rlhflint.model import Group, ProgramModel


class Adam(Group):
    """Settings below `adam`."""

    betas: list[float] = [0.9, 0.95]
    """`--adam_betas` ..0.9.5"""
    lr: float = 5e-06
    """`--learning_rate` ..0.9.5"""
    weight_decay: float = 0
    """`--l2` ..0.9.5"""


class Ckpt(Group):
    """Settings below `ckpt`."""

    disable_ds: bool = False
    """`--disable_ds_ckpt` 0.8.2..0.9.5"""
    load_enable: bool = False
    """`--load_checkpoint` ..0.9.5"""
    max_mem: int = 100000000
    """`--max_ckpt_mem` ..0.9.5"""
    max_num: int = 3
    """`--max_ckpt_num` ..0.9.5"""
    output_dir: str = "./ckpt"
    """`--save_path` ..0.9.5"""
    path: str = "./ckpt/checkpoints_kd"
    """`--ckpt_path` ..0.9.5"""
    save_hf: bool = False
    """`--save_hf_ckpt` 0.8.2..0.9.5"""
    save_steps: int = -1
    """`--save_steps` ..0.9.5"""


class Data(Group):
    """Settings below `data`."""

    apply_chat_template: bool = False
    """`--apply_chat_template` ..0.9.5"""
    dataset: str | None = None
    """`--dataset` ..0.9.5"""
    dataset_probs: str | None = None
    """`--dataset_probs` ..0.9.5"""
    dataset_split: str = "train"
    """`--train_split` ..0.6.4; `--dataset_split` 0.7.4..0.9.5"""
    disable_fast_tokenizer: bool = False
    """`--disable_fast_tokenizer` ..0.9.5"""
    input_key: str = "input"
    """`--input_key` ..0.9.5"""
    input_template: str = "User: {}\nAssistant: "
    """`--input_template` ..0.9.5"""
    max_len: int = 2048
    """`--max_len` ..0.9.5"""
    max_samples: int = 1000000
    """`--max_samples` ..0.9.5"""
    output_key: str = "output"
    """`--output_key` ..0.9.5"""


class DsLora(Group):
    """Settings below `lora`."""

    alpha: int = 16
    """`--lora_alpha` ..0.9.5"""
    dropout: float = 0
    """`--lora_dropout` ..0.9.5"""
    rank: int = 0
    """`--lora_rank` ..0.9.5"""
    target_modules: list[str] | str = "all-linear"
    """`--target_modules` ..0.9.5"""


class Ds(Group):
    """Settings below `ds`."""

    lora: DsLora
    adam_offload: bool = False
    """`--adam_offload` ..0.9.5"""
    attn_implementation: str = "flash_attention_2"
    """`--attn_implementation` 0.8.10..0.9.5"""
    deepcompile: bool = False
    """`--torch_compile` 0.6.2..0.7.0.post1; `--deepcompile` 0.7.1..0.9.5"""
    grad_accum_dtype: str | None = None
    """`--grad_accum_dtype` ..0.9.5"""
    load_in_4bit: bool = False
    """`--load_in_4bit` ..0.9.5"""
    overlap_comm: bool = False
    """`--overlap_comm` 0.5.5..0.9.5"""
    param_dtype: str = "bf16"
    """`--param_dtype` 0.9.2..0.9.5"""
    tensor_parallel_size: int = 1
    """`--ds_tensor_parallel_size` 0.8.5..0.9.5"""
    use_liger_kernel: bool = False
    """`--use_liger_kernel` 0.6.2..0.9.5"""
    use_universal_ckpt: bool = False
    """`--universal_ckpt` 0.6.3..0.6.3.post2; `--use_ds_universal_ckpt` 0.6.4..0.9.5"""
    zero_stage: int = 2
    """`--zero_stage` ..0.9.5"""
    zpg: int = 1
    """`--zpg` ..0.9.5"""


class Eval(Group):
    """Settings below `eval`."""

    dataset: str | None = None
    """`--eval_dataset` 0.7.0..0.9.5"""
    split: str = "test"
    """`--eval_split` ..0.6.4, 0.7.4..0.9.5"""
    steps: int = -1
    """`--eval_steps` ..0.9.5"""


class LoggerWandb(Group):
    """Settings below `wandb`."""

    group: str | None = None
    """`--wandb_group` ..0.9.5"""
    key: str | None = None
    """`--use_wandb` ..0.9.5"""
    org: str | None = None
    """`--wandb_org` ..0.9.5"""
    project: str = "openrlhf_train_sft"
    """`--wandb_project` ..0.9.5"""
    run_name: str | None = None
    """`--wandb_run_name` ..0.9.5"""


class Logger(Group):
    """Settings below `logger`."""

    wandb: LoggerWandb
    logging_steps: int = 1
    """`--logging_steps` ..0.9.5"""
    tensorboard_dir: str | None = None
    """`--use_tensorboard` 0.4.4..0.9.5"""


class Model(Group):
    """Settings below `model`."""

    aux_loss_coef: float = 0
    """`--aux_loss_coef` ..0.9.5"""
    gradient_checkpointing_enable: bool = False
    """`--gradient_checkpointing` ..0.9.5"""
    gradient_checkpointing_reentrant: bool = False
    """`--gradient_checkpointing_use_reentrant` ..0.9.5"""
    model_name_or_path: str | None = None
    """`--pretrain` ..0.9.5"""
    pretrain_mode_enable: bool = False
    """`--pretrain_mode` ..0.9.5"""


class Train(Group):
    """Settings below `train`."""

    batch_size: int = 128
    """`--train_batch_size` ..0.9.5"""
    full_determinism_enable: bool = False
    """`--full_determinism` 0.6.2..0.9.5"""
    max_epochs: int = 1
    """`--max_epochs` ..0.9.5"""
    micro_batch_size: int = 8
    """`--micro_train_batch_size` ..0.9.5"""
    seed: int = 42
    """`--seed` ..0.9.5"""


class TrainKD(ProgramModel):
    """The settings of `train_kd`."""

    program: ClassVar[str] = "openrlhf:train_kd"

    adam: Adam
    ckpt: Ckpt
    data: Data
    ds: Ds
    eval: Eval
    logger: Logger
    model: Model
    train: Train
    bf16: bool = False
    """`--bf16` ..0.9.1.post1"""
    disable_trace_cache: bool = False
    """`--disable_trace_cache` ..0.5.4"""
    flash_attn: bool = False
    """`--flash_attn` ..0.8.9.post1"""
    kd_coef: float = 0.4
    """`--kd_coef` ..0.9.5"""
    local_rank: int = -1
    """`--local_rank` ..0.9.5"""
    lr_scheduler: str = "cosine_with_min_lr"
    """`--lr_scheduler` ..0.9.5"""
    lr_warmup_ratio: float = 0.03
    """`--lr_warmup_ratio` 0.5.3..0.9.5"""
    max_norm: float = 1.0
    """`--max_norm` ..0.9.5"""
    teacher_model: str | None = None
    """`--teacher_model` ..0.9.5"""
    teacher_offload: bool = False
    """`--teacher_offload` ..0.9.5"""
    use_ms: bool = False
    """`--use_ms` 0.5.9.post1..0.9.5"""
