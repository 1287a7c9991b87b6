"""The settings of `trl:ddpo`. Made by `tools/generate_trl_models.py`."""

from __future__ import annotations

from typing import ClassVar

from pydantic import Field

from rlhflint.frameworks.trl.models.shared import TrainerModel
from rlhflint.model import Anything, ArgFloat, ArgInt, ArgStr, OptStr, Switch


class DDPOModel(TrainerModel):
    """The settings of `trl:ddpo`."""

    program: ClassVar[str] = "trl:ddpo"

    exp_name: OptStr = None
    run_name: OptStr = ""
    seed: ArgInt = 0
    log_with: OptStr = None
    tracker_kwargs: Anything = Field(default_factory=dict)
    accelerator_kwargs: Anything = Field(default_factory=dict)
    project_kwargs: Anything = Field(default_factory=dict)
    tracker_project_name: ArgStr = "trl"
    logdir: ArgStr = "logs"
    num_epochs: ArgInt = 100
    save_freq: ArgInt = 1
    num_checkpoint_limit: ArgInt = 5
    mixed_precision: ArgStr = "fp16"
    allow_tf32: Switch = True
    resume_from: OptStr = ""
    sample_num_steps: ArgInt = 50
    sample_eta: ArgFloat = 1.0
    sample_guidance_scale: ArgFloat = 5.0
    sample_batch_size: ArgInt = 1
    sample_num_batches_per_epoch: ArgInt = 2
    train_batch_size: ArgInt = 1
    train_use_8bit_adam: Switch = False
    train_learning_rate: ArgFloat = 0.0003
    train_adam_beta1: ArgFloat = 0.9
    train_adam_beta2: ArgFloat = 0.999
    train_adam_weight_decay: ArgFloat = 0.0001
    train_adam_epsilon: ArgFloat = 1e-08
    train_gradient_accumulation_steps: ArgInt = 1
    train_max_grad_norm: ArgFloat = 1.0
    train_num_inner_epochs: ArgInt = 1
    train_cfg: Switch = True
    train_adv_clip_max: ArgFloat = 5.0
    train_clip_range: ArgFloat = 0.0001
    train_timestep_fraction: ArgFloat = 1.0
    per_prompt_stat_tracking: Switch = False
    per_prompt_stat_tracking_buffer_size: ArgInt = 16
    per_prompt_stat_tracking_min_count: ArgInt = 16
    async_reward_computation: Switch = False
    max_workers: ArgInt = 2
    negative_prompts: OptStr = ""
    reward_function: Anything = None
    prompt_function: Anything = None
    sd_pipeline: Anything = None
    image_samples_hook: Anything = None
