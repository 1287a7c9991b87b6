"""The hooks, run by the tools that run them in repositories, on a copy of this project."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.hooks.conftest import Scratch, run

CLEAN = """\
#!/usr/bin/env bash
deepspeed --module openrlhf.cli.train_sft \\
   --max_len 2048 \\
   --dataset data/pairs.jsonl \\
   --input_key question \\
   --output_key response \\
   --train_batch_size 256 \\
   --micro_train_batch_size 2 \\
   --pretrain meta-llama/Meta-Llama-3-8B \\
   --save_path out/sft \\
   --zero_stage 2 \\
   --bf16
"""
BAD = CLEAN.replace("--bf16", "--bf16 \\\n   --no_such_flag 1")
PINNED = "openrlhf==0.8.11\n"


@dataclass(frozen=True)
class Installed:
    """A tool that has installed the hooks, which takes the network; running them does not."""

    runner: Path
    env: dict[str, str]
    config: str


@pytest.fixture(scope="module", params=["pre-commit", "prek"])
def installed(request, tool, project, tmp_path_factory) -> Installed:
    """The hooks of this project as it is now, installed."""
    runner, home = tool(request.param), str(tmp_path_factory.mktemp("home"))
    env = {"PRE_COMMIT_HOME": home, "PREK_HOME": home, "UV_PYTHON_DOWNLOADS": "never"}
    if request.param == "prek":
        env["PATH"] = os.pathsep.join([str(tool("uv").parent), os.environ["PATH"]])
    revision = run("git", "rev-parse", "HEAD", cwd=project).strip()
    hooks = "".join(f"      - id: {name}\n" for name in ("rlhflint", "rlhflint-fix"))
    config = f"repos:\n  - repo: {project}\n    rev: {revision}\n    hooks:\n{hooks}"
    scratch = Scratch(tmp_path_factory.mktemp("first"), runner, env, config)
    run(runner, "install-hooks", cwd=scratch.folder, env=env)
    return Installed(runner, env, config)


@pytest.fixture
def scratch(installed: Installed, tmp_path: Path) -> Scratch:
    """A user's repository with nothing in it but the configuration of its hooks."""
    return Scratch(tmp_path, installed.runner, installed.env, installed.config)


def test_clean_launch_passes(scratch):
    scratch.write("requirements.txt", PINNED)
    scratch.write("train.sh", CLEAN)
    assert "Passed" in scratch.hook("rlhflint")


def test_bad_launch_fails_and_is_told(scratch):
    scratch.write("requirements.txt", PINNED)
    scratch.write("runs/train.sh", BAD)
    told = scratch.hook("rlhflint")
    assert "Failed" in told
    assert "runs/train.sh:" in told
    assert "--no_such_flag" in told


@pytest.mark.parametrize("name", ["job.slurm", "runs/job.sbatch", "launch"])
def test_scripts_without_a_type_of_their_own_are_checked(scratch, name):
    scratch.write("requirements.txt", PINNED)
    scratch.write(name, BAD)
    told = scratch.hook("rlhflint")
    assert "Failed" in told
    assert f"{name}:" in told


def test_file_that_the_project_excludes_is_left_alone(scratch):
    scratch.write("rlhflint.toml", 'exclude = ["old"]\n')
    scratch.write("old/train.sh", BAD)
    assert "Passed" in scratch.hook("rlhflint")


def test_many_files_are_checked_by_one_process(scratch):
    scratch.write("requirements.txt", PINNED)
    for number in range(40):
        scratch.write(f"runs/{number}.sh", CLEAN)
    told = scratch.hook("rlhflint")
    assert "Passed" in told
    assert told.count("40 launches (") == 1


def test_file_of_another_kind_is_not_handed_over(scratch):
    scratch.write("train.txt", BAD)
    told = scratch.hook("rlhflint")
    assert "Passed" in told
    assert "in 0 launches" in told


def test_safe_fix_is_made_once(scratch):
    scratch.write("requirements.txt", PINNED)
    path = scratch.write("train.sh", f"# rlhflint: ignore[OR101] gone\n{CLEAN}")
    assert "files were modified by this hook" in scratch.hook("rlhflint-fix")
    assert path.read_text("utf-8") == CLEAN
    scratch.write("train.sh", CLEAN)
    assert "Passed" in scratch.hook("rlhflint-fix")
