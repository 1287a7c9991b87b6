"""The SARIF 2.1.0 report, for code scanning and other viewers of static analysis."""

from __future__ import annotations

import os
from collections import defaultdict
from itertools import groupby
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from rlhflint import __version__
from rlhflint.finding import Edit, Finding, Fix, Severity
from rlhflint.reports.fingerprint import fingerprints
from rlhflint.reports.links import HOME, rule_url
from rlhflint.reports.printable import json_text
from rlhflint.reports.regions import region
from rlhflint.reports.secrets import MASK, Secrets
from rlhflint.result import by_code

if TYPE_CHECKING:
    from rlhflint.reports.formats import Options
    from rlhflint.result import FileResult, Result
    from rlhflint.rule import Rule
    from rlhflint.text import Span

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.ADVICE: "note"}
_PROBLEMS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.ADVICE: "recommendation"}
"""The names that GitHub sorts alerts by."""
_BASE = "%SRCROOT%"
_LONGEST_SNIPPET = 1000


def render(result: Result, options: Options) -> str:
    """One run with all findings; the rules that they broke are described in it."""
    rules = _rules(result)
    indexes = {rule["id"]: index for index, rule in enumerate(rules)}
    run: dict[str, Any] = {
        "tool": {
            "driver": {
                "name": "rlhflint",
                "version": __version__,
                "semanticVersion": __version__,
                "informationUri": HOME,
                "rules": rules,
            }
        },
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": {_BASE: {"description": {"text": "The folder that rlhflint was started in."}}},
        "invocations": [{"executionSuccessful": not result.broken}],
        "results": [one for file in result.files for one in _results(file, indexes)],
    }
    if options.statistics:
        run["properties"] = {
            "statistics": {code: count for (code, _), count in sorted(by_code(result.findings).items())}
        }
    return json_text({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]})


def _rules(result: Result) -> list[dict[str, Any]]:
    """The rules that findings name, by code, with what their own records say of them."""
    names = {finding.code: finding for finding in result.findings}
    if not names:
        return []
    from rlhflint.rules import load_all  # a finding may be an earlier run's, and its rule not loaded

    records = defaultdict(list)
    for rule in load_all():
        records[rule.code].append(rule)
    return [_described(finding, records.get(code, [])) for code, finding in sorted(names.items())]


def _described(finding: Finding, records: list[Rule]) -> dict[str, Any]:
    described: dict[str, Any] = {"id": finding.code, "name": finding.name, "helpUri": rule_url(finding.code)}
    severity, stage = finding.severity, finding.stage
    if records:
        from rlhflint.page import markdown, page

        severity, stage = records[0].severity, records[0].stage
        text = "\n\n".join(record.documentation for record in records)
        described["shortDescription"] = {"text": page(records[0].documentation).summary}
        described["fullDescription"] = {"text": text}
        described["help"] = {"text": text, "markdown": markdown(records)}
    described["defaultConfiguration"] = {"level": _LEVELS[severity]}
    described["properties"] = {
        "tags": [f"stage/{stage.value}"],
        "precision": "very-high",
        "problem.severity": _PROBLEMS[severity],
    }
    return described


def _results(file: FileResult, indexes: dict[str, int]) -> list[dict[str, Any]]:
    secrets = Secrets(file)
    return [_result(finding, fingerprint, file, secrets, indexes) for finding, fingerprint in fingerprints(file)]


def _result(
    finding: Finding, fingerprint: str, file: FileResult, secrets: Secrets, indexes: dict[str, int]
) -> dict[str, Any]:
    cell = region(finding.span, file).cell
    text = secrets.masked("\n".join(filter(None, (finding.message, finding.help))))
    made: dict[str, Any] = {
        "ruleId": finding.code,
        "ruleIndex": indexes[finding.code],
        "level": _LEVELS[finding.severity],
        "message": {"text": f"{text}\n({cell})" if cell else text},
        "locations": [{"physicalLocation": _place(finding.span, file, secrets)}],
        "partialFingerprints": {"rlhflint/v1": fingerprint},
        "properties": {
            "stage": finding.stage.value,
            "program": finding.program,
            "settings": list(finding.settings),
            "versions": dict(finding.versions),
        },
    }
    if finding.related:
        made["relatedLocations"] = [
            {
                "id": index,
                "message": {"text": secrets.masked(related.message)},
                "physicalLocation": _place(related.span, file, secrets),
            }
            for index, related in enumerate(finding.related, 1)
        ]
    fix = secrets.shown(finding.fix)
    if fix is not None and all(edit.span.path in file.sources for edit in fix.edits):
        made["fixes"] = [_fix(fix, file)]
    return made


def _place(span: Span, file: FileResult, secrets: Secrets) -> dict[str, Any]:
    made = _region(span, file)
    source = file.sources.get(span.path)
    if source is not None and 0 < len(span) <= _LONGEST_SNIPPET:
        text = source.text[span.start : span.end]
        hidden = secrets.hides(span.path, range(span.start, span.end))
        shown = "".join(MASK if hide else one for one, hide in zip(text, hidden, strict=False))
        made["snippet"] = {"text": secrets.masked(shown)}
    return {"artifactLocation": _artifact(span.path), "region": made}


def _region(span: Span, file: FileResult) -> dict[str, Any]:
    place = region(span, file)
    return {
        "startLine": place.line,
        "startColumn": place.column,
        "endLine": place.end_line,
        "endColumn": place.end_column,
    }


def _artifact(path: str) -> dict[str, str]:
    written = quote(os.fsencode(path))
    return {"uri": f"file://{written}"} if path.startswith("/") else {"uri": written, "uriBaseId": _BASE}


def _fix(fix: Fix, file: FileResult) -> dict[str, Any]:
    def path_of(edit: Edit) -> str:
        return edit.span.path

    return {
        "description": {"text": f"{fix.title} ({fix.applicability.value})"},
        "artifactChanges": [
            {
                "artifactLocation": _artifact(path),
                "replacements": [
                    {"deletedRegion": _region(edit.span, file), "insertedContent": {"text": edit.text}}
                    for edit in edits
                ],
            }
            for path, edits in groupby(sorted(fix.edits), path_of)
        ],
        "properties": {"applicability": fix.applicability.value},
    }
