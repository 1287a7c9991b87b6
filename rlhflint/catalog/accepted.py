"""What one launch's program accepts: at a release of the catalog, or in the copy of the source that it runs from."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from itertools import accumulate
from typing import TYPE_CHECKING

from rlhflint.catalog.option import Option, options_by_spelling
from rlhflint.records import dataclass
from rlhflint.value import Unknown

if TYPE_CHECKING:
    from rlhflint.catalog.program import Program
    from rlhflint.catalog.source.argparse_source import ParserReading


@dataclass(frozen=True)
class Accepted:
    """The options of a program and their names.

    `release` is the release they are judged by: for a copy the one whose flags are most like its own. `program` is
    None for a program that upstream never had. `open` says why there may be options that are not listed, so that
    none may be called unknown; it is empty for a release.
    """

    program: Program | None
    release: str
    options: Mapping[str, Option]
    open: str = ""
    copied: bool = False

    def canonical(self, flag: str) -> tuple[str, ...]:
        """The canonical names of an option by its flag; its own spelling for one that only a copy has."""
        known = self.program.canonical(flag, self.release) if self.program is not None else ()
        return known or (flag.lstrip("-"),)

    def fields(self, flag: str) -> tuple[str, ...]:
        """Where the typed model keeps the value of an option; nowhere for one that only a copy has."""
        return self.program.fields(flag, self.release) if self.program is not None else ()

    def spelling(self, name: str) -> str | None:
        """The flag that gives a field its value."""
        if not self.copied:
            return self.program.spelling(name, self.release) if self.program is not None else None
        return self._spellings.get(name)

    @cached_property
    def defaults(self) -> Mapping[str, object]:
        """Field → default in force; those that are worked out when the program starts are left out."""
        if not self.copied and self.program is not None:
            return self.program.defaults(self.release)
        found: dict[str, object] = {}
        for flag, option in self.options.items():
            if flag == option.flag and option.action != "help" and not isinstance(option.default, Unknown):
                found |= {name: option.default for name in self.fields(flag) if name not in found}
        return found

    @cached_property
    def _spellings(self) -> Mapping[str, str]:
        return {
            name: flag
            for flag, option in self.options.items()
            if flag == option.flag and option.action != "help"
            for name in self.fields(flag)
        }


def accepted_at(program: Program, release: str) -> Accepted:
    """What a listed release accepts; no options at all if it does not have the program."""
    return Accepted(program, release, program.options(release))


def accepted_by_copy(reading: ParserReading, program: Program | None, newest: str) -> Accepted:
    """What a copy accepts.

    Args:
        reading: what was read of its program.
        program: upstream's program of the same name, if there is one.
        newest: the release to name where upstream has no such program.
    """
    known = _by_copies.get(id(reading))
    if known is None or known[:3] != (reading, program, newest):
        if len(_by_copies) >= _MOST_COPIES:
            _by_copies.clear()
        known = _by_copies[id(reading)] = (reading, program, newest, _by_copy(reading, program, newest))
    return known[3]


_MOST_COPIES = 256
_by_copies: dict[int, tuple[ParserReading, Program | None, str, Accepted]] = {}
"""What copies accept, by the identity of what was read of each: every launch of a program asks for it."""


def _by_copy(reading: ParserReading, program: Program | None, newest: str) -> Accepted:
    options = options_by_spelling(reading.options)
    release = nearest_release(program, set(reading.options)) if program is not None else newest
    return Accepted(program, release, options, reading.open, copied=True)


def nearest_release(program: Program, flags: set[str]) -> str:
    """The release whose flags are most like `flags`; the newest of several."""
    likeness = [0] * (len(program.releases) + 1)
    for flag in program.flags:
        for first, last in map(program.releases.bounds, program.history(flag)):
            likeness[first] += 1 if flag in flags else -1
            likeness[last + 1] -= 1 if flag in flags else -1
    positions = range(len(program.releases))
    totals = dict(zip(positions, accumulate(likeness), strict=False))
    living = [position for position in positions if program.exists(program.releases[position])]
    return program.releases[max(living, key=lambda position: (totals[position], position))]
