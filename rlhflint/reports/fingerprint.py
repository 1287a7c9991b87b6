"""What makes a finding the same finding when lines around it move."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from hashlib import sha256

from rlhflint.finding import Finding
from rlhflint.result import FileResult


def fingerprints(file: FileResult) -> Iterator[tuple[Finding, str]]:
    """Each finding of a file with its fingerprint, 64 hexadecimal digits that no other finding has.

    It is made of the path, the rule, the program and the settings, and for findings that are alike of their order in
    the file; of the marked text only where no setting is named, and never of a secret.
    """
    seen: Counter[tuple[str, ...]] = Counter()
    for finding in file.findings:
        key = (finding.span.path, finding.code, finding.program, *sorted(finding.settings), _marked(finding, file))
        text = "\0".join((*key, str(seen[key])))
        seen[key] += 1
        yield finding, sha256(text.encode("utf-8", "surrogateescape")).hexdigest()


def _marked(finding: Finding, file: FileResult) -> str:
    source = file.sources.get(finding.span.path)
    if finding.settings or finding.conceal or source is None:
        return ""
    return " ".join(source.text[finding.span.start : finding.span.end].split())
