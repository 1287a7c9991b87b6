"""OpenRLHF's `train_prm` as a typed model, made from the catalog by `tools/generate_models.py`."""

from __future__ import annotations

from typing import Annotated, ClassVar

from pydantic import Field

from rlhflint.model import ArgFloat, ArgFloats, ArgInt, ArgStr, Convert, Group, OptStr, OptStrs, ProgramModel, Switch


class Adam(Group):
    """Settings below `adam`."""

    betas: ArgFloats = Field(default_factory=lambda: [0.9, 0.95])
    """`--adam_betas` 0.4.5..0.9.5"""
    lr: ArgFloat = 1e-06
    """`--learning_rate` 0.4.5..0.9.5"""
    weight_decay: ArgFloat = 0.0
    """`--l2` 0.4.5..0.9.5"""


class Ckpt(Group):
    """Settings below `ckpt`."""

    disable_ds: Switch = False
    """`--disable_ds_ckpt` 0.9.2..0.9.5"""
    load_enable: Switch = False
    """`--load_checkpoint` 0.4.5..0.9.5"""
    max_mem: ArgInt = 100000000
    """`--max_ckpt_mem` 0.4.5..0.9.5"""
    max_num: ArgInt = 3
    """`--max_ckpt_num` 0.4.5..0.9.5"""
    output_dir: ArgStr = "./ckpt"
    """`--save_path` 0.4.5..0.9.5"""
    path: ArgStr = "./ckpt/checkpoints_prm"
    """`--ckpt_path` 0.4.5..0.9.5"""
    save_hf: Switch = False
    """`--save_hf_ckpt` 0.9.2..0.9.5"""
    save_steps: ArgInt = -1
    """`--save_steps` 0.4.5..0.9.5"""


class Data(Group):
    """Settings below `data`."""

    dataset: OptStr = None
    """`--dataset` 0.4.5..0.9.5"""
    dataset_probs: OptStr = None
    """`--dataset_probs` 0.4.5..0.9.5"""
    dataset_split: ArgStr = "train"
    """`--train_split` 0.4.5..0.6.4; `--dataset_split` 0.7.4..0.9.5"""
    disable_fast_tokenizer: Switch = False
    """`--disable_fast_tokenizer` 0.4.5..0.9.5"""
    max_len: ArgInt = 2048
    """`--max_len` 0.4.5..0.9.5"""
    max_samples: ArgInt = 1000000
    """`--max_samples` 0.4.5..0.9.5"""


class DsLora(Group):
    """Settings below `lora`."""

    alpha: ArgInt = 16
    """`--lora_alpha` 0.4.5..0.9.5"""
    dropout: ArgFloat = 0
    """`--lora_dropout` 0.4.5..0.9.5"""
    rank: ArgInt = 0
    """`--lora_rank` 0.4.5..0.9.5"""
    target_modules: Annotated[list[str] | str, Convert] = "all-linear"
    """`--target_modules` 0.4.5..0.9.5"""


class Ds(Group):
    """Settings below `ds`."""

    lora: DsLora = Field(default_factory=DsLora)
    adam_offload: Switch = False
    """`--adam_offload` 0.4.5..0.9.5"""
    attn_implementation: ArgStr = "flash_attention_2"
    """`--attn_implementation` 0.8.10..0.9.5"""
    deepcompile: Switch = False
    """`--torch_compile` 0.6.2..0.7.0.post1; `--deepcompile` 0.7.1..0.9.5"""
    grad_accum_dtype: OptStr = None
    """`--grad_accum_dtype` 0.4.5..0.9.5"""
    load_in_4bit: Switch = False
    """`--load_in_4bit` 0.4.5..0.9.5"""
    overlap_comm: Switch = False
    """`--overlap_comm` 0.5.5..0.9.5"""
    packing_samples: Switch = False
    """`--packing_samples` 0.4.5..0.9.5"""
    param_dtype: ArgStr = "bf16"
    """`--param_dtype` 0.9.2..0.9.5"""
    tensor_parallel_size: ArgInt = 1
    """`--ds_tensor_parallel_size` 0.8.5..0.9.5"""
    use_universal_ckpt: Switch = False
    """`--universal_ckpt` 0.6.3..0.6.3.post2; `--use_ds_universal_ckpt` 0.6.4..0.9.5"""
    zero_stage: ArgInt = 2
    """`--zero_stage` 0.4.5..0.9.5"""
    zpg: ArgInt = 1
    """`--zpg` 0.4.5..0.9.5"""


