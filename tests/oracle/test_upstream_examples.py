"""The tool that puts upstream's own commands to the linter, on a repository made for the purpose."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from tools.upstream_examples import main

PROGRAM = """
import argparse

def train(args):
    pass

if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--pretrain")
    parser.add_argument("--dataset")
    parser.add_argument("--zero_stage", type=int, default=2)
    args = parser.parse_args()
    train(args)
"""
RIGHT = "deepspeed --module openrlhf.cli.train_sft --pretrain m --dataset d"


def git(folder: Path, *words: str) -> None:
    who = ["-c", "user.name=somebody", "-c", "user.email=somebody@example.org"]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    subprocess.run(["git", *who, *words], cwd=folder, check=True, capture_output=True, env=environment)


@pytest.fixture
def clone(tmp_path):
    """Makes a repository with a tag of OpenRLHF 0.6.4 that holds a script."""

    def make(script: str) -> Path:
        (tmp_path / "openrlhf/cli").mkdir(parents=True)
        (tmp_path / "openrlhf/cli/train_sft.py").write_text(PROGRAM)
        (tmp_path / "examples").mkdir()
        (tmp_path / "examples/train.sh").write_text(script + "\n")
        git(tmp_path, "init", "-q")
        git(tmp_path, "add", "-A")
        git(tmp_path, "commit", "-q", "-m", "a release")
        git(tmp_path, "tag", "v0.6.4")
        return tmp_path

    return make


def test_a_command_that_both_accept(clone, capsys):
    assert main([str(clone(RIGHT))]) == 0
    assert "v0.6.4: 1 accepted, 0 refused, 0 disagreements" in capsys.readouterr().out


def test_a_command_that_both_refuse(clone, capsys):
    assert main([str(clone(f"{RIGHT} --no_such_flag 1"))]) == 0
    assert "v0.6.4: 0 accepted, 1 refused, 0 disagreements" in capsys.readouterr().out


def test_a_command_that_upstream_alone_refuses(clone, capsys):
    assert main([str(clone(f"{RIGHT} --max_epochs 1"))]) == 1
    assert "upstream alone: unrecognized arguments: --max_epochs 1" in capsys.readouterr().out


def test_a_command_that_the_linter_alone_refuses(clone, capsys):
    folder = clone(RIGHT)
    (folder / "openrlhf/cli/train_sft.py").write_text(PROGRAM.replace("--dataset", "--no_such_flag"))
    (folder / "examples/train.sh").write_text(
        "deepspeed --module openrlhf.cli.train_sft --pretrain m --no_such_flag d\n"
    )
    git(folder, "commit", "-q", "-a", "-m", "another")
    git(folder, "tag", "-f", "v0.6.4")
    assert main([str(folder)]) == 1
    assert "rlhflint alone: OR101" in capsys.readouterr().out


def test_words_that_are_not_known_cannot_be_put_to_upstream(clone, capsys):
    assert main([str(clone(f"{RIGHT} --zero_stage $STAGE"))]) == 0
    assert "0 launches accepted by their release, 0 refused, 1 not known" in capsys.readouterr().out


def test_a_folder_without_tags_of_releases(tmp_path, capsys):
    git(tmp_path, "init", "-q")
    assert main([str(tmp_path)]) == 2
    assert "is no clone of OpenRLHF" in capsys.readouterr().err
