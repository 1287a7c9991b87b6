"""One launch as the rules judged it."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING

from rlhflint.records import dataclass

if TYPE_CHECKING:
    from rlhflint.launch import Launch


@dataclass(frozen=True, slots=True)
class Undecided:
    """A check that could not be decided on a launch, and the fact that was missing."""

    code: str
    what: str
    because: str


@dataclass(frozen=True, slots=True)
class Judged:
    """One launch as it was judged: for `show`, and for what is built on launches."""

    launch: Launch
    undecided: tuple[Undecided, ...] = ()
    ways: int = 1
    """How many ways through the script lead to it."""
    every: tuple[Launch, ...] = field(default=(), compare=False, repr=False)
    """The launch as it is on each of them."""
