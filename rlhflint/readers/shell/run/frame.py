"""What is being gone through: loops, functions, sourced files and shells, one inside the other."""

from __future__ import annotations

from dataclasses import field

from rlhflint.readers.shell.state import State
from rlhflint.records import dataclass


@dataclass(slots=True)
class Frame:
    """A loop, a function, a sourced file or a shell that is being gone through, with the states that left it early."""

    kind: str
    ended: list[State] = field(default_factory=list)
    """Left by `break` or `return`."""
    continued: list[State] = field(default_factory=list)
    exits: list[object] = field(default_factory=list)
    """The statuses with which a shell was left early."""
    local: set[str] = field(default_factory=set)
