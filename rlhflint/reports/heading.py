"""The line that a launch begins with where people read of it: its place, its program and the release in force."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rlhflint.reports.printable import printable

if TYPE_CHECKING:
    from rlhflint.launch import Launch


def heading(launch: Launch, line: int) -> str:
    """`train.sh:3  openrlhf:train_sft  openrlhf 0.9.3 (from requirements.txt line 1)`."""
    start = f"{printable(launch.path)}:{line}  {launch.program}"
    version = launch.versions.get(launch.program.partition(":")[0])
    if version is None:
        return start
    assumed = "" if version.stated else ", assumed"
    return f"{start}  {version.name} {version.value} (from {printable(version.source)}{assumed})"
