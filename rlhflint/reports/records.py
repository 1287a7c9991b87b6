"""What a run found as values that stand alone: the one record behind the JSON report and `rlhflint.api`.

A record holds no character of a file that is a secret, and needs no source at hand to be read.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rlhflint.reports.links import rule_url
from rlhflint.reports.regions import line_of
from rlhflint.reports.secrets import Secrets

if TYPE_CHECKING:
    from rlhflint import finding
    from rlhflint.judged import Judged
    from rlhflint.result import FileResult, Result
    from rlhflint.source import Source
    from rlhflint.text import Span


@dataclass(frozen=True, slots=True)
class Location:
    """A place in a file as people count: lines and columns from 1, columns in characters, the end behind the last.

    `path` is relative to the working directory, with `/`. In a notebook lines count within the cell, and `cell` is its
    number from 1; it is None elsewhere.
    """

    path: str
    line: int = 1
    column: int = 1
    end_line: int = 1
    end_column: int = 1
    cell: int | None = None


@dataclass(frozen=True, slots=True)
class Related:
    """Another place that has to do with a finding, and how."""

    location: Location
    message: str


@dataclass(frozen=True, slots=True)
class Edit:
    """Characters `start` to `end` (from 0, the end not included) of the file's text, replaced by `text`."""

    path: str
    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Fix:
    """Edits that are made together or not at all. `applicability` is `safe` or `unsafe`."""

    title: str
    applicability: str
    edits: tuple[Edit, ...]


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong.

    `severity` is `error`, `warning` or `advice`; `stage` says when it strikes: `parse`, `startup`, `first-step`,
    `late` or `silent`. `settings` are canonical names, `versions` the releases it was judged by, by package. `program`
    is empty for what is not about one launch; `fix` is None where there is none; `url` is the rule's page.
    """

    code: str
    name: str
    severity: str
    stage: str
    message: str
    help: str
    location: Location
    program: str
    settings: tuple[str, ...]
    related: tuple[Related, ...]
    versions: Mapping[str, str]
    fix: Fix | None
    url: str


@dataclass(frozen=True, slots=True)
class Undecided:
    """A check that could not be decided, and why: `code` is its rule's."""

    code: str
    because: str


@dataclass(frozen=True, slots=True)
class Launch:
    """One launch that was read. `versions` are the releases in force, by package."""

    path: str
    line: int
    program: str
    versions: Mapping[str, str]
    undecided: tuple[Undecided, ...]


@dataclass(frozen=True, slots=True)
class Report:
    """What a run found, in the order of the files, by place within a file.

    `summary` has the numbers of the JSON report: `files`, `launches`, `error`, `warning`, `advice`, `suppressed`,
    `known`, `undecided`. `broken`: a file could not be read or parsed, or a rule crashed on it.
    """

    findings: tuple[Finding, ...]
    launches: tuple[Launch, ...]
    summary: Mapping[str, int]
    broken: bool


def report_of(result: Result) -> Report:
    """The records of a run."""
    return Report(
        tuple(record for file in result.files for record in findings_of(file)),
        tuple(_launch(judged, file) for file in result.files for judged in file.launches),
        result.summary(),
        result.broken,
    )


def findings_of(file: FileResult) -> list[Finding]:
    """The records of what was found in one file."""
    secrets = Secrets(file)
    return [finding_of(one, file, secrets) for one in file.findings]


def finding_of(found: finding.Finding, file: FileResult, secrets: Secrets) -> Finding:
    """The record of one finding."""
    return Finding(
        code=found.code,
        name=found.name,
        severity=found.severity.value,
        stage=found.stage.value,
        message=secrets.masked(found.message),
        help=secrets.masked(found.help),
        location=location_of(found.span, file.sources),
        program=found.program,
        settings=found.settings,
        related=tuple(
            Related(location_of(one.span, file.sources), secrets.masked(one.message)) for one in found.related
        ),
        versions=dict(found.versions),
        fix=_fix(secrets.shown(found.fix)),
        url=rule_url(found.code),
    )


def location_of(span: Span, sources: Mapping[str, Source]) -> Location:
    """Where a span lies; the start of its file if that is not among the sources."""
    source = sources.get(span.path)
    if source is None:
        return Location(span.path)
    start, end = source.position(span.start), source.position(span.end)
    return Location(span.path, start.line, start.column, end.line, end.column, start.cell)


def _fix(fix: finding.Fix | None) -> Fix | None:
    if fix is None:
        return None
    edits = tuple(Edit(edit.span.path, edit.span.start, edit.span.end, edit.text) for edit in fix.edits)
    return Fix(fix.title, fix.applicability.value, edits)


def _launch(judged: Judged, file: FileResult) -> Launch:
    launch = judged.launch
    return Launch(
        launch.path,
        line_of(launch.span, file),
        launch.program,
        {name: version.value for name, version in launch.versions.items()},
        tuple(Undecided(one.code, f"{one.what}: {one.because}") for one in judged.undecided),
    )
