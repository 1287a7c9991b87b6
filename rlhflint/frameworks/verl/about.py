"""verl as shared code knows it before a launch is read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rlhflint.registry import About

if TYPE_CHECKING:
    from rlhflint.project.kinds import FileKind


def _suspected(data: bytes, kind: FileKind, path: str) -> bool:
    return b"verl.trainer.main_ppo" in data or b"verl/trainer/main_ppo" in data


ABOUT = About("verl", "verl", "VL", _suspected, r"\bverl\b", ("trainer", "workers"), ("main_ppo",), experimental=True)
