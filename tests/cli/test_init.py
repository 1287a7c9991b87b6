"""`rlhflint init`: a file that suits the project, and nothing that exists is touched."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from tests.cli.conftest import PPO, Run


@pytest.fixture
def experiment(project: Path) -> Path:
    (project / "train.sh").write_text(PPO)
    (project / "requirements.txt").write_text("openrlhf==0.11.2\n")
    (project / "dpo.py").write_text(
        'from trl import DPOConfig, DPOTrainer\nDPOTrainer("m", args=DPOConfig(output_dir="x"), train_dataset=d)\n'
    )
    return project


def test_launches_and_releases_are_named(run: Run, experiment: Path) -> None:
    result = run("init")
    assert result.exit_code == 0
    text = (experiment / "rlhflint.toml").read_text()
    assert "openrlhf:train_ppo_ray: train.sh" in text
    assert "openrlhf ==0.11.2" in text or "openrlhf 0.11.2 from requirements.txt line 1" in text
    assert "Nothing states the release of trl" in text
    assert "wrote rlhflint.toml" in result.output


def test_what_is_written_is_a_configuration_that_changes_nothing(run: Run, experiment: Path) -> None:
    before = run("check", "--output-format", "json").output
    run("init")
    tomllib.loads((experiment / "rlhflint.toml").read_text())
    assert run("config").exit_code == 0
    assert run("check", "--output-format", "json").output == before


@pytest.mark.parametrize("option", ["--print", "--diff"])
def test_showing_writes_nothing(run: Run, experiment: Path, option: str) -> None:
    result = run("init", option)
    assert result.exit_code == 0
    assert 'fail-on = "warning"' in result.output
    assert not (experiment / "rlhflint.toml").exists()


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("rlhflint.toml", "ignore = []\n"),
        (".rlhflint.toml", "ignore = []\n"),
        ("pyproject.toml", "[tool.rlhflint]\n"),
    ],
)
def test_a_configuration_that_exists_is_left_alone(run: Run, experiment: Path, name: str, text: str) -> None:
    (experiment / name).write_text(text)
    result = run("init")
    assert result.exit_code == 2
    assert name in result.output
    assert (experiment / name).read_text() == text
    assert [path.name for path in experiment.glob("*rlhflint.toml")] == [name] * (name != "pyproject.toml")


def test_a_link_that_leads_nowhere_is_not_written_through(run: Run, experiment: Path) -> None:
    (experiment / "rlhflint.toml").symlink_to(experiment / "elsewhere.toml")
    assert run("init").exit_code == 2
    assert not (experiment / "elsewhere.toml").exists()


def test_a_project_without_launches_gets_a_file_too(run: Run, project: Path) -> None:
    result = run("init")
    assert result.exit_code == 0
    assert "no launches were found" in result.output
    tomllib.loads((project / "rlhflint.toml").read_text())


def test_a_name_that_would_steer_a_terminal_or_end_the_comment_does_not(run: Run, project: Path) -> None:
    (project / "a\nfail-on = 3\x1b[2J.sh").write_text(PPO)
    result = run("init")
    assert "\x1b" not in result.output
    assert tomllib.loads((project / "rlhflint.toml").read_text())["fail-on"] == "warning"
