"""OpenRLHF's `train_ppo_ray` as a typed model, made from the catalog by `tools/generate_models.py`."""

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
    OptFloats,
    OptInt,
    OptStr,
    ProgramModel,
    Switch,
)


class ActorAdam(Group):
    """Settings below `adam`."""

    betas: ArgFloats = Field(default_factory=lambda: [0.9, 0.95])
    """`--adam_betas` ..0.10.1.post2; `--actor.adam.betas` 0.10.2.."""
    eps: ArgFloat = 1e-08
    """`--actor.adam.eps` 0.10.2.."""
    lr: ArgFloat = 1e-06
    """`--actor_learning_rate` ..0.10.1.post2; `--actor.adam.lr` 0.10.2.."""
    weight_decay: ArgFloat = 0.0
    """`--l2` ..0.10.1.post2; `--actor.adam.weight_decay` 0.10.2.."""


class ActorMuon(Group):
    """Settings below `muon`."""

    lr: ArgFloat = 0.02
    """`--actor.muon.lr` 0.10.2.."""
    momentum: ArgFloat = 0.95
    """`--actor.muon.momentum` 0.10.2.."""
    nesterov: Switch = True
    """`--actor.muon.nesterov` 0.10.2..; `--actor.muon.no_nesterov` 0.10.2.."""
    ns_steps: ArgInt = 5
    """`--actor.muon.ns_steps` 0.10.2.."""


class Actor(Group):
    """Settings below `actor`."""

    adam: ActorAdam = Field(default_factory=ActorAdam)
    muon: ActorMuon = Field(default_factory=ActorMuon)
    aux_loss_coef: ArgFloat = 0
    """`--aux_loss_coef` ..0.10.1.post2; `--actor.aux_loss_coef` 0.10.2.."""
    dual_clip: OptFloat = None
    """`--dual_clip` 0.8.6..0.10.1.post2; `--actor.dual_clip` 0.10.2.."""
    entropy_coef: OptFloat = None
    """`--entropy_loss_coef` 0.7.2..0.10.1.post2; `--actor.entropy_coef` 0.10.2.."""
    eps_clip: ArgFloat = 0.2
    """`--eps_clip` ..0.10.1.post2; `--actor.eps_clip` 0.10.2.."""
    eps_clip_low_high: OptFloats = None
    """`--eps_clip_low_high` 0.8.2..0.10.1.post2; `--actor.eps_clip_low_high` 0.10.2.."""
    freeze_visual_encoder: Switch = False
    """`--freeze_visual_encoder` 0.10.0..0.10.1.post2; `--actor.freeze_visual_encoder` 0.10.2.."""
    gradient_checkpointing_enable: Switch = False
    """`--gradient_checkpointing` ..0.10.1.post2; `--actor.gradient_checkpointing_enable` 0.10.2.."""
    gradient_checkpointing_reentrant: Switch = False
    """`--gradient_checkpointing_use_reentrant` ..0.10.1.post2; `--actor.gradient_checkpointing_reentrant` 0.10.2.."""
    loss_agg_mode: ArgStr = "token-mean"
    """`--actor.loss_agg_mode` 0.11.2"""
    lr_scheduler: ArgStr = "cosine_with_min_lr"
    """`--lr_scheduler` 0.8.5..0.10.1.post2; `--actor.lr_scheduler` 0.10.2.."""
    lr_warmup_ratio: ArgFloat = 0.03
    """`--lr_warmup_ratio` 0.5.3..0.10.1.post2; `--actor.lr_warmup_ratio` 0.10.2.."""
    max_norm: ArgFloat = 1.0
    """`--max_norm` ..0.10.1.post2; `--actor.max_norm` 0.10.2.."""
    min_lr_ratio: ArgFloat = 0.1
    """`--actor.min_lr_ratio` 0.10.2.."""
    model_name_or_path: OptStr = None
    """`--pretrain` ..0.10.1.post2; `--actor.model_name_or_path` 0.10.2.."""
    num_gpus_per_node: ArgInt = 8
    """`--actor_num_gpus_per_node` ..0.10.1.post2; `--actor.num_gpus_per_node` 0.10.2.."""
    num_nodes: ArgInt = 1
    """`--actor_num_nodes` ..0.10.1.post2; `--actor.num_nodes` 0.10.2.."""
    optim: ArgStr = "adam"
    """`--actor.optim` 0.10.2.."""
    policy_loss_type: ArgStr = "ppo"
    """`--policy_loss_type` 0.8.8..0.10.1.post2; `--actor.policy_loss_type` 0.10.2.."""


