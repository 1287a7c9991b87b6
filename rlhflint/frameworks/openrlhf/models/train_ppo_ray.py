"""OpenRLHF's `train_ppo_ray` as a typed model, made from the catalog by `tools/generate_models.py`."""

from __future__ import annotations

from typing import ClassVar

from rlhflint.model import Group, ProgramModel


class ActorAdam(Group):
    """Settings below `adam`."""

    betas: list[float] = [0.9, 0.95]
    """`--adam_betas` ..0.10.1.post2; `--actor.adam.betas` 0.10.2.."""
    eps: float = 1e-08
    """`--actor.adam.eps` 0.10.2.."""
    lr: float = 1e-06
    """`--actor_learning_rate` ..0.10.1.post2; `--actor.adam.lr` 0.10.2.."""
    weight_decay: float = 0.0
    """`--l2` ..0.10.1.post2; `--actor.adam.weight_decay` 0.10.2.."""


class ActorMuon(Group):
    """Settings below `muon`."""

    lr: float = 0.02
    """`--actor.muon.lr` 0.10.2.."""
    momentum: float = 0.95
    """`--actor.muon.momentum` 0.10.2.."""
    nesterov: bool = True
    """`--actor.muon.nesterov` 0.10.2..; `--actor.muon.no_nesterov` 0.10.2.."""
    ns_steps: int = 5
    """`--actor.muon.ns_steps` 0.10.2.."""


class Actor(Group):
    """Settings below `actor`."""

    adam: ActorAdam
    muon: ActorMuon
    aux_loss_coef: float = 0
    """`--aux_loss_coef` ..0.10.1.post2; `--actor.aux_loss_coef` 0.10.2.."""
    dual_clip: float | None = None
    """`--dual_clip` 0.8.6..0.10.1.post2; `--actor.dual_clip` 0.10.2.."""
    entropy_coef: float | None = None
    """`--entropy_loss_coef` 0.7.2..0.10.1.post2; `--actor.entropy_coef` 0.10.2.."""
    eps_clip: float = 0.2
    """`--eps_clip` ..0.10.1.post2; `--actor.eps_clip` 0.10.2.."""
    eps_clip_low_high: list[float] | None = None
    """`--eps_clip_low_high` 0.8.2..0.10.1.post2; `--actor.eps_clip_low_high` 0.10.2.."""
    freeze_visual_encoder: bool = False
    """`--freeze_visual_encoder` 0.10.0..0.10.1.post2; `--actor.freeze_visual_encoder` 0.10.2.."""
    gradient_checkpointing_enable: bool = False
    """`--gradient_checkpointing` ..0.10.1.post2; `--actor.gradient_checkpointing_enable` 0.10.2.."""
    gradient_checkpointing_reentrant: bool = False
    """`--gradient_checkpointing_use_reentrant` ..0.10.1.post2; `--actor.gradient_checkpointing_reentrant` 0.10.2.."""
    loss_agg_mode: str = "token-mean"
    """`--actor.loss_agg_mode` 0.11.2"""
    lr_scheduler: str = "cosine_with_min_lr"
    """`--lr_scheduler` 0.8.5..0.10.1.post2; `--actor.lr_scheduler` 0.10.2.."""
    lr_warmup_ratio: float = 0.03
    """`--lr_warmup_ratio` 0.5.3..0.10.1.post2; `--actor.lr_warmup_ratio` 0.10.2.."""
    max_norm: float = 1.0
    """`--max_norm` ..0.10.1.post2; `--actor.max_norm` 0.10.2.."""
    min_lr_ratio: float = 0.1
    """`--actor.min_lr_ratio` 0.10.2.."""
    model_name_or_path: str | None = None
    """`--pretrain` ..0.10.1.post2; `--actor.model_name_or_path` 0.10.2.."""
    num_gpus_per_node: int = 8
    """`--actor_num_gpus_per_node` ..0.10.1.post2; `--actor.num_gpus_per_node` 0.10.2.."""
    num_nodes: int = 1
    """`--actor_num_nodes` ..0.10.1.post2; `--actor.num_nodes` 0.10.2.."""
    optim: str = "adam"
    """`--actor.optim` 0.10.2.."""
    policy_loss_type: str = "ppo"
    """`--policy_loss_type` 0.8.8..0.10.1.post2; `--actor.policy_loss_type` 0.10.2.."""


