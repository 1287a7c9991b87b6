"""OpenRLHF's `train_dpo` as a typed model, made from the catalog by `tools/generate_models.py`."""

from __future__ import annotations

from typing import ClassVar

from rlhflint.model import Group, ProgramModel


class Adam(Group):
    """Settings below `adam`."""

    betas: list[float] = [0.9, 0.95]
    """`--adam_betas` ..0.10.1.post2; `--adam.betas` 0.10.2.."""
    eps: float = 1e-08
    """`--adam.eps` 0.10.2.."""
    lr: float = 1e-05
    """`--learning_rate` ..0.10.1.post2; `--adam.lr` 0.10.2.."""
    weight_decay: float = 0.0
    """`--l2` ..0.10.1.post2; `--adam.weight_decay` 0.10.2.."""


class Ckpt(Group):
    """Settings below `ckpt`."""

    disable_ds: bool = False
    """`--disable_ds_ckpt` 0.5.7..0.10.1.post2; `--ckpt.disable_ds` 0.10.2.."""
    load_enable: bool = False
    """`--load_checkpoint` ..0.10.1.post2; `--ckpt.load_enable` 0.10.2.."""
    max_mem: int = 100000000
    """`--max_ckpt_mem` ..0.10.1.post2; `--ckpt.max_mem` 0.10.2.."""
    max_num: int = 3
    """`--max_ckpt_num` ..0.10.1.post2; `--ckpt.max_num` 0.10.2.."""
    output_dir: str = "./ckpt"
    """`--save_path` ..0.10.1.post2; `--ckpt.output_dir` 0.10.2.."""
    path: str = "./ckpt/checkpoints_dpo"
    """`--ckpt_path` ..0.10.1.post2; `--ckpt.path` 0.10.2.."""
    save_hf: bool = False
    """`--save_hf_ckpt` 0.5.7..0.10.1.post2; `--ckpt.save_hf` 0.10.2.."""
    save_steps: int = -1
    """`--save_steps` ..0.10.1.post2; `--ckpt.save_steps` 0.10.2.."""


class Data(Group):
    """Settings below `data`."""

    apply_chat_template: bool = False
    """`--apply_chat_template` ..0.10.1.post2; `--data.apply_chat_template` 0.10.2.."""
    chosen_key: str = "chosen"
    """`--chosen_key` ..0.10.1.post2; `--data.chosen_key` 0.10.2.."""
    dataloader_num_workers: int = 0
    """`--dataloader_num_workers` 0.9.10..0.10.1.post2; `--data.dataloader_num_workers` 0.10.2.."""
    dataset: str | None = None
    """`--dataset` ..0.10.1.post2; `--data.dataset` 0.10.2.."""
    dataset_probs: str | None = None
    """`--dataset_probs` ..0.10.1.post2; `--data.dataset_probs` 0.10.2.."""
    dataset_split: str = "train"
    """`--train_split` ..0.6.4; `--dataset_split` 0.7.4..0.10.1.post2; `--data.dataset_split` 0.10.2.."""
    disable_fast_tokenizer: bool = False
    """`--disable_fast_tokenizer` ..0.10.1.post2; `--data.disable_fast_tokenizer` 0.10.2.."""
    input_template: str | None = None
    """`--input_template` ..0.10.1.post2; `--data.input_template` 0.10.2.."""
    max_len: int = 512
    """`--max_len` ..0.10.1.post2; `--data.max_len` 0.10.2.."""
    max_samples: int = 1000000
    """`--max_samples` ..0.10.1.post2; `--data.max_samples` 0.10.2.."""
    prompt_key: str | None = None
    """`--prompt_key` ..0.10.1.post2; `--data.prompt_key` 0.10.2.."""
    rejected_key: str = "rejected"
    """`--rejected_key` ..0.10.1.post2; `--data.rejected_key` 0.10.2.."""
    tokenizer_chat_template: str | None = None
    """`--tokenizer_chat_template` 0.8.11..0.10.1.post2; `--data.tokenizer_chat_template` 0.10.2.."""