class Eval(Group):
    """Settings below `eval`."""

    dataset: OptStr = None
    """`--eval_dataset` 0.7.0..0.9.5"""
    split: ArgStr = "test"
    """`--eval_split` 0.4.5..0.6.4, 0.7.4..0.9.5"""
    steps: ArgInt = -1
    """`--eval_steps` 0.4.5..0.9.5"""


class LoggerWandb(Group):
    """Settings below `wandb`."""

    group: OptStr = None
    """`--wandb_group` 0.4.5..0.9.5"""
    key: OptStr = None
    """`--use_wandb` 0.4.5..0.9.5"""
    org: OptStr = None
    """`--wandb_org` 0.4.5..0.9.5"""
    project: ArgStr = "openrlhf_train_prm"
    """`--wandb_project` 0.4.5..0.9.5"""
    run_name: OptStr = None
    """`--wandb_run_name` 0.4.5..0.9.5"""


class Logger(Group):
    """Settings below `logger`."""

    wandb: LoggerWandb = Field(default_factory=LoggerWandb)
    logging_steps: ArgInt = 1
    """`--logging_steps` 0.4.5..0.9.5"""
    tensorboard_dir: OptStr = None
    """`--use_tensorboard` 0.8.9..0.9.5"""


class Model(Group):
    """Settings below `model`."""

    aux_loss_coef: ArgFloat = 0
    """`--aux_loss_coef` 0.4.5..0.9.5"""
    gradient_checkpointing_enable: Switch = False
    """`--gradient_checkpointing` 0.4.5..0.9.5"""
    gradient_checkpointing_reentrant: Switch = False
    """`--gradient_checkpointing_use_reentrant` 0.4.5..0.9.5"""
    model_name_or_path: OptStr = None
    """`--pretrain` 0.4.5..0.9.5"""


class Train(Group):
    """Settings below `train`."""

    batch_size: ArgInt = 128
    """`--train_batch_size` 0.4.5..0.9.5"""
    full_determinism_enable: Switch = False
    """`--full_determinism` 0.6.2..0.9.5"""
    max_epochs: ArgInt = 1
    """`--max_epochs` 0.4.5..0.9.5"""
    micro_batch_size: ArgInt = 1
    """`--micro_train_batch_size` 0.4.5..0.9.5"""
    seed: ArgInt = 42
    """`--seed` 0.4.5..0.9.5"""


class TrainPRM(ProgramModel):
    """The settings of `train_prm`."""

    program: ClassVar[str] = "openrlhf:train_prm"

    adam: Adam = Field(default_factory=Adam)
    ckpt: Ckpt = Field(default_factory=Ckpt)
    data: Data = Field(default_factory=Data)
    ds: Ds = Field(default_factory=Ds)
    eval: Eval = Field(default_factory=Eval)
    logger: Logger = Field(default_factory=Logger)
    model: Model = Field(default_factory=Model)
    train: Train = Field(default_factory=Train)
    bf16: Switch = False
    """`--bf16` 0.4.5..0.9.1.post1"""
    disable_trace_cache: Switch = False
    """`--disable_trace_cache` 0.4.5..0.5.4"""
    flash_attn: Switch = False
    """`--flash_attn` 0.4.5..0.8.9.post1"""
    input_key: ArgStr = "input"
    """`--input_key` 0.4.5..0.9.5"""
    label_key: ArgStr = "label"
    """`--label_key` 0.4.5..0.9.5"""
    local_rank: ArgInt = -1
    """`--local_rank` 0.4.5..0.9.5"""
    lr_scheduler: ArgStr = "cosine_with_min_lr"
    """`--lr_scheduler` 0.4.5..0.9.5"""
    lr_warmup_ratio: ArgFloat = 0.03
    """`--lr_warmup_ratio` 0.5.3..0.9.5"""
    max_norm: ArgFloat = 1.0
    """`--max_norm` 0.4.5..0.9.5"""
    placeholder_token: OptStr = None
    """`--placeholder_token` 0.4.5..0.9.5"""
    reward_tokens: OptStrs = None
    """`--reward_tokens` 0.4.5..0.9.5"""
    use_liger_kernel: Switch = False
    """`--use_liger_kernel` 0.6.2..0.9.5"""
    use_ms: Switch = False
    """`--use_ms` 0.5.9.post1..0.9.5"""
