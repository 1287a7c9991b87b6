"""OpenRLHF's `train_ppo` as a typed model, made from the catalog by `tools/generate_models.py`."""

from __future__ import annotations

from typing import ClassVar

from rlhflint.model import Group, ProgramModel


class ActorAdam(Group):
    """Settings below `adam`."""

    betas: list[float] = [0.9, 0.95]
    """`--adam_betas` ..0.6.1.post1"""
    lr: float = 1e-06
    """`--actor_learning_rate` ..0.6.1.post1"""
    weight_decay: float = 0.0
    """`--l2` ..0.6.1.post1"""


class Actor(Group):
    """Settings below `actor`."""

    adam: ActorAdam
    aux_loss_coef: float = 0
    """`--aux_loss_coef` ..0.6.1.post1"""
    eps_clip: float = 0.2
    """`--eps_clip` ..0.6.1.post1"""
    gradient_checkpointing_enable: bool = False
    """`--gradient_checkpointing` ..0.6.1.post1"""
    gradient_checkpointing_reentrant: bool = False
    """`--gradient_checkpointing_use_reentrant` ..0.6.1.post1"""
    lr_warmup_ratio: float = 0.03
    """`--lr_warmup_ratio` 0.5.3..0.6.1.post1"""
    max_norm: float = 1.0
    """`--max_norm` ..0.6.1.post1"""
    model_name_or_path: str | None = None
    """`--pretrain` ..0.6.1.post1"""


class AlgoAdvantage(Group):
    """Settings below `advantage`."""

    estimator: str = "gae"
    """`--advantage_estimator` 0.5.1..0.6.1.post1"""
    gamma: float = 1
    """`--gamma` ..0.6.1.post1"""
    lambd: float = 0.95
    """`--lambd` ..0.6.1.post1"""


class AlgoKl(Group):
    """Settings below `kl`."""

    estimator: str = "k1"
    """`--kl_estimator` 0.6.0.post1..0.6.1.post1"""
    init_coef: float = 0.01
    """`--init_kl_coef` ..0.6.1.post1"""
    target: float | None = None
    """`--kl_target` ..0.6.1.post1"""
    use_loss: bool = False
    """`--use_kl_loss` 0.6.0..0.6.1.post1"""


class Algo(Group):
    """Settings below `algo`."""

    advantage: AlgoAdvantage
    kl: AlgoKl


class Ckpt(Group):
    """Settings below `ckpt`."""

    disable_ds: bool = False
    """`--disable_ds_ckpt` 0.5.7..0.6.1.post1"""
    load_enable: bool = False
    """`--load_checkpoint` ..0.6.1.post1"""
    max_mem: int = 100000000
    """`--max_ckpt_mem` ..0.6.1.post1"""
    max_num: int = 3
    """`--max_ckpt_num` ..0.6.1.post1"""
    output_dir: str = "./ckpt"
    """`--save_path` ..0.6.1.post1"""
    path: str = "./ckpt/checkpoints_ppo"
    """`--ckpt_path` ..0.6.1.post1"""
    save_hf: bool = False
    """`--save_hf_ckpt` 0.5.7..0.6.1.post1"""
    save_steps: int = -1
    """`--save_steps` ..0.6.1.post1"""


class CriticAdam(Group):
    """Settings below `adam`."""

    betas: list[float] = [0.9, 0.95]
    """`--adam_betas` ..0.6.1.post1"""
    lr: float = 9e-06
    """`--critic_learning_rate` ..0.6.1.post1"""
    weight_decay: float = 0.0
    """`--l2` ..0.6.1.post1"""


class Critic(Group):
    """Settings below `critic`."""

    adam: CriticAdam
    freezing_steps: int = -1
    """`--freezing_actor_steps` ..0.6.1.post1"""
    lr_warmup_ratio: float = 0.03
    """`--lr_warmup_ratio` 0.5.3..0.6.1.post1"""
    max_norm: float = 1.0
    """`--max_norm` ..0.6.1.post1"""
    model_name_or_path: str | None = None
    """`--critic_pretrain` ..0.6.1.post1"""
    save_value_network: bool = False
    """`--save_value_network` ..0.6.1.post1"""
    value_clip: float = 0.2
    """`--value_clip` ..0.6.1.post1"""


class Data(Group):
    """Settings below `data`."""

    apply_chat_template: bool = False
    """`--apply_chat_template` ..0.6.1.post1"""
    disable_fast_tokenizer: bool = False
    """`--disable_fast_tokenizer` ..0.6.1.post1"""
    input_key: str = "input"
    """`--input_key` ..0.6.1.post1"""
    input_template: str | None = None
    """`--input_template` ..0.6.1.post1"""
    label_key: str | None = None
    """`--label_key` 0.6.0..0.6.1.post1"""
    max_samples: int = 1000000
    """`--max_samples` ..0.6.1.post1"""
    prompt_dataset: str | None = None
    """`--prompt_data` ..0.6.1.post1"""
    prompt_probs: str = "1.0"
    """`--prompt_data_probs` ..0.6.1.post1"""
    prompt_split: str = "train"
    """`--prompt_split` ..0.6.1.post1"""


