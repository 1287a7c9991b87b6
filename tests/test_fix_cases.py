"""The cases of small projects after `rlhflint fix`: byte for byte what they have to be."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tools.run_cases import Case, Failed, read_case, run_fix

FOLDER = Path(__file__).parent / "cases"
CASES = sorted(folder.parent for folder in FOLDER.glob("*/after") if (folder.parent / "case.toml").is_file())
COMMAND = [sys.executable, "-m", "rlhflint"]


def test_there_are_cases() -> None:
    assert len(CASES) >= 18


@pytest.mark.parametrize("folder", CASES, ids=lambda folder: folder.name)
def test_fixed_files_are_as_they_have_to_be(folder: Path) -> None:
    case: Case = read_case(folder)
    try:
        run_fix(case, COMMAND)
    except Failed as failed:
        pytest.fail(str(failed))
