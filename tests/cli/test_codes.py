"""A code that no rule has is wrong usage, wherever it is said."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import PPO, QUIET_TEXT, Run


@pytest.mark.parametrize("option", ["--select", "--ignore", "--extend-select"])
@pytest.mark.parametrize("command", ["check", "fix", "show"])
def test_an_option_with_a_code_that_no_rule_has(run: Run, command: str, option: str) -> None:
    result = run(command, option, "OR2,OR9999")
    assert result.exit_code == 2
    assert f"{option}: there is no rule 'OR9999'" in result.output


def test_a_misspelt_code_is_told_with_the_nearest(run: Run) -> None:
    assert "did you mean 'OR" in run("check", "--select", "OR2033").output


@pytest.mark.parametrize("selector", ["ALL", "OR", "OR2", "OR203", "RL001", "LA,TR2"])
def test_codes_prefixes_and_all_are_taken(run: Run, selector: str) -> None:
    assert run("check", "--ignore", selector).exit_code == 0


@pytest.mark.parametrize(
    ("text", "line", "key"),
    [
        ('select = ["OR2", "OR9999"]', 1, "select"),
        ('fail-on = "error"\nignore = ["OR9999"]', 2, "ignore"),
        ('extend-select = ["OR9999"]', 1, "extend-select"),
        ('extend-ignore = ["OR9999"]', 1, "extend-ignore"),
        ('mandatory = ["OR9999"]', 1, "mandatory"),
        ('[per-file-ignores]\n"a/*.sh" = ["OR9999"]', 2, "per-file-ignores.a/*.sh"),
        ('[severity]\nOR9999 = "advice"', 2, "severity.OR9999"),
    ],
)
def test_a_configured_code_is_told_with_its_line(run: Run, project: Path, text: str, line: int, key: str) -> None:
    (project / "rlhflint.toml").write_text(text)
    (project / "train.sh").write_text(PPO)
    result = run("check")
    assert result.exit_code == 2
    assert f"rlhflint.toml line {line}: {key}: there is no rule 'OR9999'" in result.output


def test_the_line_is_that_of_the_file_that_says_it(run: Run, project: Path) -> None:
    (project / "base.toml").write_text('# shared\nignore = ["OR9999"]\n')
    (project / "rlhflint.toml").write_text('extend = "base.toml"\nignore = ["OR203"]\n')
    (project / "train.sh").write_text(PPO)
    assert "base.toml line 2: ignore: there is no rule 'OR9999'" in run("check").output


def test_fix_writes_nothing_under_such_a_configuration(run: Run, project: Path) -> None:
    (project / "rlhflint.toml").write_text('ignore = ["OR9999"]')
    script = project / "train.sh"
    script.write_text(PPO.replace("--vllm.num_engines", "--vllm_num_engines"))
    before = script.read_text()
    assert run("fix", "--unsafe").exit_code == 2
    assert script.read_text() == before


def test_a_run_without_launches_loads_no_rules_for_it(run: Run, project: Path) -> None:
    (project / "rlhflint.toml").write_text('select = ["OR203"]')
    (project / "other.sh").write_text(QUIET_TEXT)
    assert run("check").exit_code == 0


def test_the_beginning_of_a_code_gives_its_rules_a_severity(run: Run, project: Path) -> None:
    (project / "train.sh").write_text(PPO)
    (project / "rlhflint.toml").write_text('[severity]\nOR2 = "advice"\n')
    result = run("check", "--output-format", "concise", "--select", "OR203")
    assert ": advice[OR203] " in result.output
    assert result.exit_code == 0
