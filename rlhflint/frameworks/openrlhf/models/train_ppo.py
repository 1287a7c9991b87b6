"""OpenRLHF's `train_ppo` as a typed model, made from the catalog by `tools/generate_models.py`."""

from __future__ import annotations

from typing import Annotated, ClassVar

from pydantic import Field

from rlhflint.model import (
    ArgFloat,
    ArgFloats,
    ArgInt,
    ArgStr,
    Convert,
    Group,
    OptFloat,
    OptInt,
    OptStr,
    ProgramModel,
    Switch,
)


class ActorAdam(Group):
    """Settings below `adam`."""

    betas: ArgFloats = Field(default_factory=lambda: [0.9, 0.95])
    """`--adam_betas` ..0.6.1.post1"""
    lr: ArgFloat = 1e-06
    """`--actor_learning_rate` ..0.6.1.post1"""
    weight_decay: ArgFloat = 0.0
    """`--l2` ..0.6.1.post1"""


class Actor(Group):
    """Settings below `actor`."""

    adam: ActorAdam = Field(default_factory=ActorAdam)
    aux_loss_coef: ArgFloat = 0
    """`--aux_loss_coef` ..0.6.1.post1"""
    eps_clip: ArgFloat = 0.2
    """`--eps_clip` ..0.6.1.post1"""
    gradient_checkpointing_enable: Switch = False
    """`--gradient_checkpointing` ..0.6.1.post1"""
    gradient_checkpointing_reentrant: Switch = False
    """`--gradient_checkpointing_use_reentrant` ..0.6.1.post1"""
    lr_warmup_ratio: ArgFloat = 0.03
    """`--lr_warmup_ratio` 0.5.3..0.6.1.post1"""
    max_norm: ArgFloat = 1.0
    """`--max_norm` ..0.6.1.post1"""
    model_name_or_path: OptStr = None
    """`--pretrain` ..0.6.1.post1"""


class AlgoAdvantage(Group):
    """Settings below `advantage`."""

    estimator: ArgStr = "gae"
    """`--advantage_estimator` 0.5.1..0.6.1.post1"""
    gamma: ArgFloat = 1
    """`--gamma` ..0.6.1.post1"""
    lambd: ArgFloat = 0.95
    """`--lambd` ..0.6.1.post1"""


class AlgoKl(Group):
    """Settings below `kl`."""

    estimator: ArgStr = "k1"
    """`--kl_estimator` 0.6.0.post1..0.6.1.post1"""
    init_coef: ArgFloat = 0.01
    """`--init_kl_coef` ..0.6.1.post1"""
    target: OptFloat = None
    """`--kl_target` ..0.6.1.post1"""
    use_loss: Switch = False
    """`--use_kl_loss` 0.6.0..0.6.1.post1"""


class Algo(Group):
    """Settings below `algo`."""

    advantage: AlgoAdvantage = Field(default_factory=AlgoAdvantage)
    kl: AlgoKl = Field(default_factory=AlgoKl)


class Ckpt(Group):
    """Settings below `ckpt`."""

    disable_ds: Switch = False
    """`--disable_ds_ckpt` 0.5.7..0.6.1.post1"""
    load_enable: Switch = False
    """`--load_checkpoint` ..0.6.1.post1"""
    max_mem: ArgInt = 100000000
    """`--max_ckpt_mem` ..0.6.1.post1"""
    max_num: ArgInt = 3
    """`--max_ckpt_num` ..0.6.1.post1"""
    output_dir: ArgStr = "./ckpt"
    """`--save_path` ..0.6.1.post1"""
    path: ArgStr = "./ckpt/checkpoints_ppo"
    """`--ckpt_path` ..0.6.1.post1"""
    save_hf: Switch = False
    """`--save_hf_ckpt` 0.5.7..0.6.1.post1"""
    save_steps: ArgInt = -1
    """`--save_steps` ..0.6.1.post1"""


class CriticAdam(Group):
    """Settings below `adam`."""

    betas: ArgFloats = Field(default_factory=lambda: [0.9, 0.95])
    """`--adam_betas` ..0.6.1.post1"""
    lr: ArgFloat = 9e-06
    """`--critic_learning_rate` ..0.6.1.post1"""
    weight_decay: ArgFloat = 0.0
    """`--l2` ..0.6.1.post1"""


