"""What reports tell of a file, in a form that another process or a later run can read: lists, texts and numbers.

What a launch was made of, and what a rule proposed, is left out: fixes are in the findings, and reports need no more.
"""

from __future__ import annotations

from typing import Any

from rlhflint.finding import Edit, Finding, Fix, Related
from rlhflint.judged import Judged, Undecided
from rlhflint.launch import Launch, Version
from rlhflint.result import FileResult
from rlhflint.severity import Applicability, Severity, Stage
from rlhflint.source import Source
from rlhflint.text import Span


def packed(result: FileResult) -> list[Any] | None:
    """A result as JSON holds it; None where that cannot be done: in a notebook places are counted by a function."""
    if any(source.locate is not None for source in result.sources.values()):
        return None
    return [
        result.path,
        {path: source.text for path, source in result.sources.items()},
        [_finding(finding) for finding in result.findings],
        [_judged(judged) for judged in result.launches],
        result.suppressed,
        [_span(span) for span in result.secrets],
        result.broken,
    ]


def unpacked(held: list[Any]) -> FileResult:
    """The result that was packed. Raises `ValueError`, `TypeError` or `KeyError` for what `packed` does not make."""
    path, sources, findings, launches, suppressed, secrets, broken = held
    return FileResult(
        path,
        {name: Source(name, text) for name, text in sources.items()},
        tuple(map(_finding_of, findings)),
        tuple(map(_judged_of, launches)),
        suppressed,
        secrets=tuple(Span(*span) for span in secrets),
        broken=broken,
    )


def _span(span: Span) -> list[Any]:
    return [span.path, span.start, span.end]


def _finding(finding: Finding) -> list[Any]:
    fix = finding.fix
    return [
        finding.code,
        finding.name,
        finding.severity.value,
        finding.stage.value,
        finding.message,
        _span(finding.span),
        finding.help,
        finding.program,
        list(finding.settings),
        [[_span(related.span), related.message] for related in finding.related],
        dict(finding.versions),
        fix and [fix.title, fix.applicability.value, [[_span(edit.span), edit.text] for edit in fix.edits]],
        finding.conceal,
    ]


def _finding_of(held: list[Any]) -> Finding:
    code, name, severity, stage, message, span, text, program, settings, related, versions, fix, conceal = held
    return Finding(
        code,
        name,
        Severity(severity),
        Stage(stage),
        message,
        Span(*span),
        text,
        program,
        tuple(settings),
        tuple(Related(Span(*place), words) for place, words in related),
        versions,
        fix and _fix_of(*fix),
        conceal,
    )


def _fix_of(title: str, applicability: str, edits: list[Any]) -> Fix:
    return Fix(title, Applicability(applicability), tuple(Edit(Span(*span), text) for span, text in edits))


def _judged(judged: Judged) -> list[Any]:
    launch = judged.launch
    return [
        launch.program,
        launch.path,
        _span(launch.span),
        {
            package: [one.name, one.value, one.source, one.stated, one.specifier, one.statement]
            for package, one in launch.versions.items()
        },
        [[one.code, one.what, one.because] for one in judged.undecided],
        judged.ways,
    ]


def _judged_of(held: list[Any]) -> Judged:
    program, path, span, versions, undecided, ways = held
    releases = {package: Version(*one) for package, one in versions.items()}
    launch = Launch(program, path, Span(*span), versions=releases)
    return Judged(launch, tuple(Undecided(*one) for one in undecided), ways)
