"""Defaults that changed between two releases under a launch that relies on them."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING

from rlhflint.catalog.terms import carried_forward
from rlhflint.records import dataclass
from rlhflint.value import OneOf, Unknown

if TYPE_CHECKING:
    from rlhflint.catalog.changes import Replacement
    from rlhflint.catalog.program import Program


@dataclass(frozen=True, slots=True)
class ChangedDefault:
    """One default: `name` is the field of the typed model, `flag` its spelling at the later release.

    `old` is what the launch had, in the later release's terms; `Unknown` where none of its values mean the same.
    `effect` says what the change does.
    """

    name: str
    flag: str
    old: object
    new: object
    effect: str

    @property
    def words(self) -> tuple[str, ...] | None:
        """The words that give the old value; None where no words do."""
        return _words(self.old)

    @property
    def new_words(self) -> tuple[str, ...] | None:
        """The same of the new value."""
        return _words(self.new)


def _words(value: object) -> tuple[str, ...] | None:
    if value is None or value is False or isinstance(value, (Unknown, OneOf)):
        return None
    if value is True:
        return ()
    if isinstance(value, (list, tuple)):
        return tuple(map(str, value))
    return (str(value),)


def changed_defaults(
    program: Program, given: Mapping[str, object], since: str, to: str, written: Collection[str] = ()
) -> list[ChangedDefault]:
    """The defaults that changed from `since` to the later release `to`, and that a launch relies on.

    A default that changed and changed back is none of them, nor is one whose change does nothing.

    Args:
        program: the program, which both releases have.
        given: field → value for what the launch gives; `Unknown` counts as given.
        since: a listed release.
        to: a listed release.
        written: fields that are given in the words of the later release.
    """
    held = {**program.defaults(since), **given}
    carried = carried_forward(program, held, since, to)
    made_by = _makers(program, since, to)
    found = []
    for name, new in program.defaults(to).items():
        if name in written or (name in given and name not in carried):
            continue
        makers = made_by.get(name, ())
        if any(_old(program, maker) & given.keys() for maker in makers):
            continue
        if name not in carried and name not in held:
            continue
        flag = program.spelling(name, to)
        old = _typed(program, flag, to, carried.get(name, held.get(name)))
        effect = effect_of(program, name, since, to)
        if old == new or flag is None or effect == "" or not _matters(program, name, since, to, held):
            continue
        note = next((maker.note for maker in makers if maker.note), "")
        found.append(ChangedDefault(name, flag, old, new, effect or note))
    return found


def _typed(program: Program, flag: str | None, release: str, value: object) -> object:
    """A value as the option of the release holds it: 100000000 for a default of 1e8, if it takes whole numbers."""
    option = program.option(flag, release) if flag is not None else None
    whole = isinstance(value, float) and value.is_integer()
    return int(value) if option is not None and option.type == "int" and isinstance(value, float) and whole else value


def _makers(program: Program, since: str, to: str) -> dict[str, list[Replacement]]:
    """The replacements between two releases by the fields they give values to."""
    position = program.releases.position
    found: dict[str, list[Replacement]] = {}
    for replacement in program.replacements:
        if position(since) < position(replacement.release) <= position(to):
            for flag in replacement.new:
                for name in program.fields(flag, replacement.release):
                    found.setdefault(name, []).append(replacement)
    return found


def _old(program: Program, replacement: Replacement) -> set[str]:
    """The fields of the options that a replacement ended."""
    before = program.releases.before(replacement.release) or replacement.release
    return {name for flag in replacement.pairs for name in program.fields(flag, before)}


def _matters(program: Program, name: str, since: str, to: str, held: Mapping[str, object]) -> bool:
    """Whether the last change of a default matters with what the launch holds, as far as that is known."""
    position = program.releases.position
    for release in reversed(program.releases[position(since) + 1 : position(to) + 1]):
        flag = program.spelling(name, release)
        when = program.default_when(flag, release) if flag is not None else None
        if when is not None:
            value = held.get(when[0])
            return isinstance(value, (Unknown, OneOf)) or value in when[1]
    return True


def effect_of(program: Program, name: str, since: str, to: str) -> str | None:
    """What the last change of a default does; None where no note is kept of one."""
    position = program.releases.position
    effects = (
        program.default_effect(flag, release)
        for release in reversed(program.releases[position(since) + 1 : position(to) + 1])
        if (flag := program.spelling(name, release)) is not None
    )
    return next((effect for effect in effects if effect is not None), None)
