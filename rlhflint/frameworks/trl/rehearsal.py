"""A launch made small: two optimizer steps, with the batches as they are, since memory depends on them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rlhflint.frameworks.trl.proposals import put

if TYPE_CHECKING:
    from rlhflint.model import ProgramModel
    from rlhflint.proposal import Change

STEPS = {"max_steps": 2, "logging_steps": 1}


def rehearsals(model: ProgramModel) -> Iterator[tuple[Change, ...]]:
    """Changes that make a launch a trial of itself; none for what is no training, or has no place for them."""
    if "max_steps" not in type(model).model_fields:
        return
    proposals = [put(model, name, value) for name, value in STEPS.items()]
    if proposals[0] is not None:
        yield tuple(change for one in proposals if one is not None for change in one.changes)
