"""Two launches of one framework compared setting by setting, by canonical names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from rlhflint.records import dataclass
from rlhflint.resolved import Resolved, resolved
from rlhflint.value import Known, Value

if TYPE_CHECKING:
    from rlhflint.launch import Launch, Setting, Version
    from rlhflint.model import ProgramModel


class NotComparable(Exception):
    """Launches that have no settings in common; the message says why."""


@dataclass(frozen=True, slots=True)
class Difference:
    """A setting that is not certainly the same in both. A side is None where its release does not have it."""

    name: str
    a: Resolved | None
    b: Resolved | None

    @property
    def certain(self) -> bool:
        """Whether the two are known to differ."""
        sides = [side for side in (self.a, self.b) if side is not None]
        return len(sides) < 2 or all(isinstance(side.value, Known) for side in sides)


@dataclass(frozen=True, slots=True)
class Comparison:
    """What differs between two launches: settings by name, releases and environment by name."""

    a: Launch
    b: Launch
    settings: tuple[Difference, ...] = ()
    versions: Mapping[str, tuple[Version | None, Version | None]] | None = None
    environment: Mapping[str, tuple[Value | None, Value | None]] | None = None
    refused: tuple[tuple[Setting, ...], tuple[Setting, ...]] = ((), ())
    """Settings that the program of the launch does not know at all, of `a` and of `b`."""

    @property
    def same(self) -> bool:
        """Whether no setting, no program and no variable differs; releases alone do not count."""
        differ = self.settings or self.environment or not _alike(*self.refused)
        return not differ and self.a.program == self.b.program


def compared(a: ProgramModel, b: ProgramModel) -> Comparison:
    """What differs between two launches.

    Defaults count as values: a setting that neither launch gives is told where the releases have other defaults for
    it. One that only one of the releases has is told where it is given. Two values that are not known for the same
    reason, such as one variable of the environment, count as the same.

    Raises:
        NotComparable: the programs are of different frameworks.
    """
    left, right = a.session, b.session
    if left.framework != right.framework:
        raise NotComparable(
            f"{left.launch.program} and {right.launch.program} belong to different frameworks and share no settings"
        )
    one, other = resolved(a), resolved(b)
    rows = (_difference(name, one.get(name), other.get(name)) for name in sorted(one.keys() | other.keys()))
    return Comparison(
        left.launch,
        right.launch,
        tuple(row for row in rows if row is not None),
        _unlike(left.launch.versions, right.launch.versions),
        _variables(left.launch, right.launch),
        (left.launch.refused, right.launch.refused),
    )


def _difference(name: str, a: Resolved | None, b: Resolved | None) -> Difference | None:
    given = any(side is not None and side.setting is not None for side in (a, b))
    if a is None or b is None:
        return Difference(name, a, b) if given else None
    if isinstance(a.value, Known) and isinstance(b.value, Known):
        return None if same_value(a.value.value, b.value.value) else Difference(name, a, b)
    return Difference(name, a, b) if given and a.value != b.value else None


def same_value(a: object, b: object) -> bool:
    """Whether two values mean the same: 1 and 1.0 do, 1 and True do not; lists and tuples do."""
    if isinstance(a, bool) or isinstance(b, bool):
        return a is b
    if isinstance(a, (list, tuple)) and isinstance(b, (list, tuple)):
        return len(a) == len(b) and all(same_value(one, other) for one, other in zip(a, b, strict=True))
    return a == b


def _alike(a: Sequence[Setting], b: Sequence[Setting]) -> bool:
    """Whether settings that no program knows are given alike: by the same names and with the same values."""
    one, other = (sorted(settings, key=lambda setting: setting.name) for settings in (a, b))
    return [(setting.name, setting.value) for setting in one] == [(setting.name, setting.value) for setting in other]


def _unlike(a: Mapping[str, Version], b: Mapping[str, Version]) -> dict[str, tuple[Version | None, Version | None]]:
    names = dict.fromkeys((*a, *b))
    pairs = {name: (a.get(name), b.get(name)) for name in names}
    return {name: pair for name, pair in pairs.items() if _release(pair[0]) != _release(pair[1])}


def _release(version: Version | None) -> tuple[str, str] | None:
    return None if version is None else (version.value, version.specifier)


def _variables(a: Launch, b: Launch) -> dict[str, tuple[Value | None, Value | None]]:
    """Environment variables that one sets, or both to other values."""
    pairs = {
        name: (a.environment.get(name), b.environment.get(name)) for name in sorted({*a.environment, *b.environment})
    }
    return {name: pair for name, pair in pairs.items() if pair[0] != pair[1]}