class AlgoAdvantage(Group):
    """Settings below `advantage`."""

    estimator: ArgStr = "gae"
    """`--advantage_estimator` 0.5.1..0.10.1.post2; `--algo.advantage.estimator` 0.10.2.."""
    gamma: ArgFloat = 1
    """`--gamma` ..0.10.1.post2; `--algo.advantage.gamma` 0.10.2.."""
    is_correction_enable: Switch = False
    """`--enable_vllm_is_correction` 0.8.9..0.10.1.post2; `--algo.advantage.is_correction_enable` 0.10.2..0.11.1"""
    is_correction_gating: ArgStr = "ratio"
    """`--algo.advantage.is_correction_gating` 0.11.2"""
    is_correction_level: ArgStr = "off"
    """`--algo.advantage.is_correction_level` 0.11.2"""
    is_correction_mode: ArgStr = "mask"
    """`--algo.advantage.is_correction_mode` 0.11.2"""
    is_correction_threshold: ArgFloats = Field(default_factory=lambda: [0.5, 5.0])
    """`--vllm_is_truncated_threshold` 0.9.1..0.10.1.post2; `--algo.advantage.is_correction_threshold` 0.10.2.."""
    is_correction_type: ArgStr = "tis"
    """`--vllm_is_correction_type` 0.9.3..0.10.1.post2; `--algo.advantage.is_correction_type` 0.10.2..0.11.1"""
    lambd: ArgFloat = 1
    """`--lambd` ..0.10.1.post2; `--algo.advantage.lambd` 0.10.2.."""
    no_std_norm: Switch = False
    """`--no_advantage_std_norm` 0.6.4..0.10.1.post2; `--algo.advantage.no_std_norm` 0.10.2.."""


class AlgoKl(Group):
    """Settings below `kl`."""

    estimator: ArgStr = "k1"
    """`--kl_estimator` 0.6.0.post1..0.10.1.post2; `--algo.kl.estimator` 0.10.2.."""
    horizon: ArgInt = 10000
    """`--kl_horizon` 0.7.1..0.10.1.post2; `--algo.kl.horizon` 0.10.2.."""
    init_coef: ArgFloat = 0.01
    """`--init_kl_coef` ..0.10.1.post2; `--algo.kl.init_coef` 0.10.2.."""
    target: OptFloat = None
    """`--kl_target` ..0.10.1.post2; `--algo.kl.target` 0.10.2.."""
    unbiased_gradient: Switch = False
    """`--algo.kl.unbiased_gradient` 0.11.1.."""
    use_loss: Switch = False
    """`--use_kl_loss` 0.6.0..0.10.1.post2; `--algo.kl.use_loss` 0.10.2.."""


class Algo(Group):
    """Settings below `algo`."""

    advantage: AlgoAdvantage = Field(default_factory=AlgoAdvantage)
    kl: AlgoKl = Field(default_factory=AlgoKl)
    dynamic_filtering_enable: Switch = False
    """`--dynamic_filtering` 0.8.1..0.10.1.post2; `--algo.dynamic_filtering_enable` 0.10.2.."""
    dynamic_filtering_range: ArgFloats = Field(default_factory=lambda: [0.0, 1.0])
    """`--dynamic_filtering_reward_range` 0.8.1..0.10.1.post2; `--algo.dynamic_filtering_range` 0.10.2.."""


