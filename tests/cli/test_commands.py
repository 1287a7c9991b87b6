"""The commands there are, their help, `rule` and `show`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rlhflint import __version__
from rlhflint.cli import COMMANDS
from rlhflint.rules import load_all
from tests.cli.conftest import PPO, Run


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_every_command_explains_itself(run: Run, name: str) -> None:
    result = run(name, "--help")
    assert result.exit_code == 0
    assert result.output.startswith(f"Usage: rlhflint {name} ")
    assert f"  {name} " in run("--help").output


def test_a_command_that_does_not_exist_is_wrong_usage(run: Run) -> None:
    result = run("chekc")
    assert result.exit_code == 2
    assert "did you mean 'check'?" in result.output
    assert "did you mean" not in run("quux").output


def test_the_version_is_told(run: Run) -> None:
    assert run("--version").output == f"rlhflint {__version__}\n"


def test_the_table_of_rules_has_each_once(run: Run) -> None:
    result = run("rule")
    assert result.exit_code == 0
    codes = [line.split()[0] for line in result.output.splitlines()]
    assert codes == sorted({rule.code for rule in load_all()})
    assert "OR203  warning  async-with-colocate-all" in result.output


@pytest.mark.parametrize("code", ["OR203", "or203"])
def test_a_rule_is_documented(run: Run, code: str) -> None:
    result = run("rule", code)
    assert result.exit_code == 0
    assert "async-with-colocate-all" in result.output
    assert "--train.colocate_actor_ref" in result.output


def test_a_rule_that_does_not_exist_is_wrong_usage(run: Run) -> None:
    result = run("rule", "OR2033")
    assert result.exit_code == 2
    assert "did you mean 'OR" in result.output


def test_what_was_read_is_shown(run: Run, project: Path) -> None:
    (project / "train.sh").write_text(PPO.replace("4", "${ENGINES:-4}"))
    (project / "requirements.txt").write_text("openrlhf==0.11.2\n")
    result = run("show", "train.sh")
    assert result.exit_code == 0
    assert "train.sh:2  openrlhf:train_ppo_ray" in result.output
    assert "openrlhf 0.11.2 from requirements.txt line 1" in result.output
    assert "--train.async_enable" in result.output
    assert "ENGINES" in result.output


def test_what_was_read_as_json(run: Run, project: Path) -> None:
    (project / "train.sh").write_text(PPO)
    (launch,) = json.loads(run("show", "--output-format", "json", "--cluster", "1x8").output)["launches"]
    assert launch["program"] == "openrlhf:train_ppo_ray"
    engines = next(one for one in launch["settings"] if one["canonical"] == "vllm.num_engines")
    assert (engines["name"], engines["value"], engines["known"], engines["line"]) == (
        "--vllm.num_engines",
        "4",
        True,
        5,
    )


def test_show_reads_standard_input(run: Run) -> None:
    assert "stdin.sh:2  openrlhf:train_ppo_ray" in run("show", "-", stdin=PPO).output


def test_nothing_to_show_is_said(run: Run) -> None:
    assert run("show").output == "No launches were found.\n"


def test_what_cannot_be_read_is_2(run: Run) -> None:
    assert run("show", "nowhere.sh").exit_code == 2