class AlgoAdvantage(Group):
    """Settings below `advantage`."""

    estimator: str = "gae"
    """`--advantage_estimator` 0.5.1..0.10.1.post2; `--algo.advantage.estimator` 0.10.2.."""
    gamma: float = 1
    """`--gamma` ..0.10.1.post2; `--algo.advantage.gamma` 0.10.2.."""
    is_correction_enable: bool = False
    """`--enable_vllm_is_correction` 0.8.9..0.10.1.post2; `--algo.advantage.is_correction_enable` 0.10.2..0.11.1"""
    is_correction_gating: str = "ratio"
    """`--algo.advantage.is_correction_gating` 0.11.2"""
    is_correction_level: str = "off"
    """`--algo.advantage.is_correction_level` 0.11.2"""
    is_correction_mode: str = "mask"
    """`--algo.advantage.is_correction_mode` 0.11.2"""
    is_correction_threshold: list[float] = [0.5, 5.0]
    """`--vllm_is_truncated_threshold` 0.9.1..0.10.1.post2; `--algo.advantage.is_correction_threshold` 0.10.2.."""
    is_correction_type: str = "tis"
    """`--vllm_is_correction_type` 0.9.3..0.10.1.post2; `--algo.advantage.is_correction_type` 0.10.2..0.11.1"""
    lambd: float = 1
    """`--lambd` ..0.10.1.post2; `--algo.advantage.lambd` 0.10.2.."""
    no_std_norm: bool = False
    """`--no_advantage_std_norm` 0.6.4..0.10.1.post2; `--algo.advantage.no_std_norm` 0.10.2.."""


class AlgoKl(Group):
    """Settings below `kl`."""

    estimator: str = "k1"
    """`--kl_estimator` 0.6.0.post1..0.10.1.post2; `--algo.kl.estimator` 0.10.2.."""
    horizon: int = 10000
    """`--kl_horizon` 0.7.1..0.10.1.post2; `--algo.kl.horizon` 0.10.2.."""
    init_coef: float = 0.01
    """`--init_kl_coef` ..0.10.1.post2; `--algo.kl.init_coef` 0.10.2.."""
    target: float | None = None
    """`--kl_target` ..0.10.1.post2; `--algo.kl.target` 0.10.2.."""
    unbiased_gradient: bool = False
    """`--algo.kl.unbiased_gradient` 0.11.1.."""
    use_loss: bool = False
    """`--use_kl_loss` 0.6.0..0.10.1.post2; `--algo.kl.use_loss` 0.10.2.."""


class Algo(Group):
    """Settings below `algo`."""

    advantage: AlgoAdvantage
    kl: AlgoKl
    dynamic_filtering_enable: bool = False
    """`--dynamic_filtering` 0.8.1..0.10.1.post2; `--algo.dynamic_filtering_enable` 0.10.2.."""
    dynamic_filtering_range: list[float] = [0.0, 1.0]
    """`--dynamic_filtering_reward_range` 0.8.1..0.10.1.post2; `--algo.dynamic_filtering_range` 0.10.2.."""


class Ckpt(Group):
    """Settings below `ckpt`."""

    best_metric_key: str = ""
    """`--best_metric_key` 0.9.9..0.10.1.post2; `--ckpt.best_metric_key` 0.10.2.."""
    disable_ds: bool = False
    """`--disable_ds_ckpt` 0.5.7..0.10.1.post2; `--ckpt.disable_ds` 0.10.2.."""
    load_enable: bool = False
    """`--load_checkpoint` ..0.10.1.post2; `--ckpt.load_enable` 0.10.2.."""
    max_mem: float = float("inf")
    """`--max_ckpt_mem` 0.4.0.post2..0.10.1.post2; `--ckpt.max_mem` 0.10.2.."""
    max_num: int = 3
    """`--max_ckpt_num` 0.4.0.post2..0.10.1.post2; `--ckpt.max_num` 0.10.2.."""
    output_dir: str = "./ckpt"
    """`--save_path` ..0.10.1.post2; `--ckpt.output_dir` 0.10.2.."""
    path: str = "./ckpt/checkpoints_ppo_ray"
    """`--ckpt_path` 0.4.0.post2..0.10.1.post2; `--ckpt.path` 0.10.2.."""
    save_hf: bool = False
    """`--save_hf_ckpt` 0.5.7..0.10.1.post2; `--ckpt.save_hf` 0.10.2.."""
    save_steps: int = -1
    """`--save_steps` ..0.10.1.post2; `--ckpt.save_steps` 0.10.2.."""