class Ckpt(Group):
    """Settings below `ckpt`."""

    best_metric_key: ArgStr = ""
    """`--best_metric_key` 0.9.9..0.10.1.post2; `--ckpt.best_metric_key` 0.10.2.."""
    disable_ds: Switch = False
    """`--disable_ds_ckpt` 0.5.7..0.10.1.post2; `--ckpt.disable_ds` 0.10.2.."""
    load_enable: Switch = False
    """`--load_checkpoint` ..0.10.1.post2; `--ckpt.load_enable` 0.10.2.."""
    max_mem: ArgFloat = float("inf")
    """`--max_ckpt_mem` 0.4.0.post2..0.10.1.post2; `--ckpt.max_mem` 0.10.2.."""
    max_num: ArgInt = 3
    """`--max_ckpt_num` 0.4.0.post2..0.10.1.post2; `--ckpt.max_num` 0.10.2.."""
    output_dir: ArgStr = "./ckpt"
    """`--save_path` ..0.10.1.post2; `--ckpt.output_dir` 0.10.2.."""
    path: ArgStr = "./ckpt/checkpoints_ppo_ray"
    """`--ckpt_path` 0.4.0.post2..0.10.1.post2; `--ckpt.path` 0.10.2.."""
    save_hf: Switch = False
    """`--save_hf_ckpt` 0.5.7..0.10.1.post2; `--ckpt.save_hf` 0.10.2.."""
    save_steps: ArgInt = -1
    """`--save_steps` ..0.10.1.post2; `--ckpt.save_steps` 0.10.2.."""


class CriticAdam(Group):
    """Settings below `adam`."""

    betas: ArgFloats = Field(default_factory=lambda: [0.9, 0.95])
    """`--adam_betas` ..0.10.1.post2; `--critic.adam.betas` 0.10.2.."""
    eps: ArgFloat = 1e-08
    """`--critic.adam.eps` 0.10.2.."""
    lr: ArgFloat = 9e-06
    """`--critic_learning_rate` ..0.10.1.post2; `--critic.adam.lr` 0.10.2.."""
    weight_decay: ArgFloat = 0.0
    """`--l2` ..0.10.1.post2; `--critic.adam.weight_decay` 0.10.2.."""


class CriticMuon(Group):
    """Settings below `muon`."""

    lr: ArgFloat = 0.02
    """`--critic.muon.lr` 0.10.2.."""
    momentum: ArgFloat = 0.95
    """`--critic.muon.momentum` 0.10.2.."""
    nesterov: Switch = True
    """`--critic.muon.nesterov` 0.10.2..; `--critic.muon.no_nesterov` 0.10.2.."""
    ns_steps: ArgInt = 5
    """`--critic.muon.ns_steps` 0.10.2.."""


class Critic(Group):
    """Settings below `critic`."""

    adam: CriticAdam = Field(default_factory=CriticAdam)
    muon: CriticMuon = Field(default_factory=CriticMuon)
    freezing_steps: ArgInt = -1
    """`--freezing_actor_steps` ..0.10.1.post2; `--critic.freezing_steps` 0.10.2.."""
    lr_scheduler: ArgStr = "cosine_with_min_lr"
    """`--lr_scheduler` 0.8.5..0.10.1.post2; `--critic.lr_scheduler` 0.10.2.."""
    lr_warmup_ratio: ArgFloat = 0.03
    """`--lr_warmup_ratio` 0.5.3..0.10.1.post2; `--critic.lr_warmup_ratio` 0.10.2.."""
    max_norm: ArgFloat = 1.0
    """`--max_norm` ..0.10.1.post2; `--critic.max_norm` 0.10.2.."""
    min_lr_ratio: ArgFloat = 0.1
    """`--critic.min_lr_ratio` 0.10.2.."""
    model_name_or_path: OptStr = None
    """`--critic_pretrain` ..0.10.1.post2; `--critic.model_name_or_path` 0.10.2.."""
    num_gpus_per_node: ArgInt = 8
    """`--critic_num_gpus_per_node` ..0.10.1.post2; `--critic.num_gpus_per_node` 0.10.2.."""
    num_nodes: ArgInt = 1
    """`--critic_num_nodes` ..0.10.1.post2; `--critic.num_nodes` 0.10.2.."""
    optim: ArgStr = "adam"
    """`--critic.optim` 0.10.2.."""
    save_value_network: Switch = False
    """`--save_value_network` ..0.10.1.post2; `--critic.save_value_network` 0.10.2.."""
    value_clip: ArgFloat = 0.5
    """`--value_clip` ..0.10.1.post2; `--critic.value_clip` 0.10.2.."""


