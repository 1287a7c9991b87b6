"""A fix takes its finding away, brings no other, and writes what its case says."""

from __future__ import annotations

import os
from collections import Counter
from contextlib import chdir
from pathlib import Path

import pytest

from rlhflint.fixing.fixer import Fixer
from rlhflint.result import Result

from . import running
from .case_file import RuleCase
from .test_cases import CASES

FINDING = [case for case in CASES if case.finds]

FOLLOWED = {
    # A name or value put right says something for the first time.
    "OR101": {"OR231", "OR501", "OR502"},
    "OR106": {"OR305"},
    # Sizes that work for one thing, of which another wants more.
    "OR303": {"OR305"},
    "OR316": {"OR307"},
    "TR304": {"TR301"},
    # What is switched on has advice of its own.
    "OR217": {"OR203", "OR708"},
    "OR501": {"VE205"},
    # Without the one way to spare memory, the other is missed.
    "TR209": {"TR204"},
    # The old default, written out, is not a value of the newest release in a range.
    "TR604": {"TR107"},
}
"""Rules whose fix may bring a finding of others."""


@pytest.mark.parametrize("case", FINDING, ids=str)
def test_fix(case: RuleCase, tmp_path: Path) -> None:
    before = running.run(case, tmp_path)
    codes = counted(before)
    promised = sum(finding.code == case.code and finding.fix is not None for finding in before.findings)
    if not promised:
        assert not [*case.fixed, *filter(None, [case.fixed_file])], f"{case.place}: nothing is proposed"
        return
    with chdir(tmp_path):
        outcome = Fixer(running.checker(running.facts_of(case), case.code), unsafe=True).fix(["."])
        texts = {os.path.abspath(one.path): one.after for one in outcome.changed}
        after = counted(running.checker(running.facts_of(case)).holding(texts).check(["."]))
    assert outcome.changed, f"{case.place}: the fix is not made"
    assert after[case.code] <= codes[case.code] - promised, f"{case.place}: found again\n{texts}"
    brought = set(after - codes) - FOLLOWED.get(case.code, set())
    assert not brought, f"{case.place}: brings {brought}\n{texts}"
    for text in case.fixed:
        assert any(text in one.after for one in outcome.changed), f"{case.place}: {text!r} is not in {texts}"
    if case.fixed_file is not None:
        assert case.fixed_file in {one.after for one in outcome.changed}, f"{case.place}: {texts}"


def counted(result: Result) -> Counter[str]:
    """How many findings there are of each rule."""
    return Counter(finding.code for finding in result.findings)
