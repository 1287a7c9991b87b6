"""The settings of `trl:async_grpo`. Made by `tools/generate_trl_models.py`."""

from __future__ import annotations

from typing import Any, ClassVar

from rlhflint.frameworks.trl.models.shared import TrainerModel


class AsyncGRPOModel(TrainerModel):
    """The settings of `trl:async_grpo`."""

    program: ClassVar[str] = "trl:async_grpo"

    learning_rate: float = 1e-06
    lr_scheduler_type: str = "constant"
    logging_steps: float = 1
    ignore_data_skip: bool = True
    num_generations: int = 8
    max_completion_length: int = 2048
    temperature: float = 1.0
    chat_template_kwargs: Any = None
    max_tool_calling_iterations: int | None = None
    vllm_server_base_url: str = "http://localhost:8000"
    vllm_server_timeout: float = 240.0
    request_timeout: int = 600
    epsilon: float = 0.2
    epsilon_high: float | None = None
    max_inflight_tasks: int = -1
    max_staleness: int = 4
    queue_maxsize: int = 1024
    weight_sync_steps: int = 1
    log_completions: bool = False
    num_completions_to_print: int | None = None
    heartbeat_stale_after_s: float = 300.0
    model_init_kwargs: Any = None
    router_aux_loss_coef: float | None = None
    token_budget: int | None = None
    fork_threshold_tokens: int = 1024
    top_p: float = 1.0
    top_k: int = 0
    min_p: float | None = None
    repetition_penalty: float = 1.0
    weight_sync_timeout: int = 1800
    reward_funcs: Any = None
    tools: Any = None
    environment_factory: Any = None
    rollout_worker: Any = None
    weight_transfer: Any = None