class Data(Group):
    """Settings below `data`."""

    apply_chat_template: Switch = False
    """`--apply_chat_template` ..0.10.1.post2; `--data.apply_chat_template` 0.10.2.."""
    dataloader_num_workers: ArgInt = 0
    """`--dataloader_num_workers` 0.9.10..0.10.1.post2; `--data.dataloader_num_workers` 0.10.2.."""
    disable_fast_tokenizer: Switch = False
    """`--disable_fast_tokenizer` ..0.10.1.post2; `--data.disable_fast_tokenizer` 0.10.2.."""
    image_key: ArgStr = "images"
    """`--image_key` 0.10.0..0.10.1.post2; `--data.image_key` 0.10.2.."""
    input_key: ArgStr = "input"
    """`--input_key` ..0.10.1.post2; `--data.input_key` 0.10.2.."""
    input_template: OptStr = None
    """`--input_template` ..0.10.1.post2; `--data.input_template` 0.10.2.."""
    label_key: OptStr = None
    """`--label_key` 0.6.0..0.10.1.post2; `--data.label_key` 0.10.2.."""
    max_images_per_prompt: ArgInt = 0
    """`--max_images_per_prompt` 0.10.0..0.10.1.post2; `--data.max_images_per_prompt` 0.10.2.."""
    max_len: ArgInt = 2048
    """`--max_len` 0.9.8..0.10.1.post2; `--data.max_len` 0.10.2.."""
    max_samples: ArgInt = 100000000
    """`--max_samples` ..0.10.1.post2; `--data.max_samples` 0.10.2.."""
    prompt_dataset: OptStr = None
    """`--prompt_data` ..0.10.1.post2; `--data.prompt_dataset` 0.10.2.."""
    prompt_probs: OptStr = None
    """`--prompt_data_probs` ..0.10.1.post2; `--data.prompt_probs` 0.10.2.."""
    prompt_split: ArgStr = "train"
    """`--prompt_split` ..0.6.4, 0.7.4..0.10.1.post2; `--data.prompt_split` 0.10.2.."""


class DsLora(Group):
    """Settings below `lora`."""

    alpha: ArgInt = 16
    """`--lora_alpha` ..0.10.1.post2; `--ds.lora.alpha` 0.10.2.."""
    dropout: ArgFloat = 0
    """`--lora_dropout` ..0.10.1.post2; `--ds.lora.dropout` 0.10.2.."""
    rank: ArgInt = 0
    """`--lora_rank` ..0.10.1.post2; `--ds.lora.rank` 0.10.2.."""
    target_modules: Annotated[list[str] | str, Convert] = "all-linear"
    """`--target_modules` ..0.10.1.post2; `--ds.lora.target_modules` 0.10.2.."""


