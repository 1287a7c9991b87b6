"""verl is looked at only where somebody asks for it, and then everything that reads launches knows it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import Result

from rlhflint.api import Options, check_paths, check_text
from rlhflint.cli import rlhflint
from tests.runner import runner

LAUNCH = "python3 -m verl.trainer.main_ppo data.train_batch_sise=8 trainer.nnodes=2\n"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working directory: a repository with one launch of verl."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".git").mkdir()
    (tmp_path / "train.sh").write_text(LAUNCH)
    return tmp_path


def run(*words: str) -> Result:
    """What a command does."""
    return runner().invoke(rlhflint, list(words))


def codes(options: Options | None = None) -> list[str]:
    """The codes that are found in the project."""
    return [finding.code for finding in check_paths(["."], options).findings]


def test_it_is_off_by_default(project: Path) -> None:
    report = check_paths(["."])
    assert (report.findings, report.launches) == ((), ())


def test_an_option_switches_it_on(project: Path) -> None:
    assert codes(Options(experimental=["verl"])) == ["VL101"]
    done = run("check", "--experimental", "verl", "--output-format", "concise", ".")
    assert done.exit_code == 1
    assert "VL101" in done.stdout


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("rlhflint.toml", 'experimental = ["verl"]\n'),
        ("pyproject.toml", '[tool.rlhflint]\nexperimental = ["verl"]\n'),
    ],
)
def test_a_configuration_switches_it_on(project: Path, name: str, text: str) -> None:
    (project / name).write_text(text)
    assert codes() == ["VL101"]
    assert 'experimental = ["verl"]' in run("config").stdout


def test_a_configuration_that_is_built_on_keeps_it_on(project: Path) -> None:
    (project / "base.toml").write_text('experimental = ["verl"]\n')
    (project / "rlhflint.toml").write_text('extend = "base.toml"\n')
    assert codes() == ["VL101"]


def test_a_framework_that_is_not_there_is_refused(project: Path) -> None:
    done = run("check", "--experimental", "verll")
    assert done.exit_code == 2
    assert "did you mean 'verl'" in done.output
    (project / "rlhflint.toml").write_text('experimental = ["nemo"]\n')
    assert "unknown framework 'nemo'" in run("check").output


def test_what_reads_launches_knows_it(project: Path) -> None:
    shown = json.loads(run("show", "--experimental", "verl", "--output-format", "json", "train.sh").stdout)
    (launch,) = shown["launches"]
    assert launch["program"] == "verl:main_ppo"
    assert [setting["canonical"] for setting in launch["settings"]] == ["data.train_batch_sise", "trainer.nnodes"]
    assert run("plan", "--experimental", "verl", "train.sh").exit_code == 0
    assert "### verl:main_ppo" in run("explain", "--experimental", "verl", "--report", "train.sh").stdout
    assert run("diff", "--experimental", "verl", "train.sh", "train.sh").exit_code == 0
    fixed = run("fix", "--experimental", "verl", "--unsafe", "train.sh")
    assert fixed.exit_code == 0
    assert "data.train_batch_size=8" in (project / "train.sh").read_text()


def test_its_schema_is_printed_and_its_rules_are_documented() -> None:
    schema = json.loads(run("schema", "verl:main_ppo", "--framework-version", "verl=0.9.1").stdout)
    assert schema["properties"]["trainer.nnodes"] == {"type": "integer"}
    assert "VL101" in run("rule", "VL101").stdout
    assert run("schema", "verl:main_sft").exit_code == 2


def test_a_release_is_taken_from_what_the_project_states(project: Path) -> None:
    (project / "requirements.txt").write_text("verl==0.4.1\n")
    report = check_paths(["."], Options(experimental=["verl"]))
    assert report.launches[0].versions["verl"] == "0.4.1"


def test_without_a_statement_it_is_the_one_that_has_the_settings() -> None:
    old = "python3 -m verl.trainer.main_ppo reward_model.micro_batch_size=8 reward_model.model.path=m\n"
    report = check_text(old, options=Options(experimental=["verl"], isolated=True))
    assert report.launches[0].versions["verl"] == "0.7.0"
    assert report.findings == ()