class CriticAdam(Group):
    """Settings below `adam`."""

    betas: list[float] = [0.9, 0.95]
    """`--adam_betas` ..0.10.1.post2; `--critic.adam.betas` 0.10.2.."""
    eps: float = 1e-08
    """`--critic.adam.eps` 0.10.2.."""
    lr: float = 9e-06
    """`--critic_learning_rate` ..0.10.1.post2; `--critic.adam.lr` 0.10.2.."""
    weight_decay: float = 0.0
    """`--l2` ..0.10.1.post2; `--critic.adam.weight_decay` 0.10.2.."""


class CriticMuon(Group):
    """Settings below `muon`."""

    lr: float = 0.02
    """`--critic.muon.lr` 0.10.2.."""
    momentum: float = 0.95
    """`--critic.muon.momentum` 0.10.2.."""
    nesterov: bool = True
    """`--critic.muon.nesterov` 0.10.2..; `--critic.muon.no_nesterov` 0.10.2.."""
    ns_steps: int = 5
    """`--critic.muon.ns_steps` 0.10.2.."""


class Critic(Group):
    """Settings below `critic`."""

    adam: CriticAdam
    muon: CriticMuon
    freezing_steps: int = -1
    """`--freezing_actor_steps` ..0.10.1.post2; `--critic.freezing_steps` 0.10.2.."""
    lr_scheduler: str = "cosine_with_min_lr"
    """`--lr_scheduler` 0.8.5..0.10.1.post2; `--critic.lr_scheduler` 0.10.2.."""
    lr_warmup_ratio: float = 0.03
    """`--lr_warmup_ratio` 0.5.3..0.10.1.post2; `--critic.lr_warmup_ratio` 0.10.2.."""
    max_norm: float = 1.0
    """`--max_norm` ..0.10.1.post2; `--critic.max_norm` 0.10.2.."""
    min_lr_ratio: float = 0.1
    """`--critic.min_lr_ratio` 0.10.2.."""
    model_name_or_path: str | None = None
    """`--critic_pretrain` ..0.10.1.post2; `--critic.model_name_or_path` 0.10.2.."""
    num_gpus_per_node: int = 8
    """`--critic_num_gpus_per_node` ..0.10.1.post2; `--critic.num_gpus_per_node` 0.10.2.."""
    num_nodes: int = 1
    """`--critic_num_nodes` ..0.10.1.post2; `--critic.num_nodes` 0.10.2.."""
    optim: str = "adam"
    """`--critic.optim` 0.10.2.."""
    save_value_network: bool = False
    """`--save_value_network` ..0.10.1.post2; `--critic.save_value_network` 0.10.2.."""
    value_clip: float = 0.5
    """`--value_clip` ..0.10.1.post2; `--critic.value_clip` 0.10.2.."""


