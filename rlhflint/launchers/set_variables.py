"""Where a launch's environment variables are set."""

from __future__ import annotations

from rlhflint.launchers.environment import environment_of
from rlhflint.model import ProgramModel
from rlhflint.text import Span


def place_of(launch: ProgramModel, name: str) -> Span | None:
    """Where a variable is set, if the script sets it."""
    session = launch.session
    if session.start is None or session.launch.command is None:
        return None
    variables = environment_of(session.start, session.launch.command, session.launch.script).variables
    return variables[name].value.span if name in variables else None
