"""The code quality report of GitLab: a list of findings with fingerprints."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rlhflint.reports.fingerprint import fingerprints
from rlhflint.reports.links import rule_url
from rlhflint.reports.printable import json_text
from rlhflint.reports.regions import region
from rlhflint.reports.secrets import Secrets
from rlhflint.severity import Severity

if TYPE_CHECKING:
    from rlhflint.reports.formats import Options
    from rlhflint.result import FileResult, Result

_SEVERITIES = {Severity.ERROR: "critical", Severity.WARNING: "major", Severity.ADVICE: "minor"}


def render(result: Result, options: Options) -> str:
    """One JSON array. The format has no place for statistics."""
    return json_text([entry for file in result.files for entry in _entries(file)])


def _entries(file: FileResult) -> list[dict[str, object]]:
    entries: list[dict[str, object]] = []
    secrets = Secrets(file)
    for finding, fingerprint in fingerprints(file):
        place = region(finding.span, file)
        message = secrets.masked(f"{finding.code}: {finding.message}")
        body = "\n\n".join(filter(None, (secrets.masked(finding.help), rule_url(finding.code))))
        entries.append(
            {
                "type": "issue",
                "check_name": finding.code,
                "description": f"{message} ({place.cell})" if place.cell else message,
                "content": {"body": body},
                "categories": ["Bug Risk"],
                "severity": _SEVERITIES[finding.severity],
                "fingerprint": fingerprint,
                "location": {
                    "path": finding.span.path,
                    "lines": {"begin": place.line, "end": place.end_line},
                },
            }
        )
    return entries
