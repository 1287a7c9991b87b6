"""A launch chosen on the command line: PATH where a file holds one, PATH:LINE where it holds several."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import click

from rlhflint.expressions import expression
from rlhflint.judged import Chosen, line_at, line_of
from rlhflint.project.discovery import Candidate
from rlhflint.project.kinds import FileKind, kind_of_file
from rlhflint.reports.printable import printable
from rlhflint.wording import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rlhflint.check import Checker
    from rlhflint.judged import Judged
    from rlhflint.launch import Launch
    from rlhflint.result import FileResult

_WITH_LINE = expression(r"(?P<path>.+):(?P<line>\d{1,9})")


def chosen(checker: Checker, text: str) -> Chosen:
    """The one launch that `PATH` or `PATH:LINE` means.

    Raises `click.UsageError` where that is none or not one, and `ConfigError` as the checker does.
    """
    file, found = _found(checker, text)
    if len(found) > 1:
        raise click.UsageError(f"{text} holds {len(found)} launches; choose one: {_listed(split(text)[0], file)}")
    return Chosen(file, found[0], checker.model(file, found[0].launch))


def all_chosen(checker: Checker, text: str) -> list[Chosen]:
    """All launches of `PATH`, or those that `PATH:LINE` means; at least one. Raises as `chosen` does."""
    file, found = _found(checker, text)
    return [Chosen(file, judged, checker.model(file, judged.launch)) for judged in found]


def _found(checker: Checker, text: str) -> tuple[FileResult, list[Judged]]:
    path, line = split(text)
    file = _read(checker, path)
    if not file.launches:
        raise click.UsageError(f"{path} holds no launch")
    found = [judged for judged in file.launches if line is None or _covers(file, judged.launch, line)]
    if line is not None and not found:
        if line > (last := _lines(file)):
            raise click.UsageError(f"{path} has {counted(last, 'line')}; {_listed(path, file)}")
        found = _before(file, line)
        if not found:
            raise click.UsageError(f"{path} holds no launch at or before line {line}; {_listed(path, file)}")
        told = f"line {line} is in no launch; the one before it is taken: {_listed(path, file, found)}"
        click.echo(printable(told), err=True)
    return file, found


def split(text: str) -> tuple[str, int | None]:
    """Path and line of `PATH:LINE`; a file of that very name is the path."""
    match = _WITH_LINE.fullmatch(text)
    if match is None or os.path.lexists(text):
        return text, None
    return match["path"], int(match["line"])


def _read(checker: Checker, path: str) -> FileResult:
    if not os.path.isfile(path):
        raise click.UsageError(f"{path} is {'no file' if os.path.lexists(path) else 'not there'}")
    result = checker.check_file(Candidate(path, kind_of_file(path) or FileKind.OTHER))
    if result is None:
        raise click.UsageError(f"{path} is of no kind that holds launches")
    if result.broken and not result.launches:
        reasons = "; ".join(finding.message for finding in result.findings if finding.code.startswith("RL"))
        raise click.UsageError(f"{path} could not be read: {reasons}")
    return result


def _covers(file: FileResult, launch: Launch, line: int) -> bool:
    """Whether a line lies in the command of a launch, or is the one it begins on."""
    whole = launch.command.span if launch.command is not None else launch.span
    return (
        line_at(file, whole.path, whole.start)
        <= line
        <= max(line_at(file, whole.path, whole.end), line_of(file, launch))
    )


def _before(file: FileResult, line: int) -> list[Judged]:
    """The last launch that begins before a line."""
    before = [judged for judged in file.launches if line_of(file, judged.launch) <= line]
    last = max((line_of(file, judged.launch) for judged in before), default=0)
    return [judged for judged in before if line_of(file, judged.launch) == last]


def _lines(file: FileResult) -> int:
    return len(file.sources[file.path].text.removesuffix("\n").split("\n"))


def _listed(path: str, file: FileResult, launches: Sequence[Judged] | None = None) -> str:
    shown = file.launches[:12] if launches is None else launches
    return ", ".join(f"{path}:{line_of(file, one.launch)} ({one.launch.program})" for one in shown)
