"""Several processes find what one finds, in the same order."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from rlhflint import processes, told
from rlhflint.check import Checker
from rlhflint.result import Result

SHELL = "python3 -m openrlhf.cli.train_sft \\\n   --learning_rate {n}e-6 \\\n   --zero_stage {n} --no_such_flag\n"
PYTHON = "from trl import GRPOConfig\n\nconfig = GRPOConfig('out', num_generations={n}, no_such_option=3)\n"
NOTEBOOK = {
    "cells": [
        {"cell_type": "code", "metadata": {}, "source": ["from trl import SFTConfig\n", "SFTConfig(packin=True)"]}
    ],
    "metadata": {},
    "nbformat": 4,
    "nbformat_minor": 5,
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Sixty files with launches of both frameworks among others, some of them broken."""
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)
    for n in range(30):
        (tmp_path / f"sft-{n:02}.sh").write_text(SHELL.format(n=n))
        (tmp_path / f"grpo_{n:02}.py").write_text(PYTHON.format(n=n))
        (tmp_path / f"other_{n:02}.py").write_text("print()\n")
    (tmp_path / "a.ipynb").write_text(json.dumps(NOTEBOOK))
    (tmp_path / "broken.py").write_text("import trl\nGRPOConfig(\n")
    (tmp_path / "bytes.sh").write_bytes(b"openrlhf \xff\n")
    (tmp_path / "pyproject.toml").write_text("[tool.rlhflint]\nper-file-ignores = {'sft-0*.sh' = ['OR101']}\n")
    return tmp_path


def command(*words: str) -> tuple[int, str]:
    """Exit status and output of a check."""
    done = subprocess.run(
        [sys.executable, "-m", "rlhflint", "check", *words], capture_output=True, text=True, check=False
    )
    told = [line for line in done.stderr.splitlines(keepends=True) if not line.startswith("time: ")]
    return done.returncode, done.stdout + "".join(told)


@pytest.mark.parametrize("form", ["text", "json", "sarif", "gitlab"])
def test_what_is_told_is_the_same(folder: Path, form: str) -> None:
    one = command("--output-format", form, "--jobs", "1", ".", "gone.sh")
    assert "sft-29.sh" in one[1]
    assert "grpo_29.py" in one[1]
    assert command("--output-format", form, "--jobs", "3", ".", "gone.sh") == one


def test_undecided_checks_and_numbers_are_the_same(folder: Path) -> None:
    one = command("--verbose", "--statistics", "--jobs", "1")
    assert "undecided" in one[1]
    assert command("--verbose", "--statistics", "--jobs", "2") == one
    assert command("--verbose", "--statistics") == one


def test_a_wrong_selector_is_told_by_any_number_of_processes(folder: Path) -> None:
    (folder / "pyproject.toml").write_text("[tool.rlhflint]\nignore = ['OR999']\n")
    status, text = command("--jobs", "1")
    assert (status, "OR999" in text) == (2, True)
    assert command("--jobs", "2") == (status, text)


def test_few_files_start_no_process(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*_: object) -> None:
        raise AssertionError("a process was started")

    monkeypatch.setattr(processes, "_shared_out", never)
    files = [f"sft-{n:02}.sh" for n in range(5)]
    assert Result(tuple(processes.results(Checker(), files, 2))).summary() == Checker().check(files).summary()


def test_a_result_that_cannot_be_sent_is_made_here(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(told, "packed", lambda _: None)
    found = Result(tuple(processes.results(Checker(), ["."], 2)))
    assert found.summary() == Checker().check(["."]).summary()
