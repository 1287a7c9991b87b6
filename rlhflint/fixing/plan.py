"""What is to be changed in one round: the fixes of findings, or the steps of a migration."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from rlhflint.finding import Applicability, Edit, Finding
from rlhflint.fixing.doubt import Doubt
from rlhflint.fixing.edits import touching
from rlhflint.fixing.every_way import Asked
from rlhflint.fixing.proposals import anchors, behind, edits_of
from rlhflint.fixing.rules import not_fixed
from rlhflint.proposal import IMPORTING, Add, Change, Move, Rewrite, Verbatim
from rlhflint.records import dataclass

if TYPE_CHECKING:
    from rlhflint.launch import Launch
    from rlhflint.result import FileResult
    from rlhflint.source import Source
    from rlhflint.text import Span


@dataclass(frozen=True, slots=True, eq=False)
class Planned:
    """A fix to make: its edits, the changes of settings they stand for, and the finding it puts right, if any.

    `wishers` are the launches, on every way, that ask for just these edits, by identity. `notes` are what there is to
    say once they are made.
    """

    title: str
    edits: tuple[Edit, ...]
    changes: tuple[Change, ...]
    wishers: frozenset[int] = frozenset()
    finding: Finding | None = None
    notes: tuple[Finding, ...] = ()

    @property
    def rewrites(self) -> bool:
        """It changes text that is no setting, so that what a launch says behind it cannot be told beforehand."""
        return any(
            isinstance(change, (Rewrite, *IMPORTING))
            or (isinstance(change, Add) and isinstance(change.value, Verbatim))
            for change in self.changes
        )


def of_findings(results: Iterable[FileResult], unsafe: bool) -> list[Planned]:
    """The fixes of findings; of a fix that several launches ask for, one."""
    found: dict[object, Planned] = {}
    for result in results:
        every = {id(judged.launch): judged.every for judged in result.launches}
        every |= {id(one): judged.every for judged in result.launches for one in judged.every}
        for finding in result.findings:
            fix = finding.fix
            if fix is None or (fix.applicability is Applicability.UNSAFE and not unsafe):
                continue
            changes: tuple[Change, ...] = tuple(Rewrite(edit.span, edit.text) for edit in fix.edits)
            if finding.proposal is not None:
                changes = finding.proposal.changes
            wishers = frozenset(map(id, every.get(id(finding.launch), ())))
            _add(found, Planned(fix.title, fix.edits, changes, wishers, finding), finding.code)
    return list(found.values())


def _add(found: dict[object, Planned], planned: Planned, *more: object) -> None:
    """Add a fix to others, its wishers to those of an equal one."""
    key = (planned.edits, *more)
    known = found.get(key)
    found[key] = replace(known, wishers=known.wishers | planned.wishers) if known is not None else planned


@dataclass(frozen=True, slots=True, eq=False)
class Wish:
    """What one launch would have changed: `changes` that hang together, and what there is to say once they are made."""

    launch: Launch
    title: str
    changes: tuple[Change, ...]
    notes: tuple[Finding, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Withheld:
    """What is not done: the changes, the launches that asked for them, by identity, and why it is not done.

    `finding` tells it at its place.
    """

    changes: tuple[Change, ...]
    wishers: frozenset[int]
    reason: str
    finding: Finding


def of_wishes(
    wishes: Sequence[Wish], launches: Sequence[Launch], sources: Mapping[str, Source]
) -> tuple[list[Planned], list[Withheld]]:
    """The wishes of all launches of some files as fixes, and those of which no edit is certain."""
    planned: dict[object, Planned] = {}
    withheld: list[Withheld] = []
    asked = Asked(wishes)
    for wish in sorted(_together(wishes, sources), key=_adds):
        try:
            asked.on_every_way(wish, launches)
            changes, edits = _certain(wish, launches, sources, planned.values())
        except Doubt as doubt:
            settings = (getattr(change, "setting", None) for change in wish.changes)
            span = next((setting.name_span for setting in settings if setting is not None), wish.launch.span)
            told = not_fixed(span, f"{not_done(wish.title)}, since {doubt}")
            withheld.append(Withheld(wish.changes, frozenset([id(wish.launch)]), str(doubt), told))
            continue
        if edits:
            _add(planned, Planned(wish.title, edits, changes, frozenset([id(wish.launch)]), notes=wish.notes))
    return list(planned.values()), withheld


def _together(wishes: Sequence[Wish], sources: Mapping[str, Source]) -> list[Wish]:
    """The wishes, those of one launch that add arguments to the same call as one.

    One for which no edit is certain stays alone, so that the others are made all the same.
    """
    found: list[Wish] = []
    into: dict[tuple[int, Span], list[Wish]] = {}
    for wish in wishes:
        calls = {change.into.span for change in wish.changes if isinstance(change, (Add, Move)) and change.into}
        if len(calls) != 1:
            found.append(wish)
            continue
        try:
            edits_of(wish.changes, wish.launch, sources)
        except Doubt:
            found.append(wish)
            continue
        into.setdefault((id(wish.launch), calls.pop()), []).append(wish)
    for group in into.values():
        changes = tuple(change for wish in group for change in wish.changes)
        notes = tuple(note for wish in group for note in wish.notes)
        found.append(Wish(group[0].launch, "; ".join(wish.title for wish in group), changes, notes))
    return found


def _adds(wish: Wish) -> bool:
    return any(isinstance(change, Add) for change in wish.changes)


def _certain(
    wish: Wish, launches: Sequence[Launch], sources: Mapping[str, Source], others: Iterable[Planned]
) -> tuple[tuple[Change, ...], tuple[Edit, ...]]:
    """The changes and edits of a wish; what is added stands where nothing else is edited. Raises `Doubt`."""
    if not any(isinstance(change, Add) and change.after is None and change.into is None for change in wish.changes):
        _given_on_no_way(wish, launches)
        return wish.changes, tuple(edits_of(wish.changes, wish.launch, sources))
    own = (wish.launch.span, wish.launch.program)
    ways = [one for one in launches if (one.span, one.program) == own]
    strangers = [one for one in launches if (one.span, one.program) != own]
    taken = [edit for other in others for edit in other.edits]
    for anchor in reversed(anchors(wish.launch, ways, strangers)):
        changes = behind(wish.changes, anchor)
        try:
            edits = tuple(edits_of(changes, wish.launch, sources))
        except Doubt:
            continue
        if not any(edit != other and touching(edit, other) for edit in edits for other in taken):
            return changes, edits
    raise Doubt("there is no setting of its own to write it behind")


def _given_on_no_way(wish: Wish, launches: Sequence[Launch]) -> None:
    """Raise `Doubt` where something would be added that is given already on another way to the launch."""
    added = {change.name for change in wish.changes if isinstance(change, Add)}
    for one in launches:
        if added and (one.span, one.program) == (wish.launch.span, wish.launch.program):
            twice = next((setting.name for setting in one.settings if setting.name in added), None)
            if twice is not None:
                raise Doubt(f"{twice} is given on another way to it")


def not_made(planned: Planned, reason: str) -> Finding:
    """The finding for a fix that something speaks against."""
    span = planned.finding.span if planned.finding is not None else planned.edits[0].span
    return not_fixed(span, f"{not_done(planned.title)}, since {reason}")


def not_done(title: str) -> str:
    """The beginning of what is told of something that is not done."""
    return f"not done: {title[:1].lower()}{title[1:]}"
