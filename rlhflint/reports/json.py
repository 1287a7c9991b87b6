"""The JSON report: one object, for programs."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from rlhflint import __version__
from rlhflint.reports.printable import json_text
from rlhflint.reports.records import Finding, Location, findings_of
from rlhflint.result import by_code

if TYPE_CHECKING:
    from rlhflint.reports.formats import Options
    from rlhflint.result import Result

SCHEMA_VERSION = 1


def render(result: Result, options: Options) -> str:
    """The whole report, ending in a line end."""
    report: dict[str, Any] = {
        "schema_version": SCHEMA_VERSION,
        "tool": {"name": "rlhflint", "version": __version__},
        "findings": [_object(one) for file in result.files for one in findings_of(file)],
        "summary": result.summary(),
    }
    if options.statistics:
        counts = sorted(by_code(result.findings).items(), key=lambda item: (-item[1], item[0]))
        report["statistics"] = [{"code": code, "name": name, "count": count} for (code, name), count in counts]
    return json_text(report)


def _object(finding: Finding) -> dict[str, Any]:
    """One finding; its place stands among its other keys."""
    found: dict[str, Any] = {}
    for name, value in asdict(finding).items():
        if name == "location":
            found |= _place(finding.location)
        elif name == "related":
            found[name] = [{**_place(one.location), "message": one.message} for one in finding.related]
        else:
            found[name] = value
    return found


def _place(location: Location) -> dict[str, Any]:
    """Path, lines and columns; `cell` in a notebook only."""
    return {name: value for name, value in asdict(location).items() if name != "cell" or value is not None}
