"""Completion in shells, and the package as a module."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

import pytest


def told(words: str, at: int, shell: str = "bash") -> list[str]:
    """What a shell is offered for the word at a place of a command line."""
    env = {**os.environ, "COMP_WORDS": words, "COMP_CWORD": str(at), "_RLHFLINT_COMPLETE": f"{shell}_complete"}
    if shell == "fish":
        env["COMP_CWORD"] = words.split(" ")[at]
    done = subprocess.run([sys.executable, "-m", "rlhflint"], env=env, capture_output=True, text=True, check=True)
    return done.stdout.split()


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_commands_and_options_are_completed(shell: str) -> None:
    assert any("explain" in word for word in told("rlhflint ex", 1, shell))
    assert any("--framework-version" in word for word in told("rlhflint check --fr", 2, shell))


def test_codes_of_rules_and_programs_are_completed() -> None:
    assert "plain,OR203" in told("rlhflint rule OR20", 2)
    assert "plain,trl:grpo" in told("rlhflint schema trl:gr", 2)


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_script_for_a_shell_is_one(shell: str) -> None:
    env = {**os.environ, "_RLHFLINT_COMPLETE": f"{shell}_source"}
    done = subprocess.run([sys.executable, "-m", "rlhflint"], env=env, capture_output=True, text=True, check=True)
    assert "_RLHFLINT_COMPLETE" in done.stdout
    if (program := shutil.which(shell)) is not None:
        subprocess.run([program, "-n"], input=done.stdout, text=True, check=True)


def test_the_package_is_run_as_a_module() -> None:
    done = subprocess.run([sys.executable, "-m", "rlhflint", "--version"], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("rlhflint ")
