"""What the hooks say of themselves."""

from __future__ import annotations

import re

import pytest
import yaml

from rlhflint.project.kinds import _ENDINGS, FileKind, kind_of_name
from tests.hooks.conftest import ROOT, run

HOOKS = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))


def test_manifest_is_valid(tool, tmp_path):
    run(tool("pre-commit"), "validate-manifest", ROOT / ".pre-commit-hooks.yaml", cwd=tmp_path)


def test_there_is_one_hook_to_check_and_one_to_fix():
    assert {hook["id"]: hook["entry"] for hook in HOOKS} == {
        "rlhflint": "rlhflint check --force-exclude",
        "rlhflint-fix": "rlhflint fix --force-exclude",
    }


READ = [
    *("a.sh", "a.bash", "a.zsh", "a.ksh", "a.slurm", "a.sbatch", "runs/my job.SBATCH"),
    *("a.py", "a.ipynb", "a.yaml", "a.yml", "a.mk", "b/a.mak", "train.dockerfile", "x.containerfile"),
    *("Dockerfile", "docker/Dockerfile.train", "Containerfile", "Makefile", "GNUmakefile", "Makefile.am"),
]
LEFT = ["a.txt", "README.md", "data.jsonl", "a.sh.orig", "logo.png", "notes.shx", "a.pyc"]


def handed_over(path: str) -> set[bool]:
    return {re.search(hook["files"], path) is not None for hook in HOOKS}


@pytest.mark.parametrize("path", READ)
def test_files_that_are_read_are_handed_over(path):
    assert kind_of_name(path.rpartition("/")[2]) is not None
    assert handed_over(path) == {True}


@pytest.mark.parametrize("ending", _ENDINGS)
def test_every_ending_that_is_read_is_handed_over_but_markdown(ending):
    wanted = _ENDINGS[ending] is not FileKind.MARKDOWN
    assert handed_over(f"a{ending}") == {wanted}


@pytest.mark.parametrize("path", ["train", "bin/launch", "run.job"])
def test_scripts_that_only_their_first_line_tells_are_handed_over(path):
    assert kind_of_name(path.rpartition("/")[2]) is None
    assert handed_over(path) == {True}


@pytest.mark.parametrize("path", LEFT)
def test_other_files_are_left(path):
    assert handed_over(path) == {False}


def test_only_texts_are_handed_over():
    assert [hook["types"] for hook in HOOKS] == [["text"], ["text"]]
