"""A copy of the project for tools to install that run it as its users' repositories do."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ENVIRONMENT = {
    "GIT_AUTHOR_NAME": "A",
    "GIT_AUTHOR_EMAIL": "a@example.org",
    "GIT_COMMITTER_NAME": "A",
    "GIT_COMMITTER_EMAIL": "a@example.org",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
}


def run(*words: str | Path, cwd: Path, env: dict[str, str] | None = None, check: bool = True) -> str:
    """What a command prints. With `check`, the test fails if it fails."""
    together = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    done = subprocess.run(
        words, cwd=cwd, env=os.environ | ENVIRONMENT | (env or {}), text=True, check=False, **together
    )
    assert done.returncode == 0 or not check, f"{words}\n{done.stdout}"
    return done.stdout


@pytest.fixture(scope="session")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project as it is now, in a repository of its own with one commit."""
    folder = tmp_path_factory.mktemp("project")
    listed = run("git", "ls-files", "--cached", "--others", "--exclude-standard", "-z", cwd=ROOT)
    for name in filter(None, listed.split("\0")):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)
    run("git", "init", "--quiet", cwd=folder)
    run("git", "add", "--all", "--force", cwd=folder)
    run("git", "commit", "--quiet", "--message", "all", cwd=folder)
    return folder


def without_network() -> Sequence[str]:
    """Words in front of a command that take the network from it, as far as this machine can."""
    if shutil.which("unshare") and subprocess.run(["unshare", "-rn", "true"], check=False).returncode == 0:
        return ["unshare", "-rn"]
    return ["env", "http_proxy=http://127.0.0.1:9", "https_proxy=http://127.0.0.1:9"]


@dataclass
class Scratch:
    """A user's repository with a configuration of hooks."""

    folder: Path
    runner: Path
    env: dict[str, str]
    config: str

    def __post_init__(self) -> None:
        run("git", "init", "--quiet", cwd=self.folder)
        self.write(".pre-commit-config.yaml", self.config)

    def write(self, name: str, text: str) -> Path:
        """Write a file and hand it to git."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
        run("git", "add", "--force", name, cwd=self.folder)
        return path

    def hook(self, name: str, *words: str) -> str:
        """What a hook says of all files, with the network off; `Passed`, `Failed` or `Skipped` is in it."""
        command = [*without_network(), self.runner, "run", name, "--all-files", "--verbose", *words]
        return run(*command, cwd=self.folder, env=self.env, check=False)
