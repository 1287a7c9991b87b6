"""A baseline from its making to its end, on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import PPO, QUIET_TEXT, Run


@pytest.fixture
def known(run: Run, project: Path) -> Path:
    """A baseline of a project with one script."""
    (project / "train.sh").write_text(PPO)
    result = run("check", "--write-baseline", "known.json")
    assert result.exit_code == 0
    assert "findings to known.json" in result.stderr
    assert "OR203" not in result.stdout
    return project / "known.json"


def test_what_was_known_is_let_through_also_on_another_line(run: Run, project: Path, known: Path) -> None:
    (project / "train.sh").write_text(f"echo begins\n\n{PPO}")
    result = run("check", "--baseline", known.name)
    assert result.exit_code == 0
    assert "in the baseline" in result.stdout


def test_what_is_new_is_told(run: Run, project: Path, known: Path) -> None:
    (project / "other.sh").write_text(PPO)
    result = run("check", "--baseline", known.name)
    assert result.exit_code == 1
    assert "other.sh" in result.stdout
    assert "train.sh" not in result.stdout


def test_what_was_fixed_goes_on_request(run: Run, project: Path, known: Path) -> None:
    before = json.loads(known.read_text())
    (project / "train.sh").write_text(QUIET_TEXT)
    run("check", "--baseline", known.name)
    assert json.loads(known.read_text()) == before
    run("check", "--baseline", known.name, "--prune-baseline")
    assert json.loads(known.read_text()) != before


def test_pruning_needs_a_baseline(run: Run, project: Path) -> None:
    assert run("check", "--prune-baseline").exit_code == 2


MISSPELT = "deepspeed --module openrlhf.cli.train_sft --model.model_name_or_path m --data.dataset d --zero_stage 3\n"


def test_fixing_lets_through_what_was_known_and_cannot_be_fixed(run: Run, project: Path, known: Path) -> None:
    assert run("fix").exit_code == 1
    (project / "other.sh").write_text(MISSPELT)
    result = run("fix", "--baseline", known.name)
    assert result.exit_code == 0
    assert "in the baseline" in result.stdout
    assert (project / "train.sh").read_text() == PPO
    assert "--ds.zero_stage 3" in (project / "other.sh").read_text()
    (project / "third.sh").write_text(PPO)
    result = run("fix", "--baseline", known.name)
    assert result.exit_code == 1
    assert "third.sh" in result.stdout
    assert "train.sh" not in result.stdout


def test_nothing_is_fixed_with_a_baseline_that_cannot_be_used(run: Run, project: Path) -> None:
    (project / "train.sh").write_text(MISSPELT)
    (project / "known.json").write_text("{}")
    result = run("fix", "--baseline", "known.json")
    assert result.exit_code == 2
    assert "known.json: it is no baseline" in result.output
    assert (project / "train.sh").read_text() == MISSPELT
