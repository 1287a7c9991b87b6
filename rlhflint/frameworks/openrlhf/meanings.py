"""Flags that mean something else under the same name from a release on that a launch passes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from rlhflint.migration import lost
from rlhflint.text import HOLE

if TYPE_CHECKING:
    from rlhflint.catalog.changes import Meaning
    from rlhflint.catalog.program import Program
    from rlhflint.finding import Finding
    from rlhflint.launch import Launch, Setting


def meanings(launch: Launch, program: Program, settings: Sequence[Setting], since: str, to: str) -> Iterator[Finding]:
    """What there is to say of the flags that are given, and of defaults that mean something else.

    Args:
        launch: the launch.
        program: its program, which both releases have.
        settings: those of its settings that are the program's flags.
        since: the listed release it was written for.
        to: a later one.
    """
    given = {name for setting in settings for name in setting.canonical}
    for setting in settings:
        words = [text.text for text in setting.text]
        known = not any(HOLE in word for word in words)
        for canonical in setting.canonical:
            for meaning in _passed(program, canonical, setting.name, since, to):
                if not known or meaning.concerns(words):
                    yield _finding(launch, meaning, to, setting)
    for name in () if launch.more else program.defaults(to):
        for meaning in _passed(program, name, "", since, to) if name not in given else ():
            if meaning.unset_with and set(program.fields(meaning.unset_with, meaning.release)) & given:
                yield _finding(launch, meaning, to, None)


def _passed(program: Program, name: str, written: str, since: str, to: str) -> Iterator[Meaning]:
    """The changed meanings of a field between two releases, by the spellings that it has at them."""
    position = program.releases.position
    spelled = {program.spelling(name, release) for release in (since, to)} - {None}
    for flag in [written] if written and written not in spelled else sorted(map(str, spelled)):
        for meaning in program.meanings(flag):
            if position(since) < position(meaning.release) <= position(to):
                yield meaning


def _finding(launch: Launch, meaning: Meaning, to: str, setting: Setting | None) -> Finding:
    name = f"{meaning.flag} is not given, and its default" if setting is None else setting.name
    told = f"{name} changed its meaning at {meaning.release}; before: {meaning.before}; now: {meaning.after}"
    return lost(launch, setting, told, {"openrlhf": to}, mild=True)