class Ds(Group):
    """Settings below `ds`."""

    lora: DsLora = Field(default_factory=DsLora)
    adam_offload: Switch = False
    """`--adam_offload` ..0.10.1.post2; `--ds.adam_offload` 0.10.2.."""
    attn_implementation: ArgStr = "flash_attention_2"
    """`--attn_implementation` 0.8.10..0.10.1.post2; `--ds.attn_implementation` 0.10.2.."""
    deepcompile: Switch = False
    """`--torch_compile` 0.6.2..0.7.0.post1; `--deepcompile` 0.7.1..0.10.1.post2; `--ds.deepcompile` 0.10.2.."""
    enable_sleep: Switch = False
    """`--deepspeed_enable_sleep` 0.6.0.post1..0.10.1.post2; `--ds.enable_sleep` 0.10.2.."""
    experts_implementation: OptStr = None
    """`--ds.experts_implementation` 0.10.2.."""
    grad_accum_dtype: OptStr = None
    """`--grad_accum_dtype` ..0.10.1.post2; `--ds.grad_accum_dtype` 0.10.2.."""
    load_in_4bit: Switch = False
    """`--load_in_4bit` ..0.10.1.post2; `--ds.load_in_4bit` 0.10.2.."""
    overlap_comm: Switch = False
    """`--overlap_comm` 0.5.5..0.10.1.post2; `--ds.overlap_comm` 0.10.2.."""
    packing_samples: Switch = False
    """`--packing_samples` 0.4.4..0.10.1.post2; `--ds.packing_samples` 0.10.2.."""
    param_dtype: ArgStr = "bf16"
    """`--param_dtype` 0.9.2..0.10.1.post2; `--ds.param_dtype` 0.10.2.."""
    ring_attn_head_stride: ArgInt = 1
    """`--ring_head_stride` 0.6.0..0.10.1.post2; `--ds.ring_attn_head_stride` 0.10.2.."""
    ring_attn_size: ArgInt = 1
    """`--ring_attn_size` 0.6.0..0.10.1.post2; `--ds.ring_attn_size` 0.10.2.."""
    tensor_parallel_size: ArgInt = 1
    """`--ds_tensor_parallel_size` 0.7.4..0.10.1.post2; `--ds.tensor_parallel_size` 0.10.2.."""
    use_liger_kernel: Switch = False
    """`--use_liger_kernel` 0.6.2..0.10.1.post2; `--ds.use_liger_kernel` 0.10.2.."""
    use_universal_ckpt: Switch = False
    """`--universal_ckpt` 0.6.3..0.6.3.post2; `--use_ds_universal_ckpt` 0.6.4..0.10.1.post2; `--ds.use_universal_ckpt`
    0.10.2.."""
    value_head_prefix: ArgStr = "score"
    """`--value_head_prefix` ..0.10.1.post2; `--ds.value_head_prefix` 0.10.2.."""
    zero_stage: ArgInt = 2
    """`--zero_stage` ..0.10.1.post2; `--ds.zero_stage` 0.10.2.."""
    zpg: ArgInt = 1
    """`--zpg` ..0.10.1.post2; `--ds.zpg` 0.10.2.."""


class Eval(Group):
    """Settings below `eval`."""

    dataset: OptStr = None
    """`--eval_dataset` 0.7.0..0.10.1.post2; `--eval.dataset` 0.10.2.."""
    n_samples_per_prompt: ArgInt = 4
    """`--eval_n_samples_per_prompt` 0.7.0..0.10.1.post2; `--eval.n_samples_per_prompt` 0.10.2.."""
    split: ArgStr = "train"
    """`--eval_split` 0.7.4..0.10.1.post2; `--eval.split` 0.10.2.."""
    steps: ArgInt = -1
    """`--eval_steps` ..0.10.1.post2; `--eval.steps` 0.10.2.."""
    temperature: ArgFloat = 0.6
    """`--eval_temperature` 0.7.0..0.10.1.post2; `--eval.temperature` 0.10.2.."""