class Critic(Group):
    """Settings below `critic`."""

    adam: CriticAdam = Field(default_factory=CriticAdam)
    freezing_steps: ArgInt = -1
    """`--freezing_actor_steps` ..0.6.1.post1"""
    lr_warmup_ratio: ArgFloat = 0.03
    """`--lr_warmup_ratio` 0.5.3..0.6.1.post1"""
    max_norm: ArgFloat = 1.0
    """`--max_norm` ..0.6.1.post1"""
    model_name_or_path: OptStr = None
    """`--critic_pretrain` ..0.6.1.post1"""
    save_value_network: Switch = False
    """`--save_value_network` ..0.6.1.post1"""
    value_clip: ArgFloat = 0.2
    """`--value_clip` ..0.6.1.post1"""


class Data(Group):
    """Settings below `data`."""

    apply_chat_template: Switch = False
    """`--apply_chat_template` ..0.6.1.post1"""
    disable_fast_tokenizer: Switch = False
    """`--disable_fast_tokenizer` ..0.6.1.post1"""
    input_key: ArgStr = "input"
    """`--input_key` ..0.6.1.post1"""
    input_template: OptStr = None
    """`--input_template` ..0.6.1.post1"""
    label_key: OptStr = None
    """`--label_key` 0.6.0..0.6.1.post1"""
    max_samples: ArgInt = 1000000
    """`--max_samples` ..0.6.1.post1"""
    prompt_dataset: OptStr = None
    """`--prompt_data` ..0.6.1.post1"""
    prompt_probs: ArgStr = "1.0"
    """`--prompt_data_probs` ..0.6.1.post1"""
    prompt_split: ArgStr = "train"
    """`--prompt_split` ..0.6.1.post1"""


class DsLora(Group):
    """Settings below `lora`."""

    alpha: ArgInt = 16
    """`--lora_alpha` ..0.6.1.post1"""
    dropout: ArgFloat = 0
    """`--lora_dropout` ..0.6.1.post1"""
    rank: ArgInt = 0
    """`--lora_rank` ..0.6.1.post1"""
    target_modules: Annotated[list[str] | str, Convert] = "all-linear"
    """`--target_modules` ..0.6.1.post1"""


class Ds(Group):
    """Settings below `ds`."""

    lora: DsLora = Field(default_factory=DsLora)
    adam_offload: Switch = False
    """`--adam_offload` ..0.6.1.post1"""
    grad_accum_dtype: OptStr = None
    """`--grad_accum_dtype` ..0.6.1.post1"""
    load_in_4bit: Switch = False
    """`--load_in_4bit` ..0.6.1.post1"""
    overlap_comm: Switch = False
    """`--overlap_comm` 0.5.5..0.6.1.post1"""
    value_head_prefix: ArgStr = "score"
    """`--value_head_prefix` ..0.6.1.post1"""
    zero_stage: ArgInt = 2
    """`--zero_stage` ..0.6.1.post1"""
    zpg: ArgInt = 1
    """`--zpg` ..0.6.1.post1"""


class Eval(Group):
    """Settings below `eval`."""

    steps: ArgInt = -1
    """`--eval_steps` ..0.6.1.post1"""


class LoggerWandb(Group):
    """Settings below `wandb`."""

    group: OptStr = None
    """`--wandb_group` ..0.6.1.post1"""
    key: OptStr = None
    """`--use_wandb` ..0.6.1.post1"""
    org: OptStr = None
    """`--wandb_org` ..0.6.1.post1"""
    project: ArgStr = "openrlhf_train_ppo"
    """`--wandb_project` ..0.6.1.post1"""
    run_name: OptStr = None
    """`--wandb_run_name` ..0.6.1.post1"""


class Logger(Group):
    """Settings below `logger`."""

    wandb: LoggerWandb = Field(default_factory=LoggerWandb)
    logging_steps: ArgInt = 1
    """`--logging_steps` ..0.6.1.post1"""
    tensorboard_dir: OptStr = None
    """`--use_tensorboard` 0.4.4..0.6.1.post1"""


