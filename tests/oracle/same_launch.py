"""Whether a launch that was moved to another release is the same launch there, as both releases themselves say.

THIS EXECUTES UPSTREAM'S PARSERS AND VALIDATION (see `tests.oracle.openrlhf`). It is for tests and campaigns alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rlhflint.catalog.program import Program
from rlhflint.catalog.terms import carried_forward
from rlhflint.check import Checker
from rlhflint.fixing.fixer import Fixer
from rlhflint.fixing.migration import Mover
from rlhflint.frameworks.openrlhf.catalog import openrlhf
from rlhflint.frameworks.openrlhf.default_changes import effect_of
from rlhflint.launch import Launch
from rlhflint.migration import Targets
from rlhflint.project.discovery import Candidate
from rlhflint.project.kinds import FileKind
from rlhflint.project.settings import Settings
from rlhflint.text import HOLE
from rlhflint.value import Unknown
from tests.oracle.openrlhf import Verdict, run

NAME = "train.sh"


@dataclass
class Comparison:
    """One launch before and after. `different` are settings with other values that no message names."""

    program: str
    before: list[str]
    after: list[str] | None = None
    accepted: bool = False
    refusal: str = ""
    different: dict[str, tuple[Any, Any]] = field(default_factory=dict)
    named: tuple[str, ...] = ()

    @property
    def same(self) -> bool:
        """The moved launch is accepted, and every setting has its value or is named."""
        return self.accepted and not self.different


def compared(text: str, since: str, to: str, wheel: Callable[[str, str], Path]) -> Iterator[Comparison]:
    """Move the launches of a script and ask both releases; those that `since` refuses are left out."""
    before = _launches(text, since)
    accepted = [
        (launch, words, verdict)
        for launch in before
        if (words := _words(launch)) is not None and (verdict := _asked(launch, words, since, wheel)).accepted
    ]
    if not accepted:
        return
    checker = Checker(Settings(framework_versions={"openrlhf": since}, isolated=True))
    mover = Mover(Targets({"openrlhf": to}, pin_defaults=True, unsafe=True))
    outcome = Fixer(checker, unsafe=True, mover=mover).fix_text(Candidate(NAME, FileKind.SHELL), text)
    told = outcome.result.findings
    after = _launches(outcome.text, to)
    for launch, words, verdict in accepted:
        index = before.index(launch)
        name = launch.program.partition(":")[2]
        comparison = Comparison(name, words)
        comparison.named = tuple(sorted({one for finding in told for one in finding.settings}))
        if not openrlhf().program(name).exists(to):
            continue
        moved = after[index] if index < len(after) else None
        comparison.after = _words(moved) if moved is not None else None
        if moved is not None and comparison.after is not None:
            there = _asked(moved, comparison.after, to, wheel)
            comparison.accepted, comparison.refusal = there.accepted, f"{there.outcome} {there.message}"
            comparison.different = _different(openrlhf().program(name), verdict, there, since, to, comparison.named)
        yield comparison


def _launches(text: str, release: str) -> list[Launch]:
    result = Checker(Settings(framework_versions={"openrlhf": release}, isolated=True)).check_text(text, NAME)
    return [launch for judged in result.launches for launch in judged.every]


def _words(launch: Launch) -> list[str] | None:
    """The words behind the program; None where one is not known."""
    if launch.start is None:
        return None
    words = [word.text for word in launch.start.arguments]
    return None if any(HOLE in word for word in words) else words


def _asked(launch: Launch, words: list[str], release: str, wheel: Callable[[str, str], Path]) -> Verdict:
    name = launch.program.partition(":")[2]
    if not openrlhf().program(name).exists(release):
        return Verdict(name, "reject:missing", f"{release} has no {name}")
    return run(wheel("openrlhf", release), name, words)


def _different(
    program: Program, before: Verdict, after: Verdict, since: str, to: str, named: tuple[str, ...]
) -> dict[str, tuple[Any, Any]]:
    """The fields whose values are not what they were, in the terms of the later release."""
    old, new = _by_field(program, before.parsed, since), _by_field(program, after.parsed, to)
    carried = carried_forward(program, old, since, to)
    found = {}
    for name, value in new.items():
        was = carried.get(name, old.get(name, value))
        if name in named or isinstance(was, Unknown) or was == value or _without_effect(program, name, since, to):
            continue
        found[name] = (was, value)
    return found


def _without_effect(program: Program, name: str, since: str, to: str) -> bool:
    """Whether a field's default is worked out when the program starts, or changed without doing anything."""
    flag = program.spelling(name, to)
    option = program.option(flag, to) if flag is not None else None
    return option is None or isinstance(option.default, Unknown) or effect_of(program, name, since, to) == ""


def _by_field(program: Program, parsed: Mapping[str, Any], release: str) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for flag, option in program.options(release).items():
        if flag == option.flag and option.dest in parsed:
            found |= dict.fromkeys(program.fields(flag, release), parsed[option.dest])
    return found