class DsLora(Group):
    """Settings below `lora`."""

    alpha: int = 16
    """`--lora_alpha` ..0.10.1.post2; `--ds.lora.alpha` 0.10.2.."""
    dropout: float = 0
    """`--lora_dropout` ..0.10.1.post2; `--ds.lora.dropout` 0.10.2.."""
    rank: int = 0
    """`--lora_rank` ..0.10.1.post2; `--ds.lora.rank` 0.10.2.."""
    target_modules: list[str] | str = "all-linear"
    """`--target_modules` ..0.10.1.post2; `--ds.lora.target_modules` 0.10.2.."""


class Ds(Group):
    """Settings below `ds`."""

    lora: DsLora
    adam_offload: bool = False
    """`--adam_offload` ..0.10.1.post2; `--ds.adam_offload` 0.10.2.."""
    attn_implementation: str = "flash_attention_2"
    """`--attn_implementation` 0.8.10..0.10.1.post2; `--ds.attn_implementation` 0.10.2.."""
    deepcompile: bool = False
    """`--torch_compile` 0.6.2..0.7.0.post1; `--deepcompile` 0.7.1..0.10.1.post2; `--ds.deepcompile` 0.10.2.."""
    experts_implementation: str | None = None
    """`--ds.experts_implementation` 0.10.2.."""
    grad_accum_dtype: str | None = None
    """`--grad_accum_dtype` ..0.10.1.post2; `--ds.grad_accum_dtype` 0.10.2.."""
    load_in_4bit: bool = False
    """`--load_in_4bit` ..0.10.1.post2; `--ds.load_in_4bit` 0.10.2.."""
    overlap_comm: bool = False
    """`--overlap_comm` 0.5.5..0.10.1.post2; `--ds.overlap_comm` 0.10.2.."""
    packing_samples: bool = False
    """`--packing_samples` 0.3.7..0.10.1.post2; `--ds.packing_samples` 0.10.2.."""
    param_dtype: str = "bf16"
    """`--param_dtype` 0.9.2..0.10.1.post2; `--ds.param_dtype` 0.10.2.."""
    ring_attn_head_stride: int = 1
    """`--ring_head_stride` 0.4.3..0.10.1.post2; `--ds.ring_attn_head_stride` 0.10.2.."""
    ring_attn_size: int = 1
    """`--ring_attn_size` 0.4.3..0.10.1.post2; `--ds.ring_attn_size` 0.10.2.."""
    tensor_parallel_size: int = 1
    """`--ds_tensor_parallel_size` 0.7.4..0.10.1.post2; `--ds.tensor_parallel_size` 0.10.2.."""
    use_liger_kernel: bool = False
    """`--use_liger_kernel` 0.6.2..0.10.1.post2; `--ds.use_liger_kernel` 0.10.2.."""
    use_universal_ckpt: bool = False
    """`--universal_ckpt` 0.6.3..0.6.3.post2; `--use_ds_universal_ckpt` 0.6.4..0.10.1.post2; `--ds.use_universal_ckpt`
    0.10.2.."""
    zero_stage: int = 2
    """`--zero_stage` ..0.10.1.post2; `--ds.zero_stage` 0.10.2.."""
    zpg: int = 1
    """`--zpg` ..0.10.1.post2; `--ds.zpg` 0.10.2.."""


class Eval(Group):
    """Settings below `eval`."""

    dataset: str | None = None
    """`--eval_dataset` 0.7.0..0.10.1.post2; `--eval.dataset` 0.10.2.."""
    split: str = "test"
    """`--eval_split` ..0.6.4, 0.7.4..0.10.1.post2; `--eval.split` 0.10.2.."""
    steps: int = -1
    """`--eval_steps` ..0.10.1.post2; `--eval.steps` 0.10.2.."""


class LoggerWandb(Group):
    """Settings below `wandb`."""

    group: str | None = None
    """`--wandb_group` ..0.10.1.post2; `--logger.wandb.group` 0.10.2.."""
    key: str | None = None
    """`--use_wandb` ..0.10.1.post2; `--logger.wandb.key` 0.10.2.."""
    org: str | None = None
    """`--wandb_org` ..0.10.1.post2; `--logger.wandb.org` 0.10.2.."""
    project: str = "openrlhf_train_dpo"
    """`--wandb_project` ..0.10.1.post2; `--logger.wandb.project` 0.10.2.."""
    run_name: str | None = None
    """`--wandb_run_name` ..0.10.1.post2; `--logger.wandb.run_name` 0.10.2.."""


