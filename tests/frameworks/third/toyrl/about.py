"""toyrl as shared code knows it before a launch is read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rlhflint.registry import About

if TYPE_CHECKING:
    from rlhflint.project.kinds import FileKind


def _suspected(data: bytes, kind: FileKind, path: str) -> bool:
    return b"toyrl.train" in data


ABOUT = About("toyrl", "toyrl", "TY", _suspected, r"\btoyrl\b", ("trainers",), ("train",))
