"""The settings of `trl:alignprop`. Made by `tools/generate_trl_models.py`."""

from __future__ import annotations

from typing import Any, ClassVar

from rlhflint.frameworks.trl.models.shared import TrainerModel


class AlignPropModel(TrainerModel):
    """The settings of `trl:alignprop`."""

    program: ClassVar[str] = "trl:alignprop"

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
    train_batch_size: int = 1
    train_use_8bit_adam: bool = False
    train_learning_rate: float = 0.001
    train_adam_beta1: float = 0.9
    train_adam_beta2: float = 0.999
    train_adam_weight_decay: float = 0.0001
    train_adam_epsilon: float = 1e-08
    train_gradient_accumulation_steps: int = 1
    train_max_grad_norm: float = 1.0
    negative_prompts: str | None = None
    truncated_backprop_rand: bool = True
    truncated_backprop_timestep: int = 49
    truncated_rand_backprop_minmax: Any = [0, 50]
    log_image_freq: int = 1
    reward_function: Any = None
    prompt_function: Any = None
    sd_pipeline: Any = None
    image_samples_hook: Any = None
