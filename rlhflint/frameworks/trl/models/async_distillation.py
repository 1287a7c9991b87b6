"""The settings of `trl:async_distillation`. Made by `tools/generate_trl_models.py`."""

from __future__ import annotations

from typing import ClassVar

from rlhflint.frameworks.trl.models.shared import TrainerModel
from rlhflint.model import Anything, ArgFloat, ArgInt, ArgStr, OptFloat, OptInt, Switch


class AsyncDistillationModel(TrainerModel):
    """The settings of `trl:async_distillation`."""

    program: ClassVar[str] = "trl:async_distillation"

    learning_rate: ArgFloat = 1e-06
    logging_steps: ArgFloat = 1
    ignore_data_skip: Switch = True
    model_init_kwargs: Anything = None
    max_completion_length: ArgInt = 2048
    temperature: ArgFloat = 1.0
    top_p: ArgFloat = 1.0
    top_k: ArgInt = 0
    min_p: OptFloat = None
    repetition_penalty: ArgFloat = 1.0
    chat_template_kwargs: Anything = None
    vllm_server_base_url: ArgStr = "http://localhost:8000"
    vllm_server_timeout: ArgFloat = 240.0
    teacher_server_urls: Anything = None
    request_timeout: ArgInt = 600
    beta: ArgFloat = 0.0
    teacher_temperature: ArgFloat = 1.0
    teacher_top_k: ArgInt = 8
    add_tail_bucket: Switch = True
    token_budget: OptInt = None
    max_inflight_tasks: ArgInt = -1
    max_staleness: ArgInt = 4
    queue_maxsize: ArgInt = 1024
    weight_sync_steps: ArgInt = 1
    heartbeat_stale_after_s: ArgFloat = 300.0
    log_completions: Switch = False
    log_completions_steps: ArgInt = 100
    num_completions_to_print: OptInt = None
    weight_sync_timeout: ArgInt = 1800
    rollout_worker: Anything = None
    weight_transfer: Anything = None
