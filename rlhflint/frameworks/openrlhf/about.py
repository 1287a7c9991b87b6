"""OpenRLHF as shared code knows it before a launch is read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rlhflint.registry import About

if TYPE_CHECKING:
    from rlhflint.project.kinds import FileKind


def _suspected(data: bytes, kind: FileKind, path: str) -> bool:
    return b"openrlhf" in data


_PROGRAMS = (
    "batch_inference", "interactive_chat", "lora_combiner", "serve_rm", "train_dpo", "train_kd",
    "train_kto", "train_ppo", "train_ppo_ray", "train_prm", "train_rm", "train_sft",
)  # fmt: skip

ABOUT = About(
    "openrlhf",
    "OpenRLHF",
    "OR",
    _suspected,
    "openrlhf",
    ("cli", "trainer"),
    _PROGRAMS,
    asked=(
        "the commit, where it is no release, and the number and type of GPUs",
        "releases of torch, vllm, deepspeed, ray, transformers, flash-attn, ring-flash-attn, peft, accelerate, liger",
        "whether it happens in the image of the release, and with the launch of `rlhflint explain --dry-run`",
        "the standard error of the actor that died (`ray logs actor --id ID`) as text, not as a picture",
        "for hangs the log with NCCL_DEBUG=INFO (OpenRLHF 0.7.5 to 0.9.9 sets WARN whatever is exported)",
    ),
)
