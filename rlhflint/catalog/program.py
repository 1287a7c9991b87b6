"""One program of a framework: what each release of it accepts, and what became of its flags."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

from rlhflint.catalog.changes import (
    Broken,
    Ended,
    Invented,
    Meaning,
    Note,
    Replacement,
    Step,
)
from rlhflint.catalog.intervals import Interval, Releases
from rlhflint.catalog.naming import Naming
from rlhflint.catalog.option import Option, options_by_spelling, read_options
from rlhflint.catalog.overlay import read_broken, read_invented, read_steps
from rlhflint.catalog.succession import Succession, successors
from rlhflint.value import Unknown

if TYPE_CHECKING:
    from rlhflint.catalog.store import FrameworkCatalog


class Program:
    """An entry point. Releases are those of the catalog; see `Releases.place` for other versions.

    Three names belong to a flag. Its *flag* is what is written: `--zero_stage`. Its *canonical* names are the newest
    upstream spelling of what it sets, without dashes: `ds.zero_stage`; two for a flag that was split, and those of
    the options that took its place for one that was replaced (`--bf16` is `ds.param_dtype`). Its *fields* are where
    the typed model keeps its value: the canonical names, except for a flag that was replaced by others with other
    values, which keeps its own last spelling (`bf16`). A flag that simply ended keeps its last spelling for both. The
    flags of a program that ended itself go by the names of the program it is most like.
    """

    def __init__(self, name: str, content: Mapping[str, Any], catalog: FrameworkCatalog) -> None:
        self.name = name
        self.releases: Releases = catalog.releases
        self.life: tuple[Interval, ...] = tuple(map(Interval.from_row, content["life"]))
        self._content = content
        self._catalog = catalog
        self._rows: Mapping[str, list[Mapping[str, Any]]] = content["options"]
        self._histories: dict[str, tuple[Interval, ...]] = {}
        self._accepting: dict[str, tuple[str, ...]] = {}
        self._options: dict[str, Mapping[str, Option]] = {}
        self._defaults: dict[str, Mapping[str, object]] = {}

    def __repr__(self) -> str:
        return f"<program {self._catalog.name}:{self.name}>"

    # Its life

    def exists(self, release: str) -> bool:
        """Whether the release has the program."""
        return self.releases.at(self.life, release) is not None

    @property
    def last(self) -> str:
        """The last release that has it."""
        return self.life[-1].until or self.releases.newest

    @cached_property
    def ended(self) -> Ended | None:
        """What the overlay says of its end; None while it lives."""
        row = self._content.get("ended")
        return None if row is None else Ended(row["release"], row["like"], row.get("instead", ""))

    @cached_property
    def like(self) -> Program | None:
        """The program whose names its flags go by, if it ended."""
        return None if self.ended is None else self._catalog.program(self.ended.like)

    def broken(self, release: str) -> tuple[Broken, ...]:
        """How it does not work at a release; a row with a condition holds only under that condition."""
        rows = map(read_broken, self._content["broken"].values())
        return tuple(row for row in rows if self._within(row.since, row.until, release))

    # Its options

    @property
    def flags(self) -> tuple[str, ...]:
        """Every flag of every release, sorted."""
        return tuple(self._rows)

    def history(self, flag: str) -> tuple[Interval, ...]:
        """The states of a flag, oldest first; empty if no release ever had it. Aliases have no history of their own."""
        if flag not in self._histories:
            self._histories[flag] = tuple(map(Interval.from_row, self._rows.get(flag, ())))
        return self._histories[flag]

    def releases_accepting(self, flag: str) -> tuple[str, ...]:
        """The releases whose command line takes a flag, oldest first."""
        if flag not in self._accepting:
            states = (interval for interval in self.history(flag) if not interval.state.get("after_parse"))
            self._accepting[flag] = self.releases.within(states)
        return self._accepting[flag]

    def accepts(self, flag: str, release: str) -> bool:
        """Whether the command line of a release takes a flag, spelled in full."""
        interval = self.releases.at(self.history(flag), release)
        return interval is not None and not interval.state.get("after_parse")

    def options(self, release: str) -> Mapping[str, Option]:
        """The options of a release by every spelling it takes, `--help` included; empty if it has no such program."""
        if release not in self._options:
            rows = {}
            if self.exists(release):
                states = ((flag, self.releases.at(self.history(flag), release)) for flag in self._rows)
                rows = {flag: interval.state for flag, interval in states if interval is not None}
            self._options[release] = options_by_spelling(rows) if rows else {}
        return self._options[release]

    def option(self, flag: str, release: str) -> Option | None:
        """One option of a release by its flag, also if it is registered too late to be accepted."""
        interval = self.releases.at(self.history(flag), release)
        return None if interval is None else read_options(flag, interval.state)[0]

    # Its names

    @cached_property
    def naming(self) -> Naming:
        """The names of its flags."""
        return Naming(self)

    def canonical(self, flag: str, release: str) -> tuple[str, ...]:
        """The canonical names of what a flag sets; empty for a flag that no release had.

        `release` says which flag is meant where one name had several meanings; a flag that this release does not have
        is taken as the last release before it, else the first one after it, meant it.
        """
        return self.naming.canonical(flag, release)

    def fields(self, flag: str, release: str) -> tuple[str, ...]:
        """Where the typed model keeps the value of a flag; the same as `canonical` unless it was replaced."""
        return self.naming.fields(flag, release)

    def spelling(self, name: str, release: str) -> str | None:
        """The flag that gives the field `name` its value at a release; None if no flag does."""
        return self.naming.spellings(release).get(name)

    def flags_about(self, canonical: str, release: str) -> tuple[str, ...]:
        """The flags of a release that speak of a canonical name, one that would be replaced by it later included."""
        return self.naming.flags_about(release).get(canonical, ())

    # Its defaults

    def defaults(self, release: str) -> Mapping[str, object]:
        """Field → default in force at a release; those worked out when the program starts are left out."""
        if release not in self._defaults:
            found: dict[str, object] = {}
            for flag, option in self.options(release).items():
                if flag == option.flag and option.action != "help" and not isinstance(option.default, Unknown):
                    found |= {name: option.default for name in self.fields(flag, release) if name not in found}
            self._defaults[release] = found
        return self._defaults[release]

    def default(self, name: str, release: str) -> object:
        """The default of a field at a release; None if it has none or no flag gives the field."""
        return self.defaults(release).get(name)

    def default_effect(self, flag: str, release: str) -> str | None:
        """What a default that changed in `release` does to a launch that relies on it: empty for nothing.

        None where no default changed. `flag` is the spelling at that release.
        """
        rows = self._content["defaults"].get(flag, ())
        return next((row["effect"] for row in rows if row["release"] == release), None)

    def default_when(self, flag: str, release: str) -> tuple[str, tuple[object, ...]] | None:
        """The field, and its values, with which a default that changed in `release` matters; None for any."""
        rows = self._content["defaults"].get(flag, ())
        row = next((row["when"] for row in rows if row["release"] == release and "when" in row), None)
        if row is None:
            return None
        return next(iter(self.fields(row["flag"], release))), tuple(row["values"])

    # What became of flags

    @cached_property
    def steps(self) -> Mapping[str, tuple[Step, ...]]:
        """What became of each flag, by flag, oldest first."""
        found: dict[str, list[Step]] = {}
        for step in read_steps(self._content["changes"], self._content["replaced"]):
            found.setdefault(step.flag, []).append(step)
        return {flag: tuple(steps) for flag, steps in found.items()}

    @cached_property
    def replacements(self) -> tuple[Replacement, ...]:
        """The groups of options that others took the place of, in the order of the overlay."""
        steps = (step for steps in self.steps.values() for step in steps)
        return tuple(dict.fromkeys(step.replacement for step in steps if step.replacement is not None))

    @cached_property
    def origins(self) -> Mapping[str, tuple[Step, ...]]:
        """The steps that led to each flag, by the flag they led to."""
        found: dict[str, list[Step]] = {}
        for steps in self.steps.values():
            for step in steps:
                for flag in step.to:
                    found.setdefault(flag, []).append(step)
        return {flag: tuple(steps) for flag, steps in found.items()}

    def successors(self, flag: str, release: str) -> Succession | None:
        """What stands for a flag at a release that does not accept it, whether it came before or after.

        None if the release accepts it, if no release ever had it, or if it is only not there yet.
        """
        return successors(self, flag, release)

    @property
    def revalued(self) -> Iterator[tuple[str, str, Mapping[str, str]]]:
        """Flags of which values are written otherwise from a release on: flag, release, old value → new value."""
        for flag, rows in self._content.get("revalued", {}).items():
            for row in rows:
                yield flag, row["release"], row["values"]

    def dead(self, flag: str, release: str) -> Note | None:
        """Set where a release accepts a flag and nothing reads it; its text may be empty."""
        for row in self._content["dead"].get(flag, ()):
            if self._within(row["since"], row["until"], release):
                return Note(row["since"], row["until"], row["text"])
        return None

    def meanings(self, flag: str) -> tuple[Meaning, ...]:
        """The releases that gave a flag another effect, in this spelling."""
        rows = self._content["meanings"].get(flag, ())
        return tuple(
            Meaning(flag, *(row.get(key, "") for key in ("release", "before", "after", "value", "unset_with")))
            for row in rows
        )

    def invented(self, name: str) -> Invented | None:
        """What to write for a name that guides use and that no release had."""
        row = self._content.get("invented", {}).get(name)
        return None if row is None else read_invented(name, row)

    def _within(self, since: str, until: str | None, release: str) -> bool:
        return self.releases.at((Interval(since, until),), release) is not None