class DsLora(Group):
    """Settings below `lora`."""

    alpha: int = 16
    """`--lora_alpha` ..0.6.1.post1"""
    dropout: float = 0
    """`--lora_dropout` ..0.6.1.post1"""
    rank: int = 0
    """`--lora_rank` ..0.6.1.post1"""
    target_modules: list[str] | str = "all-linear"
    """`--target_modules` ..0.6.1.post1"""


class Ds(Group):
    """Settings below `ds`."""

    lora: DsLora
    adam_offload: bool = False
    """`--adam_offload` ..0.6.1.post1"""
    grad_accum_dtype: str | None = None
    """`--grad_accum_dtype` ..0.6.1.post1"""
    load_in_4bit: bool = False
    """`--load_in_4bit` ..0.6.1.post1"""
    overlap_comm: bool = False
    """`--overlap_comm` 0.5.5..0.6.1.post1"""
    value_head_prefix: str = "score"
    """`--value_head_prefix` ..0.6.1.post1"""
    zero_stage: int = 2
    """`--zero_stage` ..0.6.1.post1"""
    zpg: int = 1
    """`--zpg` ..0.6.1.post1"""


class Eval(Group):
    """Settings below `eval`."""

    steps: int = -1
    """`--eval_steps` ..0.6.1.post1"""


class LoggerWandb(Group):
    """Settings below `wandb`."""

    group: str | None = None
    """`--wandb_group` ..0.6.1.post1"""
    key: str | None = None
    """`--use_wandb` ..0.6.1.post1"""
    org: str | None = None
    """`--wandb_org` ..0.6.1.post1"""
    project: str = "openrlhf_train_ppo"
    """`--wandb_project` ..0.6.1.post1"""
    run_name: str | None = None
    """`--wandb_run_name` ..0.6.1.post1"""


class Logger(Group):
    """Settings below `logger`."""

    wandb: LoggerWandb
    logging_steps: int = 1
    """`--logging_steps` ..0.6.1.post1"""
    tensorboard_dir: str | None = None
    """`--use_tensorboard` 0.4.4..0.6.1.post1"""


class Reward(Group):
    """Settings below `reward`."""

    clip_range: list[float] = [-10.0, 10.0]
    """`--reward_clip_range` 0.4.6..0.6.1.post1"""
    model_name_or_path: str | None = None
    """`--reward_pretrain` ..0.6.1.post1"""
    normalize_enable: bool = False
    """`--normalize_reward` ..0.6.1.post1"""
    remote_url: str | None = None
    """`--remote_rm_url` 0.4.0.post2..0.6.1.post1"""


class Rollout(Group):
    """Settings below `rollout`."""

    batch_size: int = 512
    """`--rollout_batch_size` ..0.6.1.post1"""
    micro_batch_size: int = 8
    """`--micro_rollout_batch_size` ..0.6.1.post1"""
    n_samples_per_prompt: int = 1
    """`--n_samples_per_prompt` ..0.6.1.post1"""
    temperature: float = 1.0
    """`--temperature` ..0.6.1.post1"""
    top_p: float = 1.0
    """`--top_p` ..0.6.1.post1"""


class Train(Group):
    """Settings below `train`."""

    batch_size: int = 128
    """`--train_batch_size` ..0.6.1.post1"""
    enable_ema: bool = False
    """`--enable_ema` ..0.6.1.post1"""
    max_epochs: int = 1
    """`--max_epochs` ..0.6.1.post1"""
    micro_batch_size: int = 4
    """`--micro_train_batch_size` ..0.6.1.post1"""
    num_episodes: int = 1
    """`--num_episodes` ..0.6.1.post1"""
    seed: int = 42
    """`--seed` ..0.6.1.post1"""


class TrainPPO(ProgramModel):
    """The settings of `train_ppo`."""

    program: ClassVar[str] = "openrlhf:train_ppo"

    actor: Actor
    algo: Algo
    ckpt: Ckpt
    critic: Critic
    data: Data
    ds: Ds
    eval: Eval
    logger: Logger
    reward: Reward
    rollout: Rollout
    train: Train
    actor_init_on_gpu: bool = False
    """`--actor_init_on_gpu` ..0.6.1.post1"""
    bf16: bool = False
    """`--bf16` ..0.6.1.post1"""
    disable_trace_cache: bool = False
    """`--disable_trace_cache` ..0.5.4"""
    flash_attn: bool = False
    """`--flash_attn` ..0.6.1.post1"""
    generate_max_len: int = 1024
    """`--generate_max_len` ..0.6.1.post1"""
    local_rank: int = -1
    """`--local_rank` ..0.6.1.post1"""
    max_len: int | None = None
    """`--max_len` ..0.6.1.post1"""
    pretrain_data: str | None = None
    """`--pretrain_data` ..0.6.1.post1"""
    pretrain_data_probs: str = "1.0"
    """`--pretrain_data_probs` ..0.6.1.post1"""
    pretrain_split: str = "train"
    """`--pretrain_split` ..0.6.1.post1"""
    prompt_max_len: int = 1024
    """`--prompt_max_len` ..0.6.1.post1"""
    ptx_coef: float = 0.05
    """`--ptx_coef` ..0.6.1.post1"""
    use_kl_estimator_k3: bool = False
    """`--use_kl_estimator_k3` 0.4.6..0.6.0"""
    use_ms: bool = False
    """`--use_ms` 0.5.9.post1..0.6.1.post1"""
