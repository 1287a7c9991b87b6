"""Where a launch's environment variables are set, and how they are taken out."""

from __future__ import annotations

import re

from rlhflint.launchers.environment import environment_of
from rlhflint.model import ProgramModel
from rlhflint.proposal import Proposal, Rewrite
from rlhflint.severity import Applicability
from rlhflint.text import Span


def place_of(launch: ProgramModel, name: str) -> Span | None:
    """Where a variable is set, if the script sets it, whether or not it reaches the program."""
    session = launch.session
    if session.start is None or session.launch.command is None:
        return None
    environment = environment_of(session.start, session.launch.command, session.launch.script)
    if name in environment.variables:
        return environment.variables[name].value.span
    return environment.lost[name].variable.value.span if name in environment.lost else None


def is_set(launch: ProgramModel, name: str) -> bool:
    """Whether a variable is set for the program or around it, whether or not it reaches the program."""
    return name in launch.session.launch.environment or place_of(launch, name) is not None


def taken_out(launch: ProgramModel, name: str) -> tuple[Rewrite, ...]:
    """The change that takes out the line that exports a variable; none where more stands on that line."""
    place = place_of(launch, name)
    text = launch.session.site.files.text(place.path) if place is not None else None
    if place is None or text is None:
        return ()
    start = text.rfind("\n", 0, place.start) + 1
    end = text.find("\n", place.end) + 1 or len(text)
    value = re.escape(text[place.start : place.end])
    if not re.fullmatch(rf"[ \t]*export[ \t]+{name}=([\"']?){value}\1[ \t]*;?[ \t]*\r?\n?", text[start:end]):
        return ()
    return (Rewrite(Span(place.path, start, end), ""),)


def removal(launch: ProgramModel, name: str, applicability: Applicability) -> Proposal | None:
    """The proposal to take a variable out; None where that cannot be done for certain."""
    changes = taken_out(launch, name)
    return Proposal(f"Remove {name}", applicability, changes) if changes else None
