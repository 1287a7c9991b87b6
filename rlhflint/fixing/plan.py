"""What is to be changed in one round: the fixes of findings, or the steps of a migration."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rlhflint.finding import Applicability, Edit, Finding
from rlhflint.fixing.doubt import Doubt
from rlhflint.fixing.proposals import anchored, edits_of
from rlhflint.fixing.rules import not_fixed
from rlhflint.proposal import Change, Rewrite

if TYPE_CHECKING:
    from rlhflint.launch import Launch, Setting
    from rlhflint.result import FileResult
    from rlhflint.source import Source
    from rlhflint.text import Span


@dataclass(frozen=True, slots=True, eq=False)
class Planned:
    """A fix to make: its edits, the changes of settings they stand for, and the finding it puts right, if any."""

    title: str
    edits: tuple[Edit, ...]
    changes: tuple[Change, ...]
    finding: Finding | None = None

    @property
    def rewrites(self) -> bool:
        """It changes text that is no setting, so that what a launch says behind it cannot be told beforehand."""
        return any(isinstance(change, Rewrite) for change in self.changes)


def of_findings(results: Iterable[FileResult], unsafe: bool) -> list[Planned]:
    """The fixes of findings; of a fix that several files ask for, one."""
    found: dict[object, Planned] = {}
    for result in results:
        for finding in result.findings:
            fix = finding.fix
            if fix is None or (fix.applicability is Applicability.UNSAFE and not unsafe):
                continue
            changes: tuple[Change, ...] = tuple(Rewrite(edit.span, edit.text) for edit in fix.edits)
            if finding.proposal is not None:
                changes = finding.proposal.changes
            found.setdefault((finding.code, fix.edits), Planned(fix.title, fix.edits, changes, finding))
    return list(found.values())


@dataclass(frozen=True, slots=True, eq=False)
class Wish:
    """What one launch would have changed: `changes` that hang together."""

    launch: Launch
    title: str
    changes: tuple[Change, ...]


def of_wishes(
    wishes: Sequence[Wish], launches: Sequence[Launch], sources: Mapping[str, Source]
) -> tuple[list[Planned], list[Finding]]:
    """The wishes of all launches of some files brought together, and what stays because they differ.

    A launch that shares a text with another one has to wish the same for it; settings without a wish stay as they are.
    """
    stays = _contested(wishes, launches)
    planned: dict[object, Planned] = {}
    findings: dict[object, Finding] = {}
    for wish in wishes:
        contested = next((setting for setting in _settings(wish.changes) if _place(setting) in stays), None)
        if contested is not None:
            span = contested.name_span
            programs = stays[_place(contested)]
            message = f"{contested.name} is left as it is: {programs} share this text and need it written differently"
            findings.setdefault(span, not_fixed(span, message, "give each command a text of its own"))
            continue
        try:
            ways = [one for one in launches if (one.span, one.program) == (wish.launch.span, wish.launch.program)]
            others = [one for one in launches if one not in ways]
            changes = anchored(wish.changes, wish.launch, ways, others)
            edits = tuple(edits_of(changes, wish.launch, sources))
        except Doubt as doubt:
            span = next((setting.name_span for setting in _settings(wish.changes)), wish.launch.span)
            message = f"not done: {wish.title[:1].lower()}{wish.title[1:]}, since {doubt}"
            findings.setdefault((span, wish.title), not_fixed(span, message))
            continue
        if edits:
            planned.setdefault(edits, Planned(wish.title, edits, changes))
    return list(planned.values()), list(findings.values())


def _contested(wishes: Sequence[Wish], launches: Sequence[Launch]) -> dict[object, str]:
    """The places of settings that launches wish to change differently, and who they are."""
    wished: dict[int, dict[object, tuple[Change, ...]]] = {}
    for wish in wishes:
        for setting in _settings(wish.changes):
            wished.setdefault(id(wish.launch), {})[_place(setting)] = wish.changes
    ways: dict[object, dict[object, list[Launch]]] = {}
    for launch in launches:
        own = wished.get(id(launch), {})
        for setting in launch.settings:
            changes = own.get(_place(setting), ())
            outcome = tuple(_outcome(change) for change in changes)
            ways.setdefault(_place(setting), {}).setdefault(outcome, []).append(launch)
    return {place: _named(outcomes.values()) for place, outcomes in ways.items() if len(outcomes) > 1}


def _outcome(change: Change) -> object:
    """A change as something that is equal for equal changes of settings in several launches."""
    setting = getattr(change, "setting", None)
    rest = tuple(
        repr(getattr(change, name)) for name in ("names", "by", "value", "name", "text") if hasattr(change, name)
    )
    return type(change).__name__, _place(setting) if setting is not None else None, rest


def _named(groups: Iterable[Sequence[Launch]]) -> str:
    names = list(dict.fromkeys(launch.program.partition(":")[2] for group in groups for launch in group))
    if len(names) == 1:
        return f"several launches of {names[0]}"
    return f"{', '.join(names[:-1])} and {names[-1]}"


def _settings(changes: Iterable[Change]) -> Iterator[Setting]:
    for change in changes:
        setting: Setting | None = getattr(change, "setting", None)
        if setting is not None:
            yield setting


def _place(setting: Setting) -> tuple[Span, str]:
    return setting.name_span, setting.name


def left_alone(planned: Sequence[Planned], shared: Mapping[Span, str]) -> tuple[list[Planned], list[Finding]]:
    """What can be done without changing other commands, and a finding for everything else.

    `shared` are the places that make words of other commands, with their names.
    """
    kept: list[Planned] = []
    findings: dict[object, Finding] = {}
    for one in planned:
        user = next((user for edit in one.edits for span, user in shared.items() if _within(edit.span, span)), None)
        if user is None:
            kept.append(one)
            continue
        span = one.edits[0].span
        message = f"not done: {one.title[:1].lower()}{one.title[1:]}. `{user}` uses this text as well"
        findings.setdefault(span, not_fixed(span, message, "give each command a text of its own"))
    return kept, list(findings.values())


def _within(edit: Span, span: Span) -> bool:
    if edit.path != span.path:
        return False
    if edit.start == edit.end:
        return span.start <= edit.start <= span.end
    return edit.start < span.end and span.start < edit.end