class LoggerWandb(Group):
    """Settings below `wandb`."""

    group: OptStr = None
    """`--wandb_group` ..0.10.1.post2; `--logger.wandb.group` 0.10.2.."""
    key: OptStr = None
    """`--use_wandb` ..0.10.1.post2; `--logger.wandb.key` 0.10.2.."""
    org: OptStr = None
    """`--wandb_org` ..0.10.1.post2; `--logger.wandb.org` 0.10.2.."""
    project: ArgStr = "openrlhf_train_ppo"
    """`--wandb_project` ..0.10.1.post2; `--logger.wandb.project` 0.10.2.."""
    run_name: OptStr = None
    """`--wandb_run_name` ..0.10.1.post2; `--logger.wandb.run_name` 0.10.2.."""


class Logger(Group):
    """Settings below `logger`."""

    wandb: LoggerWandb = Field(default_factory=LoggerWandb)
    logging_steps: ArgInt = 1
    """`--logging_steps` ..0.10.1.post2; `--logger.logging_steps` 0.10.2.."""
    tensorboard_dir: OptStr = None
    """`--use_tensorboard` 0.4.4..0.10.1.post2; `--logger.tensorboard_dir` 0.10.2.."""


class Ref(Group):
    """Settings below `ref`."""

    num_gpus_per_node: ArgInt = 8
    """`--ref_num_gpus_per_node` ..0.10.1.post2; `--ref.num_gpus_per_node` 0.10.2.."""
    num_nodes: ArgInt = 1
    """`--ref_num_nodes` ..0.10.1.post2; `--ref.num_nodes` 0.10.2.."""
    offload: Switch = False
    """`--ref_reward_offload` ..0.10.1.post2; `--ref.offload` 0.10.2.."""


class Reward(Group):
    """Settings below `reward`."""

    clip_range: ArgFloats = Field(default_factory=lambda: [-10.0, 10.0])
    """`--reward_clip_range` 0.4.6..0.10.1.post2; `--reward.clip_range` 0.10.2.."""
    model_name_or_path: OptStr = None
    """`--reward_pretrain` ..0.10.1.post2; `--reward.model_name_or_path` 0.10.2.."""
    normalize_enable: Switch = False
    """`--normalize_reward` ..0.10.1.post2; `--reward.normalize_enable` 0.10.2.."""
    num_gpus_per_node: ArgInt = 8
    """`--reward_num_gpus_per_node` ..0.10.1.post2; `--reward.num_gpus_per_node` 0.10.2.."""
    num_nodes: ArgInt = 1
    """`--reward_num_nodes` ..0.10.1.post2; `--reward.num_nodes` 0.10.2.."""
    offload: Switch = False
    """`--ref_reward_offload` ..0.10.1.post2; `--reward.offload` 0.10.2.."""
    overlong_buffer_len: OptFloat = None
    """`--overlong_buffer_len` 0.8.7..0.10.1.post2; `--reward.overlong_buffer_len` 0.10.2.."""
    overlong_penalty_factor: ArgFloat = 1
    """`--overlong_penalty_factor` 0.8.7..0.10.1.post2; `--reward.overlong_penalty_factor` 0.10.2.."""
    remote_url: OptStr = None
    """`--remote_rm_url` 0.4.0.post2..0.10.1.post2; `--reward.remote_url` 0.10.2.."""
    stop_properly_penalty_coef: OptFloat = None
    """`--stop_properly_penalty_coef` 0.9.2..0.10.1.post2; `--reward.stop_properly_penalty_coef` 0.10.2.."""


