"""Whether a changed text says what it is meant to say: read again and checked again before anything is written."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence, Set
from typing import TYPE_CHECKING, TypeAlias

from rlhflint.finding import Edit, Finding, Severity
from rlhflint.fixing.intended import LOOSE, Said, alike, holes, intended, said
from rlhflint.fixing.told import moved

if TYPE_CHECKING:
    from rlhflint.command import Command
    from rlhflint.launch import Launch
    from rlhflint.proposal import Change
    from rlhflint.result import FileResult
    from rlhflint.text import Span

_SHELL = ("eval", "bash", "sh", "source", ".", "local", "declare", "typeset", "readonly", "export", "set", "shift")
"""Commands whose words are a script, which is read itself, or assignments, whose use is what counts."""

Around: TypeAlias = tuple[str, tuple[str, ...], tuple[tuple[str, str], ...]]
"""A launch without its settings: program, the words in front of them, environment."""


def objection(
    before: FileResult,
    after: FileResult,
    changes: Sequence[Change] | None,
    written: Sequence[Span] | None = None,
    unmoved: FileResult | None = None,
) -> str:
    """Why the changes of a file must not be made; empty if nothing speaks against them.

    Args:
        before: the file as it was.
        after: the file with the changes.
        changes: of settings, that were made; None if others were made as well, so that the settings may be anything.
        written: for a move to another release, the places that were written. That release has rules of its own, and
            new findings are what the launch meets there; only a written name that it refuses speaks against the move.
        unmoved: for such a move, the file with the changes as the release reads it that the launch comes from. In
            Python an argument without a name may stand at another's place at the release moved to until it gets its
            name, which is a change for itself.
    """
    if after.broken and not before.broken:
        errors = [one for one in after.findings if one.severity is Severity.ERROR]
        told = min(errors, key=lambda one: not one.code.startswith("RL"), default=None)
        return f"it could not be read any more ({'broken' if told is None else told.message})"
    if len(set(map(_start, launches_of(after)))) < len(set(map(_start, launches_of(before)))):
        return "less would be started than before"
    if changes is not None:
        reason = _settings(before, after, changes, unmoved) or _others(before, after)
        if reason:
            return reason
    if written is not None:
        return _refused(after, written)
    fresh = next(_new(before.findings, after.findings), None)
    return f"{fresh.code} would be found then: {fresh.message}" if fresh is not None else ""


def _refused(after: FileResult, written: Sequence[Span]) -> str:
    """Which of the names that were written the program does not take."""
    for launch in launches_of(after):
        for setting in launch.refused:
            at = setting.name_span
            if any(one.path == at.path and one.start < at.end and at.start < one.end for one in written):
                return f"{launch.program.partition(':')[2]} would refuse {setting.name}"
    return ""


def unmended(before: Iterable[Finding], after: Iterable[Finding], fixed: Iterable[Finding], edits: Set[Edit]) -> str:
    """Which of the findings that were to be put right stands at its place as before; empty where none does.

    `edits` are all that were made for them. What says something else about no setting is another finding.
    """
    old, new = list(before), list(after)
    for finding in fixed:
        stays = _like(finding, moved(finding.span, edits), new)
        if stays and stays >= _like(finding, finding.span, old):
            return f"{finding.code} would be found there all the same"
    return ""


def _like(finding: Finding, place: Span, others: Iterable[Finding]) -> int:
    """How many findings say the same of a place, or of the quotes around it."""
    return sum(
        (one.code, one.settings) == (finding.code, finding.settings)
        and bool(one.settings or one.message == finding.message)
        and one.span.path == place.path
        and one.span.start <= place.end + 1
        and place.start <= one.span.end + 1
        for one in others
    )


def _new(before: Iterable[Finding], after: Iterable[Finding]) -> Iterator[Finding]:
    """The findings of rules about settings that were not found before, wherever they stand."""
    left = Counter(_key(finding) for finding in before)
    for finding in after:
        if left[_key(finding)] > 0:
            left[_key(finding)] -= 1
        else:
            yield finding


def _key(finding: Finding) -> tuple[str, tuple[str, ...]]:
    return finding.code, finding.settings


def _settings(before: FileResult, after: FileResult, changes: Sequence[Change], unmoved: FileResult | None) -> str:
    meant = {(_around(launch), intended(launch, changes)): launch for launch in launches_of(before)}
    read = {(_around(launch), said(launch)): launch for launch in launches_of(after)}
    as_before = launches_of(unmoved) if unmoved is not None else ()
    calls = {(_around(launch), said(launch)) for launch in as_before if launch.command is None}
    # A release that does not have a program reads no settings in its words, which are the same then.
    unread = {_words(launch) for launch in launches_of(after) if launch.command is not None and not launch.settings}
    for (around, settings), launch in meant.items():
        if (around, settings) not in read and (around, settings) not in calls and _words(launch) not in unread:
            others = [found for start, found in read if start == around and (start, found) not in meant]
            likely = (found for (start, one), found in read.items() if start == around and alike(settings, one))
            if any(_has_the_unknown_words_of(found, launch, settings) for found in likely):
                continue
            program = launch.program.partition(":")[2]
            if not others:
                return f"{program} would be started differently"
            nearest = min(others, key=lambda found: len(set(found).symmetric_difference(settings)))
            return f"{program} would be given {_difference(settings, nearest)}"
    if len(read) > len(meant):
        return "more would be started than before"
    return ""


def _has_the_unknown_words_of(after: Launch, before: Launch, meant: Said) -> bool:
    """Whether a launch has as many words that are not known as it is meant to keep."""
    inside = (holes(word for _, values in one for words in values for word in words) for one in (said(before), meant))
    taken_out = next(inside) - next(inside)
    return holes(_words(after)) == holes(_words(before)) - taken_out


def _words(launch: Launch) -> tuple[str, ...]:
    return tuple(word.text for word in launch.command.words) if launch.command is not None else ()


def _difference(meant: Said, read: Said) -> str:
    name = next((name for name, values in [*meant, *read] if dict(meant).get(name) != dict(read).get(name)), LOOSE)
    if name == LOOSE:
        return "other words that no option takes"
    wanted, found = dict(meant).get(name), dict(read).get(name)
    if found is None:
        return f"no {name}"
    values = ", ".join(" ".join(words) for words in found)
    return f"{name} {values}".strip() + ("" if wanted is not None else " besides")


def _others(before: FileResult, after: FileResult) -> str:
    """Which other command of the file would be given other words, or run for the first time."""
    old, new = (
        {tuple(word.text for word in one.words) for one in other_commands(result)} for result in (before, after)
    )
    for changed, how in ((old - new, "get other words"), (new - old, "be run besides")):
        if changed:
            return f"`{' '.join(min(changed)[:3])}` would {how}"
    return ""


def other_commands(result: FileResult) -> Iterator[Command]:
    """The commands of a file that start something else than its launches, and do more than look around."""
    if result.document is None:
        return
    from rlhflint.readers.shell import is_notable

    launches = list(launches_of(result))
    own = {id(launch.command) for launch in launches}
    around = {words for launch in launches if launch.command is not None for words in launch.command.within}
    for script in result.document.scripts:
        for command in script.commands:
            if id(command) in own or command.words in around:
                continue
            if is_notable(command) and command.words[0].text not in _SHELL:
                yield command


def launches_of(result: FileResult) -> Iterator[Launch]:
    """The launches of a file on every way."""
    for judged in result.launches:
        yield from judged.every or (judged.launch,)


def _start(launch: Launch) -> tuple[object, ...]:
    """The place that a launch is started from: ways from one place may come to the same when they are changed."""
    within = launch.command.within if launch.command is not None else ()
    return launch.program, launch.span, *(words[0].span for words in within if words)


def _around(launch: Launch) -> Around:
    words: tuple[str, ...] = ()
    if launch.command is not None and launch.start is not None:
        count = len(launch.command.words) - len(launch.start.arguments)
        words = tuple(word.text for word in launch.command.words[:count])
    environment = sorted((name, repr(value)) for name, value in launch.environment.items())
    return launch.program, words, tuple(environment)
