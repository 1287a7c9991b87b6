"""Annotations of GitHub Actions: one workflow command a finding, then the sum."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rlhflint.finding import Finding, Severity
from rlhflint.reports.links import rule_url
from rlhflint.reports.printable import printable, without_commands
from rlhflint.reports.regions import region
from rlhflint.reports.secrets import Secrets
from rlhflint.reports.text import closing

if TYPE_CHECKING:
    from rlhflint.reports.formats import Options
    from rlhflint.result import FileResult, Result

_COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.ADVICE: "notice"}


def render(result: Result, options: Options) -> str:
    """A line a finding, which GitHub shows at its place in the change and in the summary of the run."""
    lines = []
    for file in result.files:
        secrets = Secrets(file)
        lines += [_command(finding, file, secrets) for finding in file.findings]
    return "".join(f"{line}\n" for line in lines) + without_commands(closing(result, options))


def _command(finding: Finding, file: FileResult, secrets: Secrets) -> str:
    place = region(finding.span, file)
    properties = {
        "title": f"{finding.code} {finding.name}",
        "file": finding.span.path,
        "line": str(place.line),
        "endLine": str(place.end_line),
    }
    if place.line == place.end_line:
        properties |= {"col": str(place.column), "endColumn": str(place.end_column)}
    message = f"{finding.message} ({place.cell})" if place.cell else finding.message
    text = "\n".join(filter(None, (message, finding.help, rule_url(finding.code))))
    written = ",".join(f"{name}={_property(value)}" for name, value in properties.items())
    return f"::{_COMMANDS[finding.severity]} {written}::{_data(secrets.masked(text))}"


def _data(text: str) -> str:
    shown = "\n".join(printable(line) for line in text.split("\n"))
    return shown.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(printable(text)).replace(":", "%3A").replace(",", "%2C")
