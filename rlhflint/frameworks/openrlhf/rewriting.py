"""What to write at one release for settings that were written for another: names, values, and what is lost.

Used for flags that the release in force refuses, and for moving a launch to another release.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from rlhflint.catalog.changes import Kind
from rlhflint.catalog.succession import Succession
from rlhflint.frameworks.openrlhf.rewriting_earlier import earlier
from rlhflint.frameworks.openrlhf.rewriting_later import later
from rlhflint.frameworks.openrlhf.rewritings import Rewriting, Successor
from rlhflint.proposal import Change, Remove, Rename, Replace

if TYPE_CHECKING:
    from rlhflint.catalog.program import Program
    from rlhflint.launch import Setting


def rewritten(
    program: Program,
    settings: Sequence[Setting],
    release: str,
    *,
    since: str | None = None,
    flags: Mapping[str, str] | None = None,
    critic: bool = True,
) -> list[Rewriting]:
    """What becomes of those of `settings` (named by flag) that have to be written otherwise at `release`.

    A flag that no release of the program has is left out, and so is one that is only not there yet.

    Args:
        program: the program, which `release` has.
        settings: all settings of the launch, in their order.
        release: a listed release.
        since: the listed release that the settings were written for, as far as it accepts them. Without it they are
            taken as written for `release` where that accepts them, else for the nearest one that does.
        flags: the flag that is meant by each name that is written in short.
        critic: False where it is certain that none is built: flags of actor and critic are then those of the actor.
    """
    meant = [(flags or {}).get(setting.name, setting.name) for setting in settings]
    outdated = {
        index: succession
        for index, flag in enumerate(meant)
        if (succession := program.successors(flag, release)) is not None
    }
    position = program.releases.position
    if since is not None and position(release) < position(since):
        found = earlier(program, settings, meant, outdated, release, since, critic=critic)
    else:
        found = later(program, settings, meant, outdated, release, since or release)
        found = found if critic else {index: _of_the_actor(one) for index, one in found.items()}
    return _without_clashes(_in_full(found, settings, meant, program, release), settings)


def _in_full(
    found: dict[int, Rewriting], settings: Sequence[Setting], meant: Sequence[str], program: Program, release: str
) -> dict[int, Rewriting]:
    """Besides, names written in short that the release would take for something else, or for nothing."""
    options = program.options(release)
    for index, (setting, flag) in enumerate(zip(settings, meant, strict=True)):
        if index in found or setting.name == flag or flag not in options:
            continue
        fitting = [name for name in options if name.startswith(setting.name)]
        if setting.name not in options and {options[name].flag for name in fitting} != {flag}:
            succession = Succession(flag, release, Kind.RENAMED, (flag,), (), release)
            found[index] = Rewriting(setting, succession, (Successor(flag),), bundle=index)
    return dict(sorted(found.items()))


def _of_the_actor(rewriting: Rewriting) -> Rewriting:
    """A flag of actor and critic as that of the actor alone; every other one as it is."""
    by = tuple(one for one in rewriting.by if not one.flag.startswith("--critic."))
    return replace(rewriting, by=by) if by else rewriting


def _without_clashes(found: Mapping[int, Rewriting], settings: Sequence[Setting]) -> list[Rewriting]:
    """The rewritings, except those that would give a flag that is given otherwise as well."""
    kept = {setting.name for index, setting in enumerate(settings) if index not in found}
    writers: dict[str, set[str]] = {}
    for rewriting in found.values():
        for one in rewriting.by:
            writers.setdefault(one.flag, set()).add(rewriting.setting.name)
    clashing: dict[int, str] = {}
    for rewriting in found.values():
        for one in rewriting.by:
            others = (writers[one.flag] - {rewriting.setting.name}) | ({one.flag} & kept)
            if others:
                clashing.setdefault(rewriting.bundle, f"{min(others)} gives {one.flag} as well")
    return [
        replace(one, by=(), lost=one.lost or clashing[one.bundle]) if one.bundle in clashing and one.by else one
        for one in found.values()
    ]


def changes(bundle: Sequence[Rewriting]) -> tuple[Change, ...]:
    """What to change for rewritings that hang together; nothing where one of them is lost."""
    if any(one.lost for one in bundle):
        return ()
    return tuple(map(_change, bundle))


def _change(rewriting: Rewriting) -> Change:
    if not rewriting.by:
        return Remove(rewriting.setting)
    if all(one.words is None for one in rewriting.by):
        return Rename(rewriting.setting, tuple(one.flag for one in rewriting.by))
    return Replace(rewriting.setting, tuple((one.flag, one.words) for one in rewriting.by))


def bundled(rewritings: Sequence[Rewriting]) -> list[list[Rewriting]]:
    """The rewritings, those together that have to be made together."""
    groups: dict[int, list[Rewriting]] = {}
    for rewriting in rewritings:
        groups.setdefault(rewriting.bundle, []).append(rewriting)
    return list(groups.values())
