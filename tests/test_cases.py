"""The founding cases: small projects with the findings they must give, run through the command line's own pipeline."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from rlhflint.cli import rlhflint
from tests.runner import runner

sys.path.insert(0, str(Path(__file__).parents[1] / "tools"))
import run_cases

CASES = run_cases.select(Path(__file__).parent / "cases", None, fix=False)


def test_there_are_cases() -> None:
    assert len(CASES) > 100


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_case(case: run_cases.Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "case"
    run_cases.copy_input(case, folder)
    monkeypatch.chdir(folder)
    done = runner().invoke(rlhflint, ["check", "--output-format", "json", *case.args, "."], catch_exceptions=False)
    findings = json.loads(done.stdout)["findings"]
    reasons = [
        *run_cases.missing(case, findings),
        *run_cases.unwanted(case, findings),
        *run_cases.wrong_exit(case, findings, done.exit_code),
    ]
    assert not reasons
