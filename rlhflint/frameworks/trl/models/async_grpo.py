"""The settings of `trl:async_grpo`. Made by `tools/generate_trl_models.py`."""

from __future__ import annotations

from typing import ClassVar

from rlhflint.frameworks.trl.models.shared import TrainerModel
from rlhflint.model import Anything, ArgFloat, ArgInt, ArgStr, OptFloat, OptInt, Switch


class AsyncGRPOModel(TrainerModel):
    """The settings of `trl:async_grpo`."""

    program: ClassVar[str] = "trl:async_grpo"

    learning_rate: ArgFloat = 1e-06
    lr_scheduler_type: ArgStr = "constant"
    logging_steps: ArgFloat = 1
    ignore_data_skip: Switch = True
    num_generations: ArgInt = 8
    max_completion_length: ArgInt = 2048
    temperature: ArgFloat = 1.0
    chat_template_kwargs: Anything = None
    max_tool_calling_iterations: OptInt = None
    vllm_server_base_url: ArgStr = "http://localhost:8000"
    vllm_server_timeout: ArgFloat = 240.0
    request_timeout: ArgInt = 600
    epsilon: ArgFloat = 0.2
    epsilon_high: OptFloat = None
    max_inflight_tasks: ArgInt = -1
    max_staleness: ArgInt = 4
    queue_maxsize: ArgInt = 1024
    weight_sync_steps: ArgInt = 1
    log_completions: Switch = False
    num_completions_to_print: OptInt = None
    heartbeat_stale_after_s: ArgFloat = 300.0
    model_init_kwargs: Anything = None
    router_aux_loss_coef: OptFloat = None
    token_budget: OptInt = None
    fork_threshold_tokens: ArgInt = 1024
    top_p: ArgFloat = 1.0
    top_k: ArgInt = 0
    min_p: OptFloat = None
    repetition_penalty: ArgFloat = 1.0
    weight_sync_timeout: ArgInt = 1800
    reward_funcs: Anything = None
    tools: Anything = None
    environment_factory: Anything = None
    rollout_worker: Anything = None
    weight_transfer: Anything = None