class Logger(Group):
    """Settings below `logger`."""

    wandb: LoggerWandb
    logging_steps: int = 1
    """`--logging_steps` ..0.10.1.post2; `--logger.logging_steps` 0.10.2.."""
    tensorboard_dir: str | None = None
    """`--use_tensorboard` 0.4.4..0.10.1.post2; `--logger.tensorboard_dir` 0.10.2.."""


class Model(Group):
    """Settings below `model`."""

    aux_loss_coef: float = 0
    """`--aux_loss_coef` ..0.10.1.post2; `--model.aux_loss_coef` 0.10.2.."""
    beta: float = 0.1
    """`--beta` ..0.10.1.post2; `--model.beta` 0.10.2.."""
    gradient_checkpointing_enable: bool = False
    """`--gradient_checkpointing` ..0.10.1.post2; `--model.gradient_checkpointing_enable` 0.10.2.."""
    gradient_checkpointing_reentrant: bool = False
    """`--gradient_checkpointing_use_reentrant` ..0.10.1.post2; `--model.gradient_checkpointing_reentrant` 0.10.2.."""
    ipo_enable: bool = False
    """`--ipo` ..0.10.1.post2; `--model.ipo_enable` 0.10.2.."""
    label_smoothing: float = 0.0
    """`--label_smoothing` ..0.10.1.post2; `--model.label_smoothing` 0.10.2.."""
    model_name_or_path: str | None = None
    """`--pretrain` ..0.10.1.post2; `--model.model_name_or_path` 0.10.2.."""
    nll_loss_coef: float = 0
    """`--nll_loss_coef` 0.3.8..0.10.1.post2; `--model.nll_loss_coef` 0.10.2.."""


class Muon(Group):
    """Settings below `muon`."""

    lr: float = 0.02
    """`--muon.lr` 0.10.2.."""
    momentum: float = 0.95
    """`--muon.momentum` 0.10.2.."""
    nesterov: bool = True
    """`--muon.nesterov` 0.10.2..; `--muon.no_nesterov` 0.10.2.."""
    ns_steps: int = 5
    """`--muon.ns_steps` 0.10.2.."""


class Ref(Group):
    """Settings below `ref`."""

    model_name_or_path: str | None = None
    """`--ref_pretrain` ..0.10.1.post2; `--ref.model_name_or_path` 0.10.2.."""
    offload: bool = False
    """`--ref_offload` ..0.10.1.post2; `--ref.offload` 0.10.2.."""


class Train(Group):
    """Settings below `train`."""

    batch_size: int = 128
    """`--train_batch_size` ..0.10.1.post2; `--train.batch_size` 0.10.2.."""
    full_determinism_enable: bool = False
    """`--full_determinism` 0.6.2..0.10.1.post2; `--train.full_determinism_enable` 0.10.2.."""
    max_epochs: int = 1
    """`--max_epochs` ..0.10.1.post2; `--train.max_epochs` 0.10.2.."""
    micro_batch_size: int = 8
    """`--micro_train_batch_size` ..0.10.1.post2; `--train.micro_batch_size` 0.10.2.."""
    seed: int = 42
    """`--seed` ..0.10.1.post2; `--train.seed` 0.10.2.."""


class TrainDPO(ProgramModel):
    """The settings of `train_dpo`."""

    program: ClassVar[str] = "openrlhf:train_dpo"

    adam: Adam
    ckpt: Ckpt
    data: Data
    ds: Ds
    eval: Eval
    logger: Logger
    model: Model
    muon: Muon
    ref: Ref
    train: Train
    bf16: bool = False
    """`--bf16` ..0.9.1.post1"""
    disable_trace_cache: bool = False
    """`--disable_trace_cache` ..0.5.4"""
    flash_attn: bool = False
    """`--flash_attn` ..0.8.9.post1"""
    local_rank: int = -1
    """`--local_rank` """
    lr_scheduler: str = "cosine_with_min_lr"
    """`--lr_scheduler` 0.8.5.."""
    lr_warmup_ratio: float = 0.03
    """`--lr_warmup_ratio` 0.5.3.."""
    max_norm: float = 1.0
    """`--max_norm` """
    min_lr_ratio: float = 0.1
    """`--min_lr_ratio` 0.8.7.."""
    optim: str = "adam"
    """`--optim` 0.10.2.."""
    use_ms: bool = False
    """`--use_ms` 0.5.9.post1.."""
