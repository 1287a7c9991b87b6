"""TRL as shared code knows it before a launch is read."""

from __future__ import annotations

from rlhflint.frameworks.trl.suspicion import suspected
from rlhflint.registry import About

ABOUT = About(
    "trl",
    "TRL",
    "TR",
    suspected,
    r"\btrl\b",
    ("trainer",),
    commands=("trl",),
    asked=(
        "the output of `trl env` on the machine of the run, and what it does not print: the release of flash-attn",
        "the number and type of GPUs, and the accelerate configuration of this launch",
        "whether it happens with the launch of `rlhflint explain --dry-run`",
    ),
)
