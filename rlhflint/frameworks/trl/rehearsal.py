"""A launch made small: two optimizer steps, with the batches as they are, since memory depends on them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rlhflint.frameworks.trl.proposals import put
from rlhflint.mapping import Entry
from rlhflint.proposal import Add, SetValue

if TYPE_CHECKING:
    from rlhflint.launch import Setting
    from rlhflint.model import ProgramModel
    from rlhflint.proposal import Change

STEPS = {"max_steps": 2, "logging_steps": 1}


def rehearsals(model: ProgramModel) -> Iterator[tuple[Change, ...]]:
    """Changes that make a launch a trial of itself; none for what is no training, or has no place for them."""
    if "max_steps" not in type(model).model_fields:
        return
    key = _last_key(model)
    changes = [
        _in_file(model, name, value, key) if key else _anywhere(model, name, value) for name, value in STEPS.items()
    ]
    if all(changes):
        yield tuple(change for some in changes for change in some)


def _anywhere(model: ProgramModel, name: str, value: int) -> tuple[Change, ...]:
    proposal = put(model, name, value)
    return proposal.changes if proposal is not None else ()


def _in_file(model: ProgramModel, name: str, value: int, key: Setting) -> tuple[Change, ...]:
    """The change of a configuration file; what is not given is written behind a key of it."""
    given = model.session.setting(name)
    return (Add(name, value, key) if given is None else SetValue(given, value),)


def _last_key(model: ProgramModel) -> Setting | None:
    """The last key of the configuration file that is looked at; None where what is looked at is none."""
    session = model.session
    if not session.site.path.endswith((".yaml", ".yml")):
        return None
    keys = (one for one in reversed(session.launch.settings) if isinstance(one.origin, Entry))
    return next((one for one in keys if session.site.path.endswith(one.name_span.path)), None)