class Rollout(Group):
    """Settings below `rollout`."""

    batch_size: ArgInt = 1024
    """`--rollout_batch_size` ..0.10.1.post2; `--rollout.batch_size` 0.10.2.."""
    max_new_tokens: OptInt = None
    """`--max_new_tokens` 0.9.8..0.10.1.post2; `--rollout.max_new_tokens` 0.10.2.."""
    max_tokens_per_gpu: OptInt = None
    """`--rollout_max_tokens_per_gpu` 0.8.6..0.10.1.post2; `--rollout.max_tokens_per_gpu` 0.10.2.."""
    micro_batch_size: ArgInt = 1
    """`--micro_rollout_batch_size` ..0.10.1.post2; `--rollout.micro_batch_size` 0.10.2.."""
    n_samples_per_prompt: ArgInt = 1
    """`--n_samples_per_prompt` ..0.10.1.post2; `--rollout.n_samples_per_prompt` 0.10.2.."""
    temperature: ArgFloat = 1.0
    """`--temperature` 0.4.6..0.10.1.post2; `--rollout.temperature` 0.10.2.."""
    top_p: ArgFloat = 1.0
    """`--top_p` ..0.10.1.post2; `--rollout.top_p` 0.10.2.."""
    vllm_generate_batch_size: OptInt = None
    """`--vllm_generate_batch_size` 0.8.1..0.10.1.post2; `--rollout.vllm_generate_batch_size` 0.10.2.."""


class Train(Group):
    """Settings below `train`."""

    agent_func_path: OptStr = None
    """`--agent_func_path` 0.8.0..0.10.1.post2; `--train.agent_func_path` 0.10.2.."""
    async_enable: Switch = False
    """`--async_train` 0.8.0..0.10.1.post2; `--train.async_enable` 0.10.2.."""
    async_queue_size: ArgInt = 1
    """`--async_queue_size` 0.9.1..0.10.1.post2; `--train.async_queue_size` 0.10.2.."""
    batch_size: ArgInt = 128
    """`--train_batch_size` ..0.10.1.post2; `--train.batch_size` 0.10.2.."""
    colocate_actor_ref: Switch = False
    """`--colocate_actor_ref` ..0.10.1.post2; `--train.colocate_actor_ref` 0.10.2.."""
    colocate_all: Switch = False
    """`--colocate_all_models` 0.5.8..0.10.1.post2; `--train.colocate_all` 0.10.2.."""
    colocate_critic_reward: Switch = False
    """`--colocate_critic_reward` ..0.10.1.post2; `--train.colocate_critic_reward` 0.10.2.."""
    dynamic_batch_enable: Switch = False
    """`--use_dynamic_batch` 0.8.6..0.10.1.post2; `--train.dynamic_batch_enable` 0.10.2.."""
    ema_beta: ArgFloat = 0.992
    """`--ema_beta` 0.7.1..0.10.1.post2; `--train.ema_beta` 0.10.2.."""
    enable_ema: Switch = False
    """`--enable_ema` ..0.10.1.post2; `--train.enable_ema` 0.10.2.."""
    full_determinism_enable: Switch = False
    """`--full_determinism` 0.6.2..0.10.1.post2; `--train.full_determinism_enable` 0.10.2.."""
    max_epochs: ArgInt = 1
    """`--max_epochs` ..0.10.1.post2; `--train.max_epochs` 0.10.2.."""
    max_tokens_per_gpu: ArgInt = 16192
    """`--train_max_tokens_per_gpu` 0.8.6..0.10.1.post2; `--train.max_tokens_per_gpu` 0.10.2.."""
    micro_batch_size: ArgInt = 1
    """`--micro_train_batch_size` ..0.10.1.post2; `--train.micro_batch_size` 0.10.2.."""
    num_episodes: ArgInt = 1
    """`--num_episodes` ..0.10.1.post2; `--train.num_episodes` 0.10.2.."""
    partial_rollout_enable: Switch = False
    """`--partial_rollout` 0.9.7..0.10.1.post2; `--train.partial_rollout_enable` 0.10.2.."""
    seed: ArgInt = 42
    """`--seed` ..0.10.1.post2; `--train.seed` 0.10.2.."""


