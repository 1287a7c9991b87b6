"""Everything that a check asks the disk is noted, and a changed answer is noticed."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from rlhflint import disk
from rlhflint.check import Checker, Suspect
from rlhflint.project.discovery import Candidate
from rlhflint.project.settings import Settings
from rlhflint.trail import Trail
from tests.test_cases import CASES, run_cases

_listening: list[set[str]] = []
"""Where the interpreter's own account of what is opened and listed goes; nowhere, usually."""


def _heard(event: str, arguments: tuple[object, ...]) -> None:
    if _listening and event in ("open", "os.scandir", "os.listdir", "glob.glob") and not isinstance(arguments[0], int):
        _listening[-1].add(os.path.abspath(os.fsdecode(arguments[0] or ".")))  # type: ignore[arg-type]


sys.addaudithook(_heard)


@contextmanager
def opened() -> Iterator[set[str]]:
    """The files and folders that are opened meanwhile."""
    _listening.append(set())
    try:
        yield _listening[-1]
    finally:
        _listening.pop()


READING = {"content", "entries", "matching", "start", "start-itself"}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_all_that_is_opened_is_noted(case: run_cases.Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "case"
    run_cases.copy_input(case, folder)
    (folder / ".git").mkdir(exist_ok=True)
    monkeypatch.chdir(folder)
    first, noting = Checker(Settings()), Checker(Settings(), trail=Trail())
    suspects = [
        (candidate, looked)
        for candidate in first.candidates(["."])
        if isinstance(candidate, Candidate) and isinstance(looked := first.look_at(candidate), Suspect)
    ]
    assert suspects or "-ok-" in case.name
    with opened() as found:
        for candidate, suspect in suspects:
            noting.check_suspect(candidate, suspect)
    assert noting.trail is not None
    noted = {os.path.abspath(path) for question, path, _ in noting.trail if question.split()[0] in READING}
    # The interpreter itself looks for the file `<unknown>` when it says where a text is no Python.
    here = {path for path in found if path.startswith(str(folder)) and not path.endswith("<unknown>")}
    assert here <= noted
    assert noting.trail.holds()


def test_something_is_opened_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("train.sh").write_text("source common.sh\npython -m openrlhf.cli.train_sft --bf16\n")
    Path("common.sh").write_text("A=1\n")
    with opened() as found:
        list(Checker(Settings()).results(["train.sh"]))
    assert {str(tmp_path), str(tmp_path / "common.sh"), str(tmp_path / "train.sh")} <= found


def _write(path: Path, text: str) -> Callable[[], object]:
    return lambda: path.write_text(text)


def changes(folder: Path) -> dict[str, Callable[[], object]]:
    """Ways in which a folder changes, each of which another question notices."""
    return {
        "content": _write(folder / "a.sh", "other"),
        "start 3": _write(folder / "b.sh", "1234"),
        "entries": (folder / "inner" / "new").touch,
        "file": (folder / "absent").touch,
        "folder": (folder / "nothing").mkdir,
        "there": (folder / "inner" / "gone").unlink,
        "entry": (folder / "dangling").unlink,
        "real": lambda: ((folder / "link").unlink(), (folder / "link").symlink_to("inner")),
        "matching lib/*": lambda: (folder / "lib" / "python3.11").mkdir(parents=True),
        "start-itself 9": lambda: ((folder / "c.sh").unlink(), (folder / "c.sh").symlink_to("a.sh")),
    }


@pytest.mark.parametrize("change", sorted(changes(Path())))
def test_a_changed_answer_is_noticed(change: str, tmp_path: Path) -> None:
    for name in ("a.sh", "b.sh", "c.sh"):
        (tmp_path / name).write_text("echo\n")
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner" / "gone").touch()
    (tmp_path / "link").symlink_to("a.sh")
    (tmp_path / "dangling").symlink_to("leads-nowhere")
    asked = {
        "content": "a.sh",
        "start 3": "b.sh",
        "entries": "inner",
        "file": "absent",
        "folder": "nothing",
        "there": "inner/gone",
        "entry": "dangling",
        "real": "link",
        "matching lib/*": "",
        "start-itself 9": "c.sh",
    }
    trail = Trail()
    with disk.noting(trail):
        disk.ask(change, str(tmp_path / asked[change]))
    assert trail.holds()
    changes(tmp_path)[change]()
    assert not trail.holds()


def test_every_question_has_its_change() -> None:
    assert {change.split()[0] for change in changes(Path())} == set(disk._QUESTIONS)


def test_two_answers_to_one_question_hold_for_nothing(tmp_path: Path) -> None:
    trail = Trail()
    with disk.noting(trail):
        assert not disk.exists(str(tmp_path / "a"))
        (tmp_path / "a").touch()
        assert disk.exists(str(tmp_path / "a"))
    assert trail.broken
    assert not trail.holds()


def test_what_was_noted_since_is_told_once(tmp_path: Path) -> None:
    trail = Trail()
    trail.note("file", "a", True)
    assert trail.news() == [("file", "a", "True")]
    trail.note("file", "a", True)
    trail.note("file", "b", False)
    assert trail.news() == [("file", "b", "False")]


def test_a_contradiction_is_news(tmp_path: Path) -> None:
    trail, other = Trail(), Trail()
    for answer in (True, False):
        trail.note("file", "a", answer)
        for note in trail.news():
            other.add(*note)
    assert trail.broken
    assert other.broken


def test_nothing_is_noted_where_no_trail_is_kept(tmp_path: Path) -> None:
    trail = Trail()
    with disk.noting(trail), disk.noting(None):
        disk.exists(str(tmp_path))
    assert list(trail) == []


def test_a_walk_is_that_of_the_standard_library(tmp_path: Path) -> None:
    for inner in ("a/b/c", "a/d", "e"):
        (tmp_path / inner).mkdir(parents=True)
        (tmp_path / inner / "file").touch()
    (tmp_path / "e" / "to-a").symlink_to(tmp_path / "a")
    (tmp_path / "loop").symlink_to(tmp_path)
    (tmp_path / "dangling").symlink_to("nowhere")
    (tmp_path / "closed").mkdir(mode=0)
    mine = [(folder, below, others) for folder, below, others in disk.walk(str(tmp_path))]
    theirs = [(folder, sorted(below), sorted(others)) for folder, below, others in os.walk(tmp_path)]
    assert sorted(mine) == sorted(theirs)
    shutil.rmtree(tmp_path / "a")
    assert list(disk.walk(str(tmp_path / "a"))) in ([], [(str(tmp_path / "a"), [], [])])
