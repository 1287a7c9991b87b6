"""What a run of the linter found, file by file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import field
from typing import TYPE_CHECKING

from rlhflint.records import dataclass
from rlhflint.severity import Severity

if TYPE_CHECKING:
    from rlhflint.document import Document
    from rlhflint.finding import Finding
    from rlhflint.judged import Judged
    from rlhflint.source import Source
    from rlhflint.text import Span


@dataclass(frozen=True, slots=True)
class FileResult:
    """What was found in one file. `broken`: it could not be read or parsed, or a rule crashed on it."""

    path: str
    sources: dict[str, Source] = field(default_factory=dict)
    """The files that findings lie in, by path: the file itself, and those it sources."""
    findings: tuple[Finding, ...] = ()
    launches: tuple[Judged, ...] = ()
    suppressed: int = 0
    known: int = 0
    """Findings that a baseline let through."""
    secrets: tuple[Span, ...] = ()
    """Characters that no report shows, whether or not a finding tells of them."""
    broken: bool = False
    crashed: bool = False
    """`broken` by rlhflint itself, which need not come about again."""
    document: Document | None = field(default=None, compare=False, repr=False)
    """What was read, where it holds launches."""


@dataclass(frozen=True, slots=True)
class Result:
    """What a run found, files in the order they were checked."""

    files: tuple[FileResult, ...] = ()

    @property
    def findings(self) -> tuple[Finding, ...]:
        """All findings, file by file, by place within a file."""
        return tuple(finding for file in self.files for finding in file.findings)

    @property
    def broken(self) -> bool:
        """Whether a file could not be read or a rule crashed."""
        return any(file.broken for file in self.files)

    def count(self, severity: Severity) -> int:
        """How many findings have a severity."""
        return sum(finding.severity is severity for finding in self.findings)

    def summary(self) -> dict[str, int]:
        """The numbers of the JSON report: files, launches, findings by severity, let through in two ways, undecided."""
        return {
            "files": len(self.files),
            "launches": sum(len(file.launches) for file in self.files),
            **{severity.value: self.count(severity) for severity in Severity},
            "suppressed": sum(file.suppressed for file in self.files),
            "known": sum(file.known for file in self.files),
            "undecided": sum(len(judged.undecided) for file in self.files for judged in file.launches),
        }


def by_code(findings: Iterable[Finding]) -> Counter[tuple[str, str]]:
    """How often each rule was broken: (code, name) → number."""
    return Counter((finding.code, finding.name) for finding in findings)