class Vllm(Group):
    """Settings below `vllm`."""

    enable_prefix_caching: Switch = False
    """`--enable_prefix_caching` ..0.10.1.post2; `--vllm.enable_prefix_caching` 0.10.2.."""
    enable_sleep: Switch = False
    """`--vllm_enable_sleep` 0.5.8..0.10.1.post2; `--vllm.enable_sleep` 0.10.2.."""
    enforce_eager: Switch = False
    """`--enforce_eager` 0.4.4..0.10.1.post2; `--vllm.enforce_eager` 0.10.2.."""
    gpu_memory_utilization: ArgFloat = 0.95
    """`--vllm_gpu_memory_utilization` 0.5.8..0.10.1.post2; `--vllm.gpu_memory_utilization` 0.10.2.."""
    num_engines: OptInt = None
    """`--vllm_num_engines` ..0.10.1.post2; `--vllm.num_engines` 0.10.2.."""
    sync_backend: ArgStr = "nccl"
    """`--vllm_sync_backend` ..0.10.1.post2; `--vllm.sync_backend` 0.10.2.."""
    sync_with_ray: Switch = False
    """`--vllm_sync_with_ray` 0.5.7..0.10.1.post2; `--vllm.sync_with_ray` 0.10.2.."""
    tensor_parallel_size: ArgInt = 1
    """`--vllm_tensor_parallel_size` ..0.10.1.post2; `--vllm.tensor_parallel_size` 0.10.2.."""


class TrainPPORay(ProgramModel):
    """The settings of `train_ppo_ray`."""

    program: ClassVar[str] = "openrlhf:train_ppo_ray"

    actor: Actor = Field(default_factory=Actor)
    algo: Algo = Field(default_factory=Algo)
    ckpt: Ckpt = Field(default_factory=Ckpt)
    critic: Critic = Field(default_factory=Critic)
    data: Data = Field(default_factory=Data)
    ds: Ds = Field(default_factory=Ds)
    eval: Eval = Field(default_factory=Eval)
    logger: Logger = Field(default_factory=Logger)
    ref: Ref = Field(default_factory=Ref)
    reward: Reward = Field(default_factory=Reward)
    rollout: Rollout = Field(default_factory=Rollout)
    train: Train = Field(default_factory=Train)
    vllm: Vllm = Field(default_factory=Vllm)
    actor_init_on_gpu: Switch = False
    """`--actor_init_on_gpu` ..0.10.1.post2"""
    bf16: Switch = False
    """`--bf16` ..0.9.1.post1"""
    disable_trace_cache: Switch = False
    """`--disable_trace_cache` ..0.5.4"""
    flash_attn: Switch = False
    """`--flash_attn` ..0.8.9.post1"""
    generate_max_len: ArgInt = 1024
    """`--generate_max_len` ..0.9.7"""
    local_rank: ArgInt = -1
    """`--local_rank` """
    max_len: OptInt = None
    """`--max_len` ..0.9.7"""
    perf: Switch = False
    """`--perf` ..0.10.1.post2"""
    pretrain_data: OptStr = None
    """`--pretrain_data` ..0.7.0.post1"""
    pretrain_data_probs: OptStr = None
    """`--pretrain_data_probs` ..0.7.0.post1"""
    pretrain_split: ArgStr = "train"
    """`--pretrain_split` ..0.7.0.post1"""
    prompt_max_len: ArgInt = 1024
    """`--prompt_max_len` ..0.9.7"""
    ptx_coef: ArgFloat = 0.05
    """`--ptx_coef` ..0.10.1.post2"""
    use_icepop: Switch = False
    """`--use_icepop` 0.9.1..0.9.2"""
    use_kl_estimator_k3: Switch = False
    """`--use_kl_estimator_k3` 0.4.6..0.6.0"""
    use_ms: Switch = False
    """`--use_ms` 0.5.9.post1.."""
    vllm_is_truncated_threshold: ArgFloat = 2
    """`--vllm_is_truncated_threshold` 0.8.9..0.9.0"""
