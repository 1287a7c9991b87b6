"""Findings as text: with a frame of the source for people, a line each for editors and grep."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rlhflint.reports.frame import frame
from rlhflint.reports.links import rule_url
from rlhflint.reports.printable import printable, without_commands
from rlhflint.reports.secrets import Secrets
from rlhflint.severity import Applicability, Severity

if TYPE_CHECKING:
    from rlhflint.finding import Finding
    from rlhflint.result import FileResult, Result
    from rlhflint.text import Span

_COLOURS = {Severity.ERROR: "31", Severity.WARNING: "33", Severity.ADVICE: "36"}


def blocks(result: Result, *, colour: bool) -> str:
    """All findings with the source they stand in, a blank line behind each."""
    paint, seen, text = _Paint(colour), set[str](), ""
    for file in result.files:
        secrets = Secrets(file)
        for finding in file.findings:
            text += "\n".join(_block(finding, file, secrets, paint, known=finding.code in seen)) + "\n\n"
            seen.add(finding.code)
    return without_commands(text)


def lines(result: Result, *, colour: bool) -> str:
    """A line a finding."""
    paint, text = _Paint(colour), ""
    for file in result.files:
        secrets = Secrets(file)
        for finding in file.findings:
            message = " ".join(secrets.masked(finding.message).split("\n"))
            text += f"{where(finding.span, file)}: {_head(finding, message, paint)}\n"
    return without_commands(text)


def where(span: Span, file: FileResult) -> str:
    """`train.sh:12:5`, or `nb.ipynb:cell 3:2:1` in a notebook."""
    source = file.sources.get(span.path)
    if source is None:
        return printable(span.path)
    position = source.position(span.start)
    cell = f":cell {position.cell}" if position.cell else ""
    return f"{printable(span.path)}{cell}:{position.line}:{position.column}"


class _Paint:
    def __init__(self, on: bool) -> None:
        self._on = on

    def __call__(self, text: str, codes: str) -> str:
        return f"\x1b[{codes}m{text}\x1b[0m" if self._on and text else text


def _head(finding: Finding, message: str, paint: _Paint) -> str:
    severity = paint(finding.severity.value, f"1;{_COLOURS[finding.severity]}")
    return f"{severity}[{paint(finding.code, '1')}] {printable(message)}"


def _block(finding: Finding, file: FileResult, secrets: Secrets, paint: _Paint, *, known: bool) -> Iterator[str]:
    """The lines of one finding. `known`: a finding of the same rule was shown before."""
    message, *more = secrets.masked(finding.message).split("\n")
    yield _head(finding, message, paint)
    yield from (f"    {printable(line)}" for line in more)
    yield f"  {paint('-->', '34')} {where(finding.span, file)}"
    source = file.sources.get(finding.span.path)
    if source is not None:
        yield from frame(source, finding.span, secrets, paint, _COLOURS[finding.severity])
    for related in finding.related:
        place = where(related.span, file)
        yield from _note("note", "1", f"{secrets.masked(related.message)} ({place})", paint)
    if finding.help:
        yield from _note("help", "1;32", secrets.masked(finding.help), paint)
    fix = secrets.shown(finding.fix)
    if fix is not None:
        unsafe = " --unsafe" if fix.applicability is Applicability.UNSAFE else ""
        yield from _note("fix", "1;32", f"{fix.title} (rlhflint fix{unsafe})", paint)
    if not known:
        yield from _note("see", "1", rule_url(finding.code), paint)


def _note(label: str, codes: str, text: str, paint: _Paint) -> Iterator[str]:
    first, *more = text.split("\n")
    yield f"  {paint(label + ':', codes)} {printable(first)}"
    yield from (f"  {'':{len(label) + 1}} {printable(line)}" for line in more)
