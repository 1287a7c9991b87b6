"""TRL as shared code knows it before a launch is read."""

from __future__ import annotations

from rlhflint.frameworks.trl.suspicion import suspected
from rlhflint.registry import About

_PROGRAMS = (
    "sft", "dpo", "grpo", "rloo", "kto", "reward", "ppo", "online_dpo", "orpo", "cpo", "bco", "gkd", "prm",
    "nash_md", "xpo", "distillation", "gold", "minillm", "a2po", "alignprop", "async_distillation",
    "async_grpo", "ddpo", "dppo", "gfpo", "gmpo", "grpo_with_replay_buffer", "iterative_sft", "iw_opd",
    "papo", "sdft", "sdpo", "server_distillation", "ssd", "tpo", "vllm_serve",
)  # fmt: skip

ABOUT = About(
    "trl",
    "TRL",
    "TR",
    suspected,
    r"\btrl\b",
    ("trainer",),
    _PROGRAMS,
    commands=("trl",),
    asked=(
        "the output of `trl env` on the machine of the run, and what it does not print: the release of flash-attn",
        "the number and type of GPUs, and the accelerate configuration of this launch",
        "whether it happens with the launch of `rlhflint explain --dry-run`",
    ),
)
