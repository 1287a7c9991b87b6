"""TRL as shared code knows it before a launch is read."""

from __future__ import annotations

from rlhflint.frameworks.trl.suspicion import suspected
from rlhflint.registry import About

ABOUT = About("trl", "TRL", "TR", suspected, r"\btrl\b", ("trainer",), commands=("trl",))
