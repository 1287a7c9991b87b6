"""The JSON report: one object, for programs."""

from __future__ import annotations

import json
from typing import Any

from rlhflint import __version__
from rlhflint.finding import Finding, Fix
from rlhflint.reports.links import rule_url
from rlhflint.result import FileResult, Result
from rlhflint.source import Source
from rlhflint.text import Span

SCHEMA_VERSION = 1


def render(result: Result) -> str:
    """The whole report, ending in a line end."""
    report = {
        "schema_version": SCHEMA_VERSION,
        "tool": {"name": "rlhflint", "version": __version__},
        "findings": [as_object(finding, file) for file in result.files for finding in file.findings],
        "summary": result.summary(),
    }
    return json.dumps(report, indent=2, ensure_ascii=False) + "\n"


def as_object(finding: Finding, file: FileResult) -> dict[str, Any]:
    """One finding; line and column as its file counts them."""
    return {
        "code": finding.code,
        "name": finding.name,
        "severity": finding.severity.value,
        "stage": finding.stage.value,
        "message": finding.message,
        "help": finding.help,
        **place(finding.span, file.sources),
        "program": finding.program,
        "settings": list(finding.settings),
        "related": [{**place(one.span, file.sources), "message": one.message} for one in finding.related],
        "versions": dict(finding.versions),
        "fix": _fix(finding.fix) if finding.fix else None,
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


def _fix(fix: Fix) -> dict[str, Any]:
    return {
        "title": fix.title,
        "applicability": fix.applicability.value,
        "edits": [
            {"path": edit.span.path, "start": edit.span.start, "end": edit.span.end, "text": edit.text}
            for edit in fix.edits
        ],
    }
