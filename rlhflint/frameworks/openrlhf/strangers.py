"""Flags that a program does not have in force: where they come from, and what to write instead."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import TYPE_CHECKING

from rlhflint.catalog.changes import Kind
from rlhflint.likeness import alike
from rlhflint.records import dataclass

if TYPE_CHECKING:
    from rlhflint.arguments import Trouble
    from rlhflint.catalog.changes import Instead, Invented
    from rlhflint.catalog.store import FrameworkCatalog
    from rlhflint.catalog.succession import Succession
    from rlhflint.frameworks.openrlhf.edition import Edition
    from rlhflint.text import Traced


class Why(Enum):
    """Why a flag is not known."""

    SUCCEEDED = "succeeded"
    """The program has it at another release; see `succession`."""
    LATER = "later"
    """The program has it from a later release on, and nothing stood for it before."""
    OTHER_PROGRAM = "other program"
    """Another program of the framework has it."""
    INVENTED = "invented"
    """A name that guides use and that no release had."""
    UNKNOWN = "unknown"
    """Nobody has it; `suggestions` are names like it."""


@dataclass(frozen=True, slots=True)
class Stranger:
    """A flag that the program does not take, as it was given, and what is known of it.

    `suggestions` are flags of the edition to write instead, the likeliest first. `since` and `until` are the releases
    that have the flag, `programs` those of the release in force that do.
    """

    name: Traced
    values: tuple[Traced, ...]
    why: Why
    suggestions: tuple[str, ...] = ()
    succession: Succession | None = None
    invented: Invented | None = None
    instead: Instead | None = None
    since: str = ""
    until: str = ""
    programs: tuple[str, ...] = ()

    @property
    def flag(self) -> str:
        """Its name as written."""
        return self.name.text

    @property
    def carries_on(self) -> bool:
        """Another flag takes its value as it is."""
        return self.succession is not None and self.succession.kind in (Kind.RENAMED, Kind.SPLIT, Kind.JOINED)


def stranger(trouble: Trouble, edition: Edition, catalog: FrameworkCatalog) -> Stranger:
    """What is known of an unknown flag."""
    flag = trouble.word.text
    program = edition.program
    if program is not None:
        succession = program.successors(flag, edition.release)
        if succession is not None:
            return Stranger(trouble.word, trouble.values, Why.SUCCEEDED, succession.flags, succession)
        releases = program.releases_accepting(flag)
        if releases:
            since, until = releases[0], releases[-1]
            return Stranger(trouble.word, trouble.values, Why.LATER, since=since, until=until)
        invented = program.invented(flag)
        if invented is not None:
            return _invented(trouble, invented, edition)
    owners = catalog.programs_with(flag, edition.release)
    if owners:
        counterpart = _counterpart(flag, owners, edition, catalog)
        return Stranger(trouble.word, trouble.values, Why.OTHER_PROGRAM, counterpart, programs=owners)
    return Stranger(trouble.word, trouble.values, Why.UNKNOWN, alike(flag, list(edition.options)))


def _invented(trouble: Trouble, invented: Invented, edition: Edition) -> Stranger:
    word = trouble.values[0].text if trouble.values else None
    fitting = [
        instead
        for instead in invented.instead
        if _within(instead, edition) and (instead.value is None or instead.value == word)
    ]
    instead = fitting[0] if fitting else None
    flags = (*instead.flags, *instead.words[:1], *instead.any_of) if instead else ()
    return Stranger(trouble.word, trouble.values, Why.INVENTED, flags, invented=invented, instead=instead)


def _within(instead: Instead, edition: Edition) -> bool:
    if edition.program is None:
        return False
    position = edition.program.releases.position
    at = position(edition.release)
    return position(instead.since) <= at and (instead.until is None or at <= position(instead.until))


def _counterpart(flag: str, owners: Sequence[str], edition: Edition, catalog: FrameworkCatalog) -> tuple[str, ...]:
    """The flags of the edition that do what a flag of another program does: those that had the same name once."""
    if edition.program is None:
        return ()
    for owner in owners:
        other = catalog.program(owner)
        steps = [step for steps in other.steps.values() for step in steps if flag in step.to]
        former = [step.flag for step in steps]
        for old in former:
            here = [new for step in edition.program.steps.get(old, ()) for new in step.to]
            found = tuple(new for new in here if new in edition.options)
            if found:
                return found
    return ()