class Reward(Group):
    """Settings below `reward`."""

    clip_range: ArgFloats = Field(default_factory=lambda: [-10.0, 10.0])
    """`--reward_clip_range` 0.4.6..0.6.1.post1"""
    model_name_or_path: OptStr = None
    """`--reward_pretrain` ..0.6.1.post1"""
    normalize_enable: Switch = False
    """`--normalize_reward` ..0.6.1.post1"""
    remote_url: OptStr = None
    """`--remote_rm_url` 0.4.0.post2..0.6.1.post1"""


class Rollout(Group):
    """Settings below `rollout`."""

    batch_size: ArgInt = 512
    """`--rollout_batch_size` ..0.6.1.post1"""
    micro_batch_size: ArgInt = 8
    """`--micro_rollout_batch_size` ..0.6.1.post1"""
    n_samples_per_prompt: ArgInt = 1
    """`--n_samples_per_prompt` ..0.6.1.post1"""
    temperature: ArgFloat = 1.0
    """`--temperature` ..0.6.1.post1"""
    top_p: ArgFloat = 1.0
    """`--top_p` ..0.6.1.post1"""


class Train(Group):
    """Settings below `train`."""

    batch_size: ArgInt = 128
    """`--train_batch_size` ..0.6.1.post1"""
    enable_ema: Switch = False
    """`--enable_ema` ..0.6.1.post1"""
    max_epochs: ArgInt = 1
    """`--max_epochs` ..0.6.1.post1"""
    micro_batch_size: ArgInt = 4
    """`--micro_train_batch_size` ..0.6.1.post1"""
    num_episodes: ArgInt = 1
    """`--num_episodes` ..0.6.1.post1"""
    seed: ArgInt = 42
    """`--seed` ..0.6.1.post1"""


class TrainPPO(ProgramModel):
    """The settings of `train_ppo`."""

    program: ClassVar[str] = "openrlhf:train_ppo"

    actor: Actor = Field(default_factory=Actor)
    algo: Algo = Field(default_factory=Algo)
    ckpt: Ckpt = Field(default_factory=Ckpt)
    critic: Critic = Field(default_factory=Critic)
    data: Data = Field(default_factory=Data)
    ds: Ds = Field(default_factory=Ds)
    eval: Eval = Field(default_factory=Eval)
    logger: Logger = Field(default_factory=Logger)
    reward: Reward = Field(default_factory=Reward)
    rollout: Rollout = Field(default_factory=Rollout)
    train: Train = Field(default_factory=Train)
    actor_init_on_gpu: Switch = False
    """`--actor_init_on_gpu` ..0.6.1.post1"""
    bf16: Switch = False
    """`--bf16` ..0.6.1.post1"""
    disable_trace_cache: Switch = False
    """`--disable_trace_cache` ..0.5.4"""
    flash_attn: Switch = False
    """`--flash_attn` ..0.6.1.post1"""
    generate_max_len: ArgInt = 1024
    """`--generate_max_len` ..0.6.1.post1"""
    local_rank: ArgInt = -1
    """`--local_rank` ..0.6.1.post1"""
    max_len: OptInt = None
    """`--max_len` ..0.6.1.post1"""
    pretrain_data: OptStr = None
    """`--pretrain_data` ..0.6.1.post1"""
    pretrain_data_probs: ArgStr = "1.0"
    """`--pretrain_data_probs` ..0.6.1.post1"""
    pretrain_split: ArgStr = "train"
    """`--pretrain_split` ..0.6.1.post1"""
    prompt_max_len: ArgInt = 1024
    """`--prompt_max_len` ..0.6.1.post1"""
    ptx_coef: ArgFloat = 0.05
    """`--ptx_coef` ..0.6.1.post1"""
    use_kl_estimator_k3: Switch = False
    """`--use_kl_estimator_k3` 0.4.6..0.6.0"""
    use_ms: Switch = False
    """`--use_ms` 0.5.9.post1..0.6.1.post1"""
