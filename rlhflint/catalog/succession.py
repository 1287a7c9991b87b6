"""What stands for a flag at a release that does not accept it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rlhflint.catalog.changes import Kind, Step
from rlhflint.records import dataclass

if TYPE_CHECKING:
    from rlhflint.catalog.program import Program


@dataclass(frozen=True, slots=True)
class Succession:
    """The way from a flag to those that stand for it at `release`.

    `kind` sums it up: the value goes along as it is where it is renamed, split or joined; for replaced and inverted
    flags the last of `steps` with a `replacement` says how values map. `flags` are the flags to write, empty for one
    that was removed. `last` is the last release that accepted the flag, or the first one for a flag that came later.
    `backward`: the flag is newer than the release, and the steps are taken from their ends to their beginnings.
    """

    flag: str
    release: str
    kind: Kind
    flags: tuple[str, ...]
    steps: tuple[Step, ...]
    last: str
    backward: bool = False

    @property
    def since(self) -> str:
        """The release of the first step: the first one that no longer, or already, accepts the flag."""
        return self.steps[0].release

    @property
    def note(self) -> str:
        """What the overlay says about it."""
        return next((step.note for step in reversed(self.steps) if step.note), "")

    @property
    def dead(self) -> bool:
        """It was removed, and nothing had read it before."""
        return self.kind is Kind.REMOVED and self.steps[-1].dead


def successors(program: Program, flag: str, release: str) -> Succession | None:
    """See `Program.successors`."""
    history = program.history(flag)
    if not history or program.releases.at(history, release) is not None:
        return None
    releases = program.releases
    wanted = releases.position(release)
    before = [last for _, last in map(releases.bounds, history) if last < wanted]
    if before:
        position = max(before)
        ways = list(_forward(program, flag, position, wanted))
        last, backward = releases[position], False
    else:
        position = min(first for first, _ in map(releases.bounds, history))
        ways = list(_backward(program, flag, position, wanted))
        last, backward = releases[position], True
    if not ways:
        return None
    steps = tuple(dict.fromkeys(step for way, _ in ways for step in way))
    flags = tuple(dict.fromkeys(end for _, end in ways if end))
    return Succession(flag, release, kind_of(steps, flags, backward=backward), flags, steps, last, backward)


def _forward(program: Program, flag: str, position: int, wanted: int) -> Iterator[tuple[tuple[Step, ...], str]]:
    """Ways to what stands for a flag at `wanted`; an empty text where nothing does."""
    if program.accepts(flag, program.releases[wanted]):
        yield (), flag
        return
    steps = [
        step for step in program.steps.get(flag, ()) if position < program.releases.position(step.release) <= wanted
    ]
    onward = [step for step in steps if step.kind is not Kind.REMOVED] or steps[-1:]
    for step in onward[:1]:
        if not step.to:
            yield (step,), ""
        for new in step.to:
            for rest, end in _forward(program, new, program.releases.position(step.release), wanted):
                yield (step, *rest), end


def _backward(program: Program, flag: str, position: int, wanted: int) -> Iterator[tuple[tuple[Step, ...], str]]:
    """Ways back to what a newer flag was at `wanted`; none if nothing was.

    A flag that took over its own name with another meaning leads back to all that it was made from.
    """
    for step in program.origins.get(flag, ()):
        at = program.releases.position(step.release)
        if not wanted < at <= position:
            continue
        if program.accepts(step.flag, program.releases[wanted]) and not _remade(program, step.flag, wanted, at - 1):
            yield (step,), step.flag
        elif step.flag != flag:
            for rest, end in _backward(program, step.flag, at - 1, wanted):
                yield (step, *rest), end


def _remade(program: Program, flag: str, wanted: int, position: int) -> bool:
    """Whether a flag was given another meaning under its own name behind `wanted` and up to `position`."""
    own = (step for step in program.origins.get(flag, ()) if step.flag == flag)
    return any(wanted < program.releases.position(step.release) <= position for step in own)


def kind_of(steps: tuple[Step, ...], flags: tuple[str, ...], *, backward: bool) -> Kind:
    """What steps that lead to these flags come down to."""
    if not flags:
        return Kind.REMOVED
    kinds = {step.kind for step in steps}
    for kind in (Kind.INVERTED, Kind.REPLACED):
        if kind in kinds:
            return kind
    if Kind.SPLIT in kinds:
        return Kind.JOINED if backward else Kind.SPLIT
    return Kind.RENAMED
