"""What changes beside the files that are checked, each time in a way that one question alone can notice."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from rlhflint import disk
from rlhflint.check import Checker
from rlhflint.project.settings import Settings
from rlhflint.trail import Trail, in_short
from tests.remembered.conftest import Runs

SFT = "python -m openrlhf.cli.train_sft --pretrain m --dataset d "
PARSER = "import argparse\np = argparse.ArgumentParser()\np.add_argument('--mine')\np.parse_args()\n"


class Change(NamedTuple):
    """What is there, what happens to it, and the question whose answer is another then."""

    files: dict[str, str]
    happens: Callable[[Path], object]
    question: str
    links: tuple[tuple[str, str], ...] = ()


def _written(name: str, text: str) -> Callable[[Path], object]:
    def write(project: Path) -> None:
        (project / name).parent.mkdir(exist_ok=True)
        (project / name).write_text(text)

    return write


def _a_folder_becomes_a_file(project: Path) -> None:
    (project / "more" / "sft.yaml").rmdir()
    (project / "more" / "sft.yaml").write_text("model_name_or_path: m\nno_such_key: 1\n")


def _a_file_becomes_a_folder(project: Path) -> None:
    (project / "jobs" / "openrlhf" / "cli").unlink()
    _written("jobs/openrlhf/cli/train_sft.py", PARSER)(project)


def _pointed(name: str, target: str) -> Callable[[Path], object]:
    def point(project: Path) -> None:
        (project / name).unlink()
        (project / name).symlink_to(target)

    return point


CHANGES = {
    "a copy of the programs appears in a folder that was there": Change(
        {"jobs/sft.sh": SFT + "--mine 1\n", "jobs/openrlhf/notes.txt": ""},
        _written("jobs/openrlhf/cli/train_sft.py", PARSER),
        "folder",
    ),
    "a file becomes the folder of the programs": Change(
        {"jobs/sft.sh": SFT + "--mine 1\n", "jobs/openrlhf/cli": ""}, _a_file_becomes_a_folder, "folder"
    ),
    "requirements appear in a folder that was there": Change(
        {"sft.sh": "pip install -r more/pins.txt\n" + SFT + "--ds.zero_stage 2\n", "more/notes.txt": ""},
        _written("more/pins.txt", "openrlhf==0.8.1\n"),
        "file",
    ),
    "a folder becomes the configuration": Change(
        {"run.sh": "trl sft --config more/sft.yaml\n", "more/sft.yaml/": ""}, _a_folder_becomes_a_file, "file"
    ),
    "the configuration appears in a folder that was there": Change(
        {"run.sh": "trl sft --config more/sft.yaml\n", "more/notes.txt": ""},
        _written("more/sft.yaml", "model_name_or_path: m\nno_such_key: 1\n"),
        "there",
    ),
    "a sourced link is pointed out of the project": Change(
        {"sft.sh": "source common.inc\n" + SFT + "$FLAGS\n", "inside.inc": "FLAGS=--nope\n"},
        _pointed("common.inc", "../outside.inc"),
        "real",
        (("common.inc", "inside.inc"),),
    ),
    "requirements are pointed out of the project": Change(
        {"sft.sh": SFT + "--ds.zero_stage 2\n", "inside.inc": "openrlhf==0.8.1\n"},
        _pointed("requirements.txt", "../outside.inc"),
        "real",
        (("requirements.txt", "inside.inc"),),
    ),
    "a configuration of the linter appears beside a broken file": Change(
        {"jobs/broken.py": "import trl\nGRPOConfig(\n"},
        _written("jobs/rlhflint.toml", "ignore = ['ALL']\n"),
        "entry",
    ),
    "the file becomes one of another repository": Change(
        {"rlhflint.toml": "ignore = ['ALL']\n", "jobs/broken.py": "import trl\nGRPOConfig(\n"},
        _written("jobs/.git", "gitdir: elsewhere\n"),
        "entry",
    ),
}


@pytest.fixture(params=sorted(CHANGES))
def change(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Change:
    """A change, and a project in the working directory that it may happen to."""
    one = CHANGES[request.param]
    project = tmp_path / "project"
    (project / ".git").mkdir(parents=True)
    for name, text in one.files.items():
        if name.endswith("/"):
            (project / name).mkdir(parents=True)
        else:
            (project / name).parent.mkdir(exist_ok=True, parents=True)
            (project / name).write_text(text)
    if "inside.inc" in one.files:
        (tmp_path / "outside.inc").write_text(one.files["inside.inc"])
    for name, target in one.links:
        (project / name).symlink_to(target)
    monkeypatch.chdir(project)
    return one


def test_the_change_is_noticed(change: Change, runs: Runs) -> None:
    before = runs("--verbose")
    assert runs("--verbose") == before
    assert runs.given > 0
    change.happens(Path())
    now = runs("--verbose")
    assert runs.given == 0
    assert now == runs("--no-cache", "--verbose") != before


def test_no_other_question_notices(change: Change) -> None:
    trail = Trail()
    list(Checker(Settings(), trail=trail).results(["."]))
    change.happens(Path())
    changed = {question for question, path, answer in trail if in_short(disk.ask(question, path)) != answer}
    assert changed == {change.question}
