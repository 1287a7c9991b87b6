"""Every rule says what its cases expect of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from rlhflint.finding import Finding
from rlhflint.result import Result

from . import case_file, running
from .case_file import Expected, RuleCase

FILES = sorted((Path(__file__).parent / "cases").glob("*.md"))
CASES = [case for file in FILES for case in case_file.read(file)]


def test_there_are_cases() -> None:
    assert len(CASES) > 0


def test_each_rule_has_a_case_that_fires_and_one_that_comes_close() -> None:
    firing = {case.code for case in CASES if case.finds}
    silent = {case.code for case in CASES if case.silent}
    judging = {code for code in running.known_codes() if not code.startswith("RL")}
    without = [f"{code}: no case in which it fires" for code in sorted(judging - firing)]
    without += [f"{code}: no case that comes close and does not fire" for code in sorted(judging - silent)]
    assert without == []


@pytest.mark.parametrize("case", CASES, ids=str)
def test_case(case: RuleCase, tmp_path: Path) -> None:
    result = running.run(case, tmp_path)
    assert not [finding.message for finding in result.findings if finding.code in ("RL001", "RL003")]
    found = [finding for finding in result.findings if finding.code == case.code]
    if case.finds:
        for expected in case.finds:
            reasons = [why(expected, finding, result) for finding in found]
            assert "" in reasons, f"{case.place}: {expected} is not among {reasons or 'no findings of this rule'}"
        assert len(found) >= len(case.finds)
    else:
        assert not found, f"{case.place}: {[finding.message for finding in found]}"
    undecided = {one.code: one.because for file in result.files for judged in file.launches for one in judged.undecided}
    if case.undecided:
        assert case.code in undecided, f"{case.place}: not counted as undecided ({sorted(undecided)})"
    if case.decided:
        assert case.code not in undecided, f"{case.place}: undecided: {undecided[case.code]}"
    if case.not_fixed:
        assert all(finding.proposal is None for finding in found)


def why(expected: Expected, finding: Finding, result: Result) -> str:
    """Why a finding is not the expected one; empty if it is."""
    if finding.severity.value != expected.severity:
        return f"{finding.severity.value}: {finding.message}"
    if expected.stage and finding.stage.value != expected.stage:
        return f"strikes at {finding.stage.value}"
    if expected.says and expected.says not in f"{finding.message} {finding.help}":
        return f"says {finding.message!r} and {finding.help!r}"
    if expected.at is not None:
        text = next(file.sources[finding.span.path].text for file in result.files if finding.span.path in file.sources)
        marked = text[finding.span.start : finding.span.end]
        if not marked.startswith(expected.at):
            return f"stands at {marked!r}"
    return ""