class Data(Group):
    """Settings below `data`."""

    apply_chat_template: bool = False
    """`--apply_chat_template` ..0.10.1.post2; `--data.apply_chat_template` 0.10.2.."""
    dataloader_num_workers: int = 0
    """`--dataloader_num_workers` 0.9.10..0.10.1.post2; `--data.dataloader_num_workers` 0.10.2.."""
    disable_fast_tokenizer: bool = False
    """`--disable_fast_tokenizer` ..0.10.1.post2; `--data.disable_fast_tokenizer` 0.10.2.."""
    image_key: str = "images"
    """`--image_key` 0.10.0..0.10.1.post2; `--data.image_key` 0.10.2.."""
    input_key: str = "input"
    """`--input_key` ..0.10.1.post2; `--data.input_key` 0.10.2.."""
    input_template: str | None = None
    """`--input_template` ..0.10.1.post2; `--data.input_template` 0.10.2.."""
    label_key: str | None = None
    """`--label_key` 0.6.0..0.10.1.post2; `--data.label_key` 0.10.2.."""
    max_images_per_prompt: int = 0
    """`--max_images_per_prompt` 0.10.0..0.10.1.post2; `--data.max_images_per_prompt` 0.10.2.."""
    max_len: int = 2048
    """`--max_len` 0.9.8..0.10.1.post2; `--data.max_len` 0.10.2.."""
    max_samples: int = 100000000
    """`--max_samples` ..0.10.1.post2; `--data.max_samples` 0.10.2.."""
    prompt_dataset: str | None = None
    """`--prompt_data` ..0.10.1.post2; `--data.prompt_dataset` 0.10.2.."""
    prompt_probs: str | None = None
    """`--prompt_data_probs` ..0.10.1.post2; `--data.prompt_probs` 0.10.2.."""
    prompt_split: str = "train"
    """`--prompt_split` ..0.6.4, 0.7.4..0.10.1.post2; `--data.prompt_split` 0.10.2.."""


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
    enable_sleep: bool = False
    """`--deepspeed_enable_sleep` 0.6.0.post1..0.10.1.post2; `--ds.enable_sleep` 0.10.2.."""
    experts_implementation: str | None = None
    """`--ds.experts_implementation` 0.10.2.."""
    grad_accum_dtype: str | None = None
    """`--grad_accum_dtype` ..0.10.1.post2; `--ds.grad_accum_dtype` 0.10.2.."""
    load_in_4bit: bool = False
    """`--load_in_4bit` ..0.10.1.post2; `--ds.load_in_4bit` 0.10.2.."""
    overlap_comm: bool = False
    """`--overlap_comm` 0.5.5..0.10.1.post2; `--ds.overlap_comm` 0.10.2.."""
    packing_samples: bool = False
    """`--packing_samples` 0.4.4..0.10.1.post2; `--ds.packing_samples` 0.10.2.."""
    param_dtype: str = "bf16"
    """`--param_dtype` 0.9.2..0.10.1.post2; `--ds.param_dtype` 0.10.2.."""
    ring_attn_head_stride: int = 1
    """`--ring_head_stride` 0.6.0..0.10.1.post2; `--ds.ring_attn_head_stride` 0.10.2.."""
    ring_attn_size: int = 1
    """`--ring_attn_size` 0.6.0..0.10.1.post2; `--ds.ring_attn_size` 0.10.2.."""
    tensor_parallel_size: int = 1
    """`--ds_tensor_parallel_size` 0.7.4..0.10.1.post2; `--ds.tensor_parallel_size` 0.10.2.."""
    use_liger_kernel: bool = False
    """`--use_liger_kernel` 0.6.2..0.10.1.post2; `--ds.use_liger_kernel` 0.10.2.."""
    use_universal_ckpt: bool = False
    """`--universal_ckpt` 0.6.3..0.6.3.post2; `--use_ds_universal_ckpt` 0.6.4..0.10.1.post2; `--ds.use_universal_ckpt`
    0.10.2.."""
    value_head_prefix: str = "score"
    """`--value_head_prefix` ..0.10.1.post2; `--ds.value_head_prefix` 0.10.2.."""
    zero_stage: int = 2
    """`--zero_stage` ..0.10.1.post2; `--ds.zero_stage` 0.10.2.."""
    zpg: int = 1
    """`--zpg` ..0.10.1.post2; `--ds.zpg` 0.10.2.."""


class Eval(Group):
    """Settings below `eval`."""

    dataset: str | None = None
    """`--eval_dataset` 0.7.0..0.10.1.post2; `--eval.dataset` 0.10.2.."""
    n_samples_per_prompt: int = 4
    """`--eval_n_samples_per_prompt` 0.7.0..0.10.1.post2; `--eval.n_samples_per_prompt` 0.10.2.."""
    split: str = "train"
    """`--eval_split` 0.7.4..0.10.1.post2; `--eval.split` 0.10.2.."""
    steps: int = -1
    """`--eval_steps` ..0.10.1.post2; `--eval.steps` 0.10.2.."""
    temperature: float = 0.6
    """`--eval_temperature` 0.7.0..0.10.1.post2; `--eval.temperature` 0.10.2.."""


class LoggerWandb(Group):
    """Settings below `wandb`."""

    group: str | None = None
    """`--wandb_group` ..0.10.1.post2; `--logger.wandb.group` 0.10.2.."""
    key: str | None = None
    """`--use_wandb` ..0.10.1.post2; `--logger.wandb.key` 0.10.2.."""
    org: str | None = None
    """`--wandb_org` ..0.10.1.post2; `--logger.wandb.org` 0.10.2.."""
    project: str = "openrlhf_train_ppo"
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


class Ref(Group):
    """Settings below `ref`."""

    num_gpus_per_node: int = 8
    """`--ref_num_gpus_per_node` ..0.10.1.post2; `--ref.num_gpus_per_node` 0.10.2.."""
    num_nodes: int = 1
    """`--ref_num_nodes` ..0.10.1.post2; `--ref.num_nodes` 0.10.2.."""
    offload: bool = False
    """`--ref_reward_offload` ..0.10.1.post2; `--ref.offload` 0.10.2.."""


