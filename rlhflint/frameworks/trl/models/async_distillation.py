"""The settings of `trl:async_distillation`. Made by `tools/generate_trl_models.py`."""

from __future__ import annotations

from typing import Any, ClassVar

from rlhflint.frameworks.trl.models.shared import TrainerModel


class AsyncDistillationModel(TrainerModel):
    """The settings of `trl:async_distillation`."""

    program: ClassVar[str] = "trl:async_distillation"

    learning_rate: float = 1e-06
    logging_steps: float = 1
    ignore_data_skip: bool = True
    model_init_kwargs: Any = None
    max_completion_length: int = 2048
    temperature: float = 1.0
    top_p: float = 1.0
    top_k: int = 0
    min_p: float | None = None
    repetition_penalty: float = 1.0
    chat_template_kwargs: Any = None
    vllm_server_base_url: str = "http://localhost:8000"
    vllm_server_timeout: float = 240.0
    teacher_server_urls: Any = None
    request_timeout: int = 600
    beta: float = 0.0
    teacher_temperature: float = 1.0
    teacher_top_k: int = 8
    add_tail_bucket: bool = True
    token_budget: int | None = None
    max_inflight_tasks: int = -1
    max_staleness: int = 4
    queue_maxsize: int = 1024
    weight_sync_steps: int = 1
    heartbeat_stale_after_s: float = 300.0
    log_completions: bool = False
    log_completions_steps: int = 100
    num_completions_to_print: int | None = None
    weight_sync_timeout: int = 1800
    rollout_worker: Any = None
    weight_transfer: Any = None
