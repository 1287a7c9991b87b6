"""The settings of `trl:ddpo`. Made by `tools/generate_trl_models.py`."""

from __future__ import annotations

from typing import Any, ClassVar

from rlhflint.frameworks.trl.models.shared import TrainerModel


class DDPOModel(TrainerModel):
    """The settings of `trl:ddpo`."""

    program: ClassVar[str] = "trl:ddpo"

    exp_name: str | None = None
    run_name: str | None = ""
    seed: int = 0
    log_with: str | None = None
    tracker_kwargs: Any = {}
    accelerator_kwargs: Any = {}
    project_kwargs: Any = {}
    tracker_project_name: str = "trl"
    logdir: str = "logs"
    num_epochs: int = 100
    save_freq: int = 1
    num_checkpoint_limit: int = 5
    mixed_precision: str = "fp16"
    allow_tf32: bool = True
    resume_from: str | None = ""
    sample_num_steps: int = 50
    sample_eta: float = 1.0
    sample_guidance_scale: float = 5.0
    sample_batch_size: int = 1
    sample_num_batches_per_epoch: int = 2
    train_batch_size: int = 1
    train_use_8bit_adam: bool = False
    train_learning_rate: float = 0.0003
    train_adam_beta1: float = 0.9
    train_adam_beta2: float = 0.999
    train_adam_weight_decay: float = 0.0001
    train_adam_epsilon: float = 1e-08
    train_gradient_accumulation_steps: int = 1
    train_max_grad_norm: float = 1.0
    train_num_inner_epochs: int = 1
    train_cfg: bool = True
    train_adv_clip_max: float = 5.0
    train_clip_range: float = 0.0001
    train_timestep_fraction: float = 1.0
    per_prompt_stat_tracking: bool = False
    per_prompt_stat_tracking_buffer_size: int = 16
    per_prompt_stat_tracking_min_count: int = 16
    async_reward_computation: bool = False
    max_workers: int = 2
    negative_prompts: str | None = ""
    reward_function: Any = None
    prompt_function: Any = None
    sd_pipeline: Any = None
    image_samples_hook: Any = None