class Reward(Group):
    """Settings below `reward`."""

    clip_range: list[float] = [-10.0, 10.0]
    """`--reward_clip_range` 0.4.6..0.10.1.post2; `--reward.clip_range` 0.10.2.."""
    model_name_or_path: str | None = None
    """`--reward_pretrain` ..0.10.1.post2; `--reward.model_name_or_path` 0.10.2.."""
    normalize_enable: bool = False
    """`--normalize_reward` ..0.10.1.post2; `--reward.normalize_enable` 0.10.2.."""
    num_gpus_per_node: int = 8
    """`--reward_num_gpus_per_node` ..0.10.1.post2; `--reward.num_gpus_per_node` 0.10.2.."""
    num_nodes: int = 1
    """`--reward_num_nodes` ..0.10.1.post2; `--reward.num_nodes` 0.10.2.."""
    offload: bool = False
    """`--ref_reward_offload` ..0.10.1.post2; `--reward.offload` 0.10.2.."""
    overlong_buffer_len: float | None = None
    """`--overlong_buffer_len` 0.8.7..0.10.1.post2; `--reward.overlong_buffer_len` 0.10.2.."""
    overlong_penalty_factor: float = 1
    """`--overlong_penalty_factor` 0.8.7..0.10.1.post2; `--reward.overlong_penalty_factor` 0.10.2.."""
    remote_url: str | None = None
    """`--remote_rm_url` 0.4.0.post2..0.10.1.post2; `--reward.remote_url` 0.10.2.."""
    stop_properly_penalty_coef: float | None = None
    """`--stop_properly_penalty_coef` 0.9.2..0.10.1.post2; `--reward.stop_properly_penalty_coef` 0.10.2.."""


class Rollout(Group):
    """Settings below `rollout`."""

    batch_size: int = 1024
    """`--rollout_batch_size` ..0.10.1.post2; `--rollout.batch_size` 0.10.2.."""
    max_new_tokens: int | None = None
    """`--max_new_tokens` 0.9.8..0.10.1.post2; `--rollout.max_new_tokens` 0.10.2.."""
    max_tokens_per_gpu: int | None = None
    """`--rollout_max_tokens_per_gpu` 0.8.6..0.10.1.post2; `--rollout.max_tokens_per_gpu` 0.10.2.."""
    micro_batch_size: int = 1
    """`--micro_rollout_batch_size` ..0.10.1.post2; `--rollout.micro_batch_size` 0.10.2.."""
    n_samples_per_prompt: int = 1
    """`--n_samples_per_prompt` ..0.10.1.post2; `--rollout.n_samples_per_prompt` 0.10.2.."""
    temperature: float = 1.0
    """`--temperature` 0.4.6..0.10.1.post2; `--rollout.temperature` 0.10.2.."""
    top_p: float = 1.0
    """`--top_p` ..0.10.1.post2; `--rollout.top_p` 0.10.2.."""
    vllm_generate_batch_size: int | None = None
    """`--vllm_generate_batch_size` 0.8.1..0.10.1.post2; `--rollout.vllm_generate_batch_size` 0.10.2.."""


class Train(Group):
    """Settings below `train`."""

    agent_func_path: str | None = None
    """`--agent_func_path` 0.8.0..0.10.1.post2; `--train.agent_func_path` 0.10.2.."""
    async_enable: bool = False
    """`--async_train` 0.8.0..0.10.1.post2; `--train.async_enable` 0.10.2.."""
    async_queue_size: int = 1
    """`--async_queue_size` 0.9.1..0.10.1.post2; `--train.async_queue_size` 0.10.2.."""
    batch_size: int = 128
    """`--train_batch_size` ..0.10.1.post2; `--train.batch_size` 0.10.2.."""
    colocate_actor_ref: bool = False
    """`--colocate_actor_ref` ..0.10.1.post2; `--train.colocate_actor_ref` 0.10.2.."""
    colocate_all: bool = False
    """`--colocate_all_models` 0.5.8..0.10.1.post2; `--train.colocate_all` 0.10.2.."""
    colocate_critic_reward: bool = False
    """`--colocate_critic_reward` ..0.10.1.post2; `--train.colocate_critic_reward` 0.10.2.."""
    dynamic_batch_enable: bool = False
    """`--use_dynamic_batch` 0.8.6..0.10.1.post2; `--train.dynamic_batch_enable` 0.10.2.."""
    ema_beta: float = 0.992
    """`--ema_beta` 0.7.1..0.10.1.post2; `--train.ema_beta` 0.10.2.."""
    enable_ema: bool = False
    """`--enable_ema` ..0.10.1.post2; `--train.enable_ema` 0.10.2.."""
    full_determinism_enable: bool = False
    """`--full_determinism` 0.6.2..0.10.1.post2; `--train.full_determinism_enable` 0.10.2.."""
    max_epochs: int = 1
    """`--max_epochs` ..0.10.1.post2; `--train.max_epochs` 0.10.2.."""
    max_tokens_per_gpu: int = 16192
    """`--train_max_tokens_per_gpu` 0.8.6..0.10.1.post2; `--train.max_tokens_per_gpu` 0.10.2.."""
    micro_batch_size: int = 1
    """`--micro_train_batch_size` ..0.10.1.post2; `--train.micro_batch_size` 0.10.2.."""
    num_episodes: int = 1
    """`--num_episodes` ..0.10.1.post2; `--train.num_episodes` 0.10.2.."""
    partial_rollout_enable: bool = False
    """`--partial_rollout` 0.9.7..0.10.1.post2; `--train.partial_rollout_enable` 0.10.2.."""
    seed: int = 42
    """`--seed` ..0.10.1.post2; `--train.seed` 0.10.2.."""


