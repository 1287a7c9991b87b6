"""The configuration in force for a file, and where each of its values comes from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from typing import TYPE_CHECKING, Any, NamedTuple

from rlhflint.project.discovery import DEFAULT_EXCLUDES, Excludes
from rlhflint.project.patterns import Patterns
from rlhflint.project.places import Place
from rlhflint.project.selection import Selection, enabled, longest
from rlhflint.records import dataclass

if TYPE_CHECKING:
    from rlhflint.project.cluster import Cluster

_NOWHERE = Place("")
_NOTHING = Excludes()


class ConfigError(Exception):
    """A configuration that cannot be used. `str()` names the place."""

    def __init__(self, place: Place, message: str) -> None:
        super().__init__(f"{place}: {message}" if place.path else message)
        self.place = place
        self.message = message


class Sourced(NamedTuple):
    """A value and where it was said; `option` is set instead of a place where that was the command line."""

    value: Any
    place: Place = _NOWHERE
    option: str = ""

    @property
    def source(self) -> str:
        """In words that fit behind "from"."""
        return self.option or str(self.place)


class Globbed(NamedTuple):
    """Something that holds for the files that any of the globs fits; globs are relative to `base` (absolute)."""

    base: str
    patterns: Patterns

    @classmethod
    def of(cls, base: str, globs: Sequence[str]) -> Globbed:
        """For globs in a configuration in the folder `base`."""
        return cls(base, Patterns.of_globs(globs))

    def fits(self, path: str) -> bool:
        """Whether a glob fits the file at the absolute `path`, or a folder it lies in."""
        return Excludes(((self.base, self.patterns),)).hides_below(self.base, path)


class Override(NamedTuple):
    """What holds for some files only."""

    where: Globbed
    versions: Mapping[str, Sourced]
    program: Sourced | None
    cluster: Sourced | None


class Effective(NamedTuple):
    """One value in force: its key (`versions.openrlhf`), the value as TOML would hold it, where it was said."""

    key: str
    value: Any
    source: str


DEFAULTS: Mapping[str, Any] = {
    "fail-on": "warning",
    "require-reason": False,
    "markdown": False,
    "exclude": list(DEFAULT_EXCLUDES),
}
"""Values of keys that nobody sets."""


@dataclass(frozen=True)
class Config:
    """What is configured for the files of one folder. Without any file it says what holds by default."""

    path: str | None = None
    """The configuration file in force (absolute)."""
    selections: tuple[Selection, ...] = ()
    """The one that counts least in front; see `rlhflint.project.selection`."""
    per_file_ignores: tuple[tuple[Globbed, tuple[str, ...]], ...] = ()
    excludes: Excludes = _NOTHING
    severity: Mapping[str, str] = field(default_factory=dict)
    """Code of a rule, beginning of codes or `ALL` → severity."""
    versions: Mapping[str, Sourced] = field(default_factory=dict)
    overrides: tuple[Override, ...] = ()
    """The one that counts most last."""
    programs: tuple[tuple[Globbed, str], ...] = ()
    """The one that counts most last."""
    cluster: Cluster | None = None
    extra_flags: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    mandatory: tuple[str, ...] = ()
    fail_on: str = "warning"
    require_reason: bool = False
    markdown: bool = False
    python: str | None = None
    """Absolute."""
    experimental: frozenset[str] = frozenset()
    """Names of frameworks that are looked at though they are experimental."""
    needed: tuple[str, ...] = ()
    """Codes of rules that are run whatever is selected and ignored."""
    said: Mapping[str, Sequence[Sourced]] = field(default_factory=dict)
    """Key (`fail-on`, `versions.openrlhf`) → what counts of what was said of it, in the order it was said."""

    _enabled: dict[tuple[str, bool], bool] = field(default_factory=dict, init=False, compare=False, repr=False)
    """What the selections say of a rule, the ignores of single files aside."""

    def enabled(self, code: str, *, on: bool, path: str) -> bool:
        """Whether a rule is run on the file at the absolute `path`; `on`: whether it is when nothing is said."""
        if code in self.needed:
            return True
        if any(longest(code, ignored) >= 0 and where.fits(path) for where, ignored in self.per_file_ignores):
            return False
        if (code, on) not in self._enabled:
            self._enabled[code, on] = enabled(code, on, self.selections)
        return self._enabled[code, on]

    def is_mandatory(self, code: str) -> bool:
        """Whether a comment in a file must not switch a rule off."""
        return longest(code, self.mandatory) >= 0

    def severity_of(self, code: str) -> str | None:
        """The severity that findings of a rule are given; None where they keep their own."""
        if not self.severity:
            return None
        chosen = max(self.severity, key=lambda selector: longest(code, (selector,)))
        return self.severity[chosen] if longest(code, (chosen,)) >= 0 else None

    def versions_for(self, path: str) -> dict[str, Sourced]:
        """Package → version or specifier for the file at the absolute `path`; an option stands above all."""
        found = dict(self.versions)
        for override in self.overrides:
            if override.versions and override.where.fits(path):
                found.update(
                    (name, said) for name, said in override.versions.items() if not found.get(name, said).option
                )
        return found

    def program_for(self, path: str) -> str | None:
        """The program that the file at the absolute `path` is said to configure."""
        for override in reversed(self.overrides):
            if override.program is not None and override.where.fits(path):
                return str(override.program.value)
        return next((program for where, program in reversed(self.programs) if where.fits(path)), None)

    def cluster_for(self, path: str) -> Cluster | None:
        """The machines that launches in the file at the absolute `path` are meant for."""
        for override in reversed(self.overrides):
            if override.cluster is not None and override.where.fits(path):
                cluster: Cluster = override.cluster.value
                return cluster
        return self.cluster

    def extra_flags_for(self, program: str) -> frozenset[str]:
        """The options that a fork of a program has besides, without leading dashes."""
        framework = program.partition(":")[0]
        flags = (*self.extra_flags.get(framework, ()), *self.extra_flags.get(program, ()))
        return frozenset(flag.lstrip("-") for flag in flags)

    def error(self, key: str, message: str) -> ConfigError:
        """An error where a key was last said, for what can only be told later (a code no rule has)."""
        said = self.said.get(key)
        return ConfigError(said[-1].place if said else Place(self.path or ""), message)

    def effective(self) -> Iterator[Effective]:
        """Every key with its value and where that was said; "default" where nobody did."""
        for key in KEYS:
            parts = {name: said for name, said in self.said.items() if name == key or name.startswith(f"{key}.")}
            if parts:
                for name, said in parts.items():
                    yield _effective(name, said)
            else:
                yield Effective(key, DEFAULTS.get(key), "default")


KEYS = (
    "select",
    "ignore",
    "extend-select",
    "extend-ignore",
    "per-file-ignores",
    "mandatory",
    "require-reason",
    "severity",
    "fail-on",
    "exclude",
    "extend-exclude",
    "versions",
    "overrides",
    "programs",
    "cluster",
    "extra-flags",
    "markdown",
    "experimental",
    "python",
)
"""The keys of the table, in the order they are shown."""


def _effective(key: str, said: Sequence[Sourced]) -> Effective:
    values = [sourced.value for sourced in said]
    value = [item for value in values for item in value] if isinstance(values[-1], list) else values[-1]
    shown = said if isinstance(values[-1], list) else said[-1:]
    return Effective(key, value, " and ".join(dict.fromkeys(sourced.source for sourced in shown)))
