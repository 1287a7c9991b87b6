"""The settings of `trl:ppo`. Made by `tools/generate_trl_models.py`."""

from __future__ import annotations

from typing import Any, ClassVar

from rlhflint.frameworks.trl.models.shared import TrainerModel


class PPOModel(TrainerModel):
    """The settings of `trl:ppo`."""

    program: ClassVar[str] = "trl:ppo"

    learning_rate: float = 3e-06
    world_size: Any = None
    num_updates: int | None = None
    micro_batch_size: int | None = None
    local_batch_size: int | None = None
    batch_size: int | None = None
    local_mini_batch_size: int | None = None
    mini_batch_size: int | None = None
    exp_name: str | None = None
    sanity_check: bool = False
    num_mini_batches: int = 1
    total_episodes: int | None = None
    local_rollout_forward_batch_size: int = 64
    num_sample_generations: int = 10
    base_model: str = "EleutherAI/pythia-160m"
    response_length: int = 53
    stop_token: str | None = None
    stop_token_id: int | None = None
    temperature: float = 0.7
    penalty_reward_value: int = -1
    non_eos_penalty: bool = False
    reward_model_path: str = "EleutherAI/pythia-160m"
    sft_model_path: str = "EleutherAI/pythia-160m"
    num_ppo_epochs: int = 4
    vf_coef: float = 0.1
    cliprange: float = 0.2
    cliprange_value: float = 0.2
    gamma: float = 1.0
    lam: float = 0.95
    whiten_rewards: bool = False
    kl_coef: float = 0.05
    dataset_num_proc: int | None = None
    num_total_batches: int | None = None
    missing_eos_penalty: float | None = None
    log_with: str | None = None
    task_name: str | None = None
    model_name: str | None = "gpt2"
    query_dataset: str | None = "stanfordnlp/imdb"
    reward_model: str | None = "sentiment-analysis:lvwerra/distilbert-imdb"
    tracker_kwargs: Any = {}
    accelerator_kwargs: Any = {}
    project_kwargs: Any = {}
    tracker_project_name: str = "trl"
    push_to_hub_if_best_kwargs: Any = {}
    steps: int = 20000
    adap_kl_ctrl: bool = True
    init_kl_coef: float | None = 0.2
    kl_penalty: str = "kl"
    target: float | None = 6.0
    horizon: float | None = 10000.0
    forward_batch_size: int | None = None
    optimize_cuda_cache: bool | None = None
    optimize_device_cache: bool | None = False
    early_stopping: bool = False
    target_kl: float = 1.0
    compare_steps: int = 1
    ratio_threshold: float = 10.0
    use_score_scaling: bool = False
    use_score_norm: bool = False
    score_clip: float | None = None
    is_encoder_decoder: Any = None
    is_peft_model: Any = None
    backward_batch_size: Any = None
    global_backward_batch_size: Any = None
    global_batch_size: Any = None
    model_adapter_name: str | None = None
    ref_adapter_name: str | None = None
    ds3_gather_for_generation: bool = True
    kl_estimator: str = "k1"
    ref_model: Any = None
    dataset: Any = None
    optimizer: Any = None
    num_shared_layers: Any = None
    lr_scheduler: Any = None
    training_data_collator: Any = None
    value_model: Any = None
    policy: Any = None
    ref_policy: Any = None
