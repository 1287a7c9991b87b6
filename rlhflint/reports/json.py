"""The JSON report: one object, for programs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rlhflint import __version__
from rlhflint.finding import Finding, Fix
from rlhflint.reports.links import rule_url
from rlhflint.reports.printable import json_text
from rlhflint.reports.secrets import Secrets
from rlhflint.result import by_code

if TYPE_CHECKING:
    from rlhflint.reports.formats import Options
    from rlhflint.result import FileResult, Result
    from rlhflint.source import Source
    from rlhflint.text import Span

SCHEMA_VERSION = 1


def render(result: Result, options: Options) -> str:
    """The whole report, ending in a line end."""
    report: dict[str, Any] = {
        "schema_version": SCHEMA_VERSION,
        "tool": {"name": "rlhflint", "version": __version__},
        "findings": [one for file in result.files for one in _objects(file)],
        "summary": result.summary(),
    }
    if options.statistics:
        counts = sorted(by_code(result.findings).items(), key=lambda item: (-item[1], item[0]))
        report["statistics"] = [{"code": code, "name": name, "count": count} for (code, name), count in counts]
    return json_text(report)


def _objects(file: FileResult) -> list[dict[str, Any]]:
    secrets = Secrets(file)
    return [as_object(finding, file, secrets) for finding in file.findings]


def as_object(finding: Finding, file: FileResult, secrets: Secrets) -> dict[str, Any]:
    """One finding; line and column as its file counts them."""
    return {
        "code": finding.code,
        "name": finding.name,
        "severity": finding.severity.value,
        "stage": finding.stage.value,
        "message": secrets.masked(finding.message),
        "help": secrets.masked(finding.help),
        **place(finding.span, file.sources),
        "program": finding.program,
        "settings": list(finding.settings),
        "related": [
            {**place(one.span, file.sources), "message": secrets.masked(one.message)} for one in finding.related
        ],
        "versions": dict(finding.versions),
        "fix": _fix(secrets.shown(finding.fix)),
        "url": rule_url(finding.code),
    }


def place(span: Span, sources: dict[str, Source]) -> dict[str, Any]:
    """Path, lines and columns of a span; `cell` where it lies in a notebook."""
    source = sources.get(span.path)
    if source is None:
        return {"path": span.path, "line": 1, "column": 1, "end_line": 1, "end_column": 1}
    start, end = source.position(span.start), source.position(span.end)
    cell = {} if start.cell is None else {"cell": start.cell}
    return {
        "path": span.path,
        "line": start.line,
        "column": start.column,
        "end_line": end.line,
        "end_column": end.column,
        **cell,
    }


def _fix(fix: Fix | None) -> dict[str, Any] | None:
    if fix is None:
        return None
    return {
        "title": fix.title,
        "applicability": fix.applicability.value,
        "edits": [
            {"path": edit.span.path, "start": edit.span.start, "end": edit.span.end, "text": edit.text}
            for edit in fix.edits
        ],
    }
