"""The baseline: how many findings of each kind are known in each file and let through.

A finding is known by file, rule and settings and not by its line, so that a baseline holds when lines move.
"""

from __future__ import annotations

import posixpath
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import field, replace
from typing import Any, NamedTuple

from rlhflint.finding import Finding
from rlhflint.records import dataclass
from rlhflint.result import FileResult, Result
from rlhflint.tool_rules import BROKEN

VERSION = 1


class WrongBaseline(ValueError):
    """A baseline that cannot be used; the message says why."""


class Known(NamedTuple):
    """What findings have in common that a baseline counts as one kind. `path` is relative to the baseline's folder."""

    path: str
    code: str
    settings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Baseline:
    """How often each kind of finding is let through."""

    counts: Mapping[Known, int] = field(default_factory=dict)


def baseline_of(result: Result, folder: str = ".") -> Baseline:
    """The baseline that lets everything through that a run found, but that a file was not checked in full.

    Args:
        result: of the run, without a baseline in force.
        folder: where the baseline will be kept, relative to the working directory, with `/`.
    """
    return Baseline(Counter(_known(one, folder) for one in result.findings if one.code not in BROKEN))


def let_through(result: Result, baseline: Baseline, folder: str = ".") -> Result:
    """The result without the findings that are known: of each kind the first ones, up to their number."""
    left = Counter(baseline.counts)
    found = Counter(_known(one, folder) for one in result.findings)
    return Result(tuple(_without_known(file, left, found, baseline, folder) for file in result.files))


def pruned(
    baseline: Baseline, result: Result, folder: str = ".", exists: Callable[[str], bool] = lambda path: True
) -> Baseline:
    """The baseline without what was fixed.

    Args:
        baseline: as it is.
        result: of the run, without a baseline in force; of files that it did not check, what is known stays known.
        folder: where the baseline is kept.
        exists: whether a file is still there, by its path as the baseline has it.
    """
    found = Counter(_known(one, folder) for one in result.findings)
    checked = {_relative(file.path, folder) for file in result.files if not file.broken}
    counts = {}
    for known, count in baseline.counts.items():
        fixed = known.path in checked or not exists(known.path)
        kept = min(count, found[known]) if fixed else count
        if kept:
            counts[known] = kept
    return Baseline(counts)


def written(baseline: Baseline) -> str:
    """The baseline as the text of its file, the same for the same findings."""
    from rlhflint.reports.printable import json_text

    entries = [
        {"path": known.path, "code": known.code, "settings": list(known.settings), "count": count}
        for known, count in sorted(baseline.counts.items())
    ]
    return json_text({"version": VERSION, "findings": entries})


def read(text: str) -> Baseline:
    """The baseline in the text of a file. Raises `WrongBaseline`."""
    import json

    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise WrongBaseline(f"it is not JSON: {error}") from None
    if not isinstance(data, dict) or not isinstance(data.get("findings"), list):
        raise WrongBaseline("it is no baseline: there is no list `findings` in it")
    if data.get("version") != VERSION:
        raise WrongBaseline(f"it has version {data.get('version')!r}; this release reads version {VERSION}")
    counts: Counter[Known] = Counter()
    for number, entry in enumerate(data["findings"], 1):
        known, count = _entry(entry, number)
        counts[known] += count
    return Baseline(counts)


def _entry(entry: Any, number: int) -> tuple[Known, int]:
    if isinstance(entry, dict):
        path, code, settings, count = (entry.get(key) for key in ("path", "code", "settings", "count"))
        texts = [path, code, *(settings if isinstance(settings, list) else [None])]
        if all(isinstance(one, str) for one in texts) and type(count) is int and count > 0:
            return Known(texts[0], texts[1], tuple(sorted(texts[2:]))), count
    raise WrongBaseline(f"entry {number} needs `path` and `code`, a list `settings` and a `count` of 1 or more")


def _known(finding: Finding, folder: str) -> Known:
    return Known(_relative(finding.span.path, folder), finding.code, tuple(sorted(finding.settings)))


def _relative(path: str, folder: str) -> str:
    return posixpath.relpath(path, folder)


def _without_known(
    file: FileResult, left: Counter[Known], found: Counter[Known], baseline: Baseline, folder: str
) -> FileResult:
    kept: list[Finding] = []
    secrets = list(file.secrets)
    for finding in file.findings:
        known = _known(finding, folder)
        if finding.code in BROKEN or left[known] <= 0:
            kept.append(_with_hint(finding, baseline.counts.get(known, 0), found[known]))
            continue
        left[known] -= 1
        if finding.conceal:
            secrets.append(finding.span)
    number = file.known + len(file.findings) - len(kept)
    return replace(file, findings=tuple(kept), known=number, secrets=tuple(secrets))


def _with_hint(finding: Finding, known: int, found: int) -> Finding:
    """The finding with a word on those that are alike, of which nobody can say which ones are new."""
    if not known:
        return finding
    hint = f"the baseline knows {known} of {found} such findings in this file; the new one may be another"
    return replace(finding, help=f"{finding.help}\n{hint}" if finding.help else hint)
