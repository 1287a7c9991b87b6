"""The JUnit XML report: a suite a file, a failed case a finding, a passed case a file without any."""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.etree import ElementTree

from rlhflint.reports.block import where
from rlhflint.reports.links import rule_url
from rlhflint.reports.printable import printable
from rlhflint.reports.regions import region
from rlhflint.reports.secrets import Secrets

if TYPE_CHECKING:
    from rlhflint.finding import Finding
    from rlhflint.reports.formats import Options
    from rlhflint.result import FileResult, Result


def render(result: Result, options: Options) -> str:
    """The whole document. What XML cannot hold is written as escapes. The format has no place for statistics."""
    root = ElementTree.Element("testsuites", name="rlhflint")
    for file in result.files:
        _suite(root, file)
    root.set("tests", str(sum(max(len(file.findings), 1) for file in result.files)))
    root.set("failures", str(len(result.findings)))
    ElementTree.indent(root)
    return f'<?xml version="1.0" encoding="utf-8"?>\n{ElementTree.tostring(root, encoding="unicode")}\n'


def _suite(root: ElementTree.Element, file: FileResult) -> None:
    name = printable(file.path)
    suite = ElementTree.SubElement(
        root,
        "testsuite",
        name=name,
        tests=str(max(len(file.findings), 1)),
        failures=str(len(file.findings)),
        errors="0",
        skipped="0",
    )
    secrets = Secrets(file)
    for finding in file.findings:
        _case(suite, name, finding, file, secrets)
    if not file.findings:
        ElementTree.SubElement(suite, "testcase", name=name, classname=name, file=name)


def _case(suite: ElementTree.Element, name: str, finding: Finding, file: FileResult, secrets: Secrets) -> None:
    place, at = region(finding.span, file), where(finding.span, file)
    case = ElementTree.SubElement(
        suite,
        "testcase",
        name=f"{finding.code} {finding.name} ({at})",
        classname=name,
        file=printable(finding.span.path),
        line=str(place.line),
    )
    message = _shown(secrets.masked(finding.message))
    failure = ElementTree.SubElement(case, "failure", type=finding.severity.value, message=message)
    help_text = _shown(secrets.masked(finding.help))
    failure.text = "\n".join(filter(None, (f"{at}: {message}", help_text, rule_url(finding.code))))


def _shown(text: str) -> str:
    return "\n".join(printable(line) for line in text.split("\n"))
