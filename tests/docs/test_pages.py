"""The documentation is true: its commands run, its output comes, its examples are what they are said to be."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml

from rlhflint.check import Checker
from rlhflint.project.settings import Settings
from rlhflint.reports.links import HOME
from tests.docs.blocks import ROOT, Block, blocks, commands, pages, told
from tests.docs.conftest import Shell

EVERY = [block for page in pages() for block in blocks(page)]
LANGUAGES = {"sh", "console", "toml", "yaml", "python", "text"}
_STARTS = re.compile(r"openrlhf\.cli\.|^\s*(trl|accelerate) ", re.M)
_NOT_RUN = (
    f"pip install git+{HOME}",  # takes the network; the address is compared
    "python3 -m venv .venv",  # how the tests themselves are run
    ".venv/bin/",
)


def of(*languages: str) -> pytest.MarkDecorator:
    some = [block for block in EVERY if block.language in languages]
    return pytest.mark.parametrize("block", some, ids=str)


def test_every_block_names_a_language_that_is_tested() -> None:
    assert [str(block) for block in EVERY if block.language not in LANGUAGES] == []


@of("console")
def test_output_is_what_the_command_prints(block: Block, shell: Shell) -> None:
    examples = list(told(block.text))
    assert examples
    for one in examples:
        done = shell(f"{one.command} 2>&1")
        assert done.returncode in (0, 1, 2), done.stdout
        assert one.pattern().search(" ".join(done.stdout.split())), f"{one.command}\n{done.stdout}"


@of("sh")
def test_commands_run(block: Block, shell: Shell) -> None:
    if _STARTS.search(block.text) and "rlhflint " not in block.text.replace("# rlhflint:", ""):
        launches = Checker(Settings(isolated=True)).check_text(block.text, "train.sh").launches
        assert launches, f"{block} starts nothing that is known"
        return
    for command in commands(block.text):
        if command.startswith(_NOT_RUN):
            continue
        done = shell(command)
        assert done.returncode in ((0, 1) if "rlhflint" in command else (0,)), f"{command}\n{done.stdout}{done.stderr}"
        assert "Traceback" not in done.stderr


@of("toml")
def test_configuration_is_one(block: Block, project: Path, shell: Shell) -> None:
    table = tomllib.loads(block.text)
    assert table
    (project / "shown.toml").write_text(block.text)
    done = shell("rlhflint check --config shown.toml requirements.txt")
    assert done.returncode == 0, done.stderr


@of("yaml")
def test_yaml_is_what_its_reader_takes(block: Block) -> None:
    data = yaml.safe_load(block.text)
    hooks = {hook["id"] for hook in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())}
    inputs = set(yaml.safe_load((ROOT / "action.yml").read_text())["inputs"])
    known = False
    for repo in data.get("repos", ()):
        assert repo["repo"] == HOME
        assert {hook["id"] for hook in repo["hooks"]} <= hooks
        known = True
    for job in data.get("jobs", {}).values():
        ours = [step for step in job["steps"] if step["uses"].startswith(HOME.removeprefix("https://github.com/"))]
        assert all(set(step["with"]) <= inputs for step in ours)
        known = bool(ours)
    for job in data.values():
        known |= isinstance(job, dict) and any("rlhflint check" in line for line in job.get("script", ()))
    assert known


@of("python")
def test_python_runs_or_is_a_launch(block: Block, project: Path) -> None:
    if "rlhflint" not in block.text:
        assert Checker(Settings(isolated=True)).check_text(block.text, "train.py").launches
        return
    done = subprocess.run([sys.executable, "-c", block.text], cwd=project, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_every_key_of_the_configuration_is_documented() -> None:
    schema = json.loads((ROOT / "schemas/rlhflint.schema.json").read_text())
    page = (ROOT / "docs/configuration.md").read_text()
    cells = " ".join(line.split("|")[1] for line in page.splitlines() if line.startswith("| `"))
    assert set(schema["properties"]) == set(re.findall(r"`([\w-]+)`", cells))


def test_every_format_is_documented() -> None:
    from rlhflint.reports.formats import FORMATS

    page = (ROOT / "docs/output.md").read_text()
    assert re.findall(r"^## (\w+)$", page, re.M) == list(FORMATS)


def test_every_command_is_documented() -> None:
    from rlhflint.cli import COMMANDS

    text = "".join(page.read_text() for page in pages())
    assert [name for name in COMMANDS if f"rlhflint {name}" not in text] == []


def test_what_the_readme_points_at_is_there() -> None:
    text = (ROOT / "README.md").read_text()
    targets = re.findall(r"\]\(([^)#\s]+)", text)
    assert len(targets) > 5
    for target in targets:
        assert target.startswith("https://") or (ROOT / target).exists(), target


def test_pages_of_rules_are_where_the_output_says() -> None:
    from rlhflint.reports.links import rule_url
    from rlhflint.rules import load_all

    rules = load_all()
    assert len(rules) > 300
    missing = [
        f"{rule.code}: no page; run python tools/generate_docs.py"
        for rule in rules
        if not (ROOT / rule_url(rule.code).removeprefix(f"{HOME}/blob/main/")).exists()
    ]
    assert missing == []
