"""A project to run the commands of the documentation in."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.docs.blocks import ROOT

HERE = Path(__file__).parent / "project"
Shell = Callable[[str], subprocess.CompletedProcess[str]]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A repository with the files that the documentation speaks of."""
    folder = tmp_path / "project"
    shutil.copytree(HERE, folder)
    shutil.copytree(ROOT / "examples", folder / "examples")
    (folder / ".git").mkdir()
    return folder


@pytest.fixture
def shell(project: Path, tmp_path: Path) -> Shell:
    """Runs a line of bash in the project, where rlhflint is the one that is tested."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    env = {**os.environ, "PATH": path, "HOME": str(tmp_path), "NO_COLOR": "1"}
    env.pop("GITHUB_ACTIONS", None)

    def run(command: str) -> subprocess.CompletedProcess[str]:
        words = ["bash", "-euo", "pipefail", "-c", command]
        return subprocess.run(words, cwd=project, env=env, capture_output=True, text=True, check=False)

    return run
