"""What fails inside rlhflint is told as such, and takes nothing else with it."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Never

import pytest

from rlhflint import file_check
from rlhflint.check import Checker
from rlhflint.frameworks.openrlhf.framework import FRAMEWORK
from rlhflint.project.settings import Settings
from rlhflint.rules import load_all

GOOD = "python3 -m openrlhf.cli.train_sft --no_such_flag 1\n"


def broken(*given: Any, **named: Any) -> Never:
    raise ZeroDivisionError("made up")


def found(text: str = GOOD, name: str = "run.sh") -> list[tuple[str, str]]:
    """Codes and messages of the findings in a file of this text."""
    Path(name).write_text(text)
    result = Checker(Settings()).check([name])
    return [(finding.code, finding.message) for finding in result.findings]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("place", "name", "what"),
    [
        (file_check, "read_document", "the reader"),
        (type(FRAMEWORK), "launches", "the reader of openrlhf launches"),
        (type(FRAMEWORK), "model", "the typed model"),
    ],
    ids=["reader", "launches", "model"],
)
def test_a_part_that_fails_is_named(place: Any, name: str, what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(place, name, broken)
    ((code, message),) = found()
    assert code == "RL003"
    assert message.startswith(f"{what} failed on this file: ZeroDivisionError in test_crashes.py:")


def test_a_rule_that_fails_leaves_the_others_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    before = found()
    assert "RL003" not in dict(before)
    (rule,) = (one for one in load_all() if one.code == "OR302")
    monkeypatch.setitem(vars(rule), "check", broken)
    after = found()
    assert [code for code, _ in after if code != "RL003"] == [code for code, _ in before if code != "OR302"]
    assert [message for code, message in after if code == "RL003" and "rule OR302" in message]
