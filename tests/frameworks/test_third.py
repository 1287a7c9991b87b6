"""A framework is a folder: a small third one works in all commands, with nothing changed outside of it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
THIRD = Path(__file__).with_name("third")
LAUNCHES = """\
torchrun --nproc_per_node 2 -m toyrl.train --model m --bacth 4 --micro $N
python -m toyrl.train --model m --batch 5 --micro 2
"""
PUT_RIGHT = """\
torchrun --nproc_per_node 2 -m toyrl.train --model m --batch 4 --micro $N
python -m toyrl.train --model m --batch 5 --micro 1
"""


@pytest.fixture(scope="module")
def with_third(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The package and its data, with the third framework's two folders put in."""
    there = tmp_path_factory.mktemp("package")
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "rlhflint", there / "rlhflint", ignore=ignored)
    shutil.copytree(ROOT / "schemas", there / "schemas")
    shutil.copytree(THIRD / "toyrl", there / "rlhflint/frameworks/toyrl", ignore=ignored)
    shutil.copytree(THIRD / "schemas", there / "schemas/toyrl")
    return there


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project with two launches of the framework."""
    (tmp_path / "requirements.txt").write_text("toyrl==1.1.0\n")
    (tmp_path / "run.sh").write_text(LAUNCHES)
    return tmp_path


def run(package: Path, folder: Path, *words: str) -> tuple[int, str]:
    """Exit status and output of a command of the package."""
    done = subprocess.run(
        [sys.executable, "-m", "rlhflint", *words],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(package), "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout + done.stderr


def test_its_launches_are_found_and_judged_by_its_rules_at_the_release_in_force(
    with_third: Path, project: Path
) -> None:
    status, told = run(with_third, project, "check", "--output-format", "concise")
    assert (status, told.splitlines()[:-1]) == (
        1,
        [
            "run.sh:1:54: error[TY101] toyrl 1.1.0 has no flag --bacth",
            "run.sh:2:33: error[TY201] --batch 5 is no multiple of --micro 2",
        ],
    )
    (project / "requirements.txt").write_text("toyrl==1.0.0\n")
    told = run(with_third, project, "check", "--output-format", "concise")[1]
    assert "toyrl 1.0.0 has no flag --micro" in told
    assert "TY201" not in told


def test_its_launches_are_fixed(with_third: Path, project: Path) -> None:
    run(with_third, project, "fix", "--unsafe")
    assert (project / "run.sh").read_text() == PUT_RIGHT


def test_rules_of_all_programs_look_at_it(with_third: Path, project: Path) -> None:
    (project / "run.sh").write_text("CUDA_VISIBLE_DEVICES=0 torchrun --nproc_per_node 2 -m toyrl.train --model m\n")
    assert "LA401" in run(with_third, project, "check")[1]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("show", "run.sh"), "toyrl 1.1.0 from requirements.txt line 1"),
        (("rule", "TY101"), "A flag has to be one that the program has."),
        (("plan", "run.sh"), "where the parts of a launch of toyrl run is not worked out"),
        (("schema", "toyrl:train"), '"title": "toyrl.train"'),
        (("diff", "run.sh:1", "run.sh:2"), "micro"),
    ],
)
def test_every_command_knows_it(with_third: Path, project: Path, words: tuple[str, ...], told: str) -> None:
    assert told in run(with_third, project, *words)[1]