class Vllm(Group):
    """Settings below `vllm`."""

    enable_prefix_caching: bool = False
    """`--enable_prefix_caching` ..0.10.1.post2; `--vllm.enable_prefix_caching` 0.10.2.."""
    enable_sleep: bool = False
    """`--vllm_enable_sleep` 0.5.8..0.10.1.post2; `--vllm.enable_sleep` 0.10.2.."""
    enforce_eager: bool = False
    """`--enforce_eager` 0.4.4..0.10.1.post2; `--vllm.enforce_eager` 0.10.2.."""
    gpu_memory_utilization: float = 0.95
    """`--vllm_gpu_memory_utilization` 0.5.8..0.10.1.post2; `--vllm.gpu_memory_utilization` 0.10.2.."""
    num_engines: int | None = None
    """`--vllm_num_engines` ..0.10.1.post2; `--vllm.num_engines` 0.10.2.."""
    sync_backend: str = "nccl"
    """`--vllm_sync_backend` ..0.10.1.post2; `--vllm.sync_backend` 0.10.2.."""
    sync_with_ray: bool = False
    """`--vllm_sync_with_ray` 0.5.7..0.10.1.post2; `--vllm.sync_with_ray` 0.10.2.."""
    tensor_parallel_size: int = 1
    """`--vllm_tensor_parallel_size` ..0.10.1.post2; `--vllm.tensor_parallel_size` 0.10.2.."""


class TrainPPORay(ProgramModel):
    """The settings of `train_ppo_ray`."""

    program: ClassVar[str] = "openrlhf:train_ppo_ray"

    actor: Actor
    algo: Algo
    ckpt: Ckpt
    critic: Critic
    data: Data
    ds: Ds
    eval: Eval
    logger: Logger
    ref: Ref
    reward: Reward
    rollout: Rollout
    train: Train
    vllm: Vllm
    actor_init_on_gpu: bool = False
    """`--actor_init_on_gpu` ..0.10.1.post2"""
    bf16: bool = False
    """`--bf16` ..0.9.1.post1"""
    disable_trace_cache: bool = False
    """`--disable_trace_cache` ..0.5.4"""
    flash_attn: bool = False
    """`--flash_attn` ..0.8.9.post1"""
    generate_max_len: int = 1024
    """`--generate_max_len` ..0.9.7"""
    local_rank: int = -1
    """`--local_rank` """
    max_len: int | None = None
    """`--max_len` ..0.9.7"""
    perf: bool = False
    """`--perf` ..0.10.1.post2"""
    pretrain_data: str | None = None
    """`--pretrain_data` ..0.7.0.post1"""
    pretrain_data_probs: str | None = None
    """`--pretrain_data_probs` ..0.7.0.post1"""
    pretrain_split: str = "train"
    """`--pretrain_split` ..0.7.0.post1"""
    prompt_max_len: int = 1024
    """`--prompt_max_len` ..0.9.7"""
    ptx_coef: float = 0.05
    """`--ptx_coef` ..0.10.1.post2"""
    use_icepop: bool = False
    """`--use_icepop` 0.9.1..0.9.2"""
    use_kl_estimator_k3: bool = False
    """`--use_kl_estimator_k3` 0.4.6..0.6.0"""
    use_ms: bool = False
    """`--use_ms` 0.5.9.post1.."""
    vllm_is_truncated_threshold: float = 2
    """`--vllm_is_truncated_threshold` 0.8.9..0.9.0"""
