"""The settings of `trl:ppo`. Made by `tools/generate_trl_models.py`."""

from __future__ import annotations

from typing import Annotated, ClassVar

from pydantic import Field

from rlhflint.frameworks.trl.models.shared import TrainerModel
from rlhflint.model import Anything, ArgFloat, ArgInt, ArgStr, Convert, OptFloat, OptInt, OptStr, Switch


class PPOModel(TrainerModel):
    """The settings of `trl:ppo`."""

    program: ClassVar[str] = "trl:ppo"

    learning_rate: ArgFloat = 3e-06
    world_size: Anything = None
    num_updates: OptInt = None
    micro_batch_size: OptInt = None
    local_batch_size: OptInt = None
    batch_size: OptInt = None
    local_mini_batch_size: OptInt = None
    mini_batch_size: OptInt = None
    exp_name: OptStr = None
    sanity_check: Switch = False
    num_mini_batches: ArgInt = 1
    total_episodes: OptInt = None
    local_rollout_forward_batch_size: ArgInt = 64
    num_sample_generations: ArgInt = 10
    base_model: ArgStr = "EleutherAI/pythia-160m"
    response_length: ArgInt = 53
    stop_token: OptStr = None
    stop_token_id: OptInt = None
    temperature: ArgFloat = 0.7
    penalty_reward_value: ArgInt = -1
    non_eos_penalty: Switch = False
    reward_model_path: ArgStr = "EleutherAI/pythia-160m"
    sft_model_path: ArgStr = "EleutherAI/pythia-160m"
    num_ppo_epochs: ArgInt = 4
    vf_coef: ArgFloat = 0.1
    cliprange: ArgFloat = 0.2
    cliprange_value: ArgFloat = 0.2
    gamma: ArgFloat = 1.0
    lam: ArgFloat = 0.95
    whiten_rewards: Switch = False
    kl_coef: ArgFloat = 0.05
    dataset_num_proc: OptInt = None
    num_total_batches: OptInt = None
    missing_eos_penalty: OptFloat = None
    log_with: OptStr = None
    task_name: OptStr = None
    model_name: OptStr = "gpt2"
    query_dataset: OptStr = "stanfordnlp/imdb"
    reward_model: OptStr = "sentiment-analysis:lvwerra/distilbert-imdb"
    tracker_kwargs: Anything = Field(default_factory=dict)
    accelerator_kwargs: Anything = Field(default_factory=dict)
    project_kwargs: Anything = Field(default_factory=dict)
    tracker_project_name: ArgStr = "trl"
    push_to_hub_if_best_kwargs: Anything = Field(default_factory=dict)
    steps: ArgInt = 20000
    adap_kl_ctrl: Switch = True
    init_kl_coef: OptFloat = 0.2
    kl_penalty: ArgStr = "kl"
    target: OptFloat = 6.0
    horizon: OptFloat = 10000.0
    forward_batch_size: OptInt = None
    optimize_cuda_cache: Annotated[bool | None, Convert] = None
    optimize_device_cache: Annotated[bool | None, Convert] = False
    early_stopping: Switch = False
    target_kl: ArgFloat = 1.0
    compare_steps: ArgInt = 1
    ratio_threshold: ArgFloat = 10.0
    use_score_scaling: Switch = False
    use_score_norm: Switch = False
    score_clip: OptFloat = None
    is_encoder_decoder: Anything = None
    is_peft_model: Anything = None
    backward_batch_size: Anything = None
    global_backward_batch_size: Anything = None
    global_batch_size: Anything = None
    model_adapter_name: OptStr = None
    ref_adapter_name: OptStr = None
    ds3_gather_for_generation: Switch = True
    kl_estimator: ArgStr = "k1"
    ref_model: Anything = None
    dataset: Anything = None
    optimizer: Anything = None
    num_shared_layers: Anything = None
    lr_scheduler: Anything = None
    training_data_collator: Anything = None
    value_model: Anything = None
    policy: Anything = None
    ref_policy: Anything = None
