"""A project of its own for each test, and a way to run commands in it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from rlhflint.cli import rlhflint
from tests.runner import runner

Run = Callable[..., Result]

PPO = """\
set -x
python3 -m openrlhf.cli.train_ppo_ray \\
   --train.async_enable \\
   --train.colocate_all \\
   --vllm.num_engines 4 \\
   --reward.remote_url http://rewards:5000/score
"""
QUIET_TEXT = "echo nothing is launched here\n"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty repository that is the working directory."""
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("GITHUB_ACTIONS", raising=False)
    return tmp_path


@pytest.fixture
def run(project: Path) -> Run:
    """Runs a command line in the project."""

    def call(*arguments: str, stdin: str | bytes | None = None) -> Result:
        return runner().invoke(rlhflint, list(arguments), input=stdin, prog_name="rlhflint")

    return call
