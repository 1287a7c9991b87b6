"""Canonical names and model fields of flags, by following what became of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from rlhflint.catalog.changes import Kind

if TYPE_CHECKING:
    from rlhflint.catalog.program import Program

_CARRIES_ON = (Kind.RENAMED, Kind.SPLIT)


class Naming:
    """The names of the flags of one program."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._releases = program.releases
        self._canonical: dict[tuple[str, str], tuple[str, ...]] = {}
        self._fields: dict[tuple[str, str], tuple[str, ...]] = {}
        self._spellings: dict[str, Mapping[str, str]] = {}
        self._about: dict[str, Mapping[str, tuple[str, ...]]] = {}

    def canonical(self, flag: str, release: str) -> tuple[str, ...]:
        """See `Program.canonical`."""
        key = (flag, release)
        if key not in self._canonical:
            self._canonical[key] = self._name(flag, release, through_replacements=True)
        return self._canonical[key]

    def fields(self, flag: str, release: str) -> tuple[str, ...]:
        """See `Program.fields`."""
        key = (flag, release)
        if key not in self._fields:
            self._fields[key] = self._name(flag, release, through_replacements=False)
        return self._fields[key]

    def spellings(self, release: str) -> Mapping[str, str]:
        """Field → the flag that gives it its value at a release."""
        if release not in self._spellings:
            found: dict[str, str] = {}
            for flag in self._flags(release):
                own = flag.lstrip("-")
                for name in self.fields(flag, release):
                    if name not in found or name == own:
                        found[name] = flag
                if own in self.canonical(flag, release):
                    found[own] = flag
            self._spellings[release] = found
        return self._spellings[release]

    def flags_about(self, release: str) -> Mapping[str, tuple[str, ...]]:
        """Canonical name → the flags of a release that speak of it."""
        if release not in self._about:
            found: dict[str, tuple[str, ...]] = {}
            for flag in self._flags(release):
                for name in dict.fromkeys((*self.canonical(flag, release), *self.fields(flag, release))):
                    found[name] = (*found.get(name, ()), flag)
            self._about[release] = found
        return self._about[release]

    def _flags(self, release: str) -> Iterator[str]:
        for flag, option in self._program.options(release).items():
            if flag == option.flag and option.action != "help":
                yield flag

    def _name(self, flag: str, release: str, *, through_replacements: bool) -> tuple[str, ...]:
        start = self.standing(flag, release)
        if start is None:
            return ()
        names: list[str] = []
        for last, position in self._ends(flag, start, through_replacements):
            names += self._last_name(last, position, through_replacements)
        return tuple(dict.fromkeys(names))

    def standing(self, flag: str, release: str) -> int | None:
        """The position of the release that a flag is taken from: `release`, else the last before or first after it."""
        wanted = self._releases.position(release)
        bounds = [self._releases.bounds(interval) for interval in self._program.history(flag)]
        before = [min(last, wanted) for first, last in bounds if first <= wanted]
        return max(before) if before else min((first for first, _ in bounds), default=None)

    def _ends(self, flag: str, position: int, through_replacements: bool) -> Iterator[tuple[str, int]]:
        """The last spellings that a flag leads to, each with the position at which it is taken."""
        for step in self._program.steps.get(flag, ()):
            at = self._releases.position(step.release)
            if at <= position or step.kind is Kind.REMOVED:
                continue
            if step.kind in _CARRIES_ON or through_replacements:
                for new in step.to:
                    yield from self._ends(new, at, through_replacements)
                return
            break
        yield flag, position

    def _last_name(self, flag: str, position: int, through_replacements: bool) -> tuple[str, ...]:
        like = self._program.like
        if like is not None:
            known = like.naming._name(flag, self._releases[position], through_replacements=through_replacements)
            if known:
                return known
        interval = self._releases.at(self._program.history(flag), self._releases[position])
        if interval is not None and "dest" in interval.state and not through_replacements:
            return (interval.state["dest"],)
        return (flag.lstrip("-"),)
