"""A little of `python -m tools.fuzz` in every run, and every input that once failed."""

from __future__ import annotations

import importlib
import inspect
import os
import pkgutil
import signal
import sys
from contextlib import chdir
from pathlib import Path
from types import FrameType

import pytest

import rlhflint
from rlhflint.project.kinds import FileKind
from tools.fuzz.__main__ import main
from tools.fuzz.holds import Broken, places
from tools.fuzz.mutation import LONGEST, made
from tools.fuzz.seeds import own, seeds
from tools.fuzz.targets import BY_NAME, READERS, TARGETS, Target
from tools.fuzz.worker import fault_of, run, smaller

SAVED = sorted((Path(__file__).parent / "seeds").glob("*/*"))
INPUTS = int(os.environ.get("RLHFLINT_FUZZ_INPUTS", "40"))
"""Inputs for each reader; the slow ones get fewer."""


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path) -> object:
    """A folder that says nothing about releases."""
    (tmp_path / ".git").mkdir()
    with chdir(tmp_path):
        yield


def test_every_reader_has_texts_to_begin_with() -> None:
    assert len(READERS) >= 15
    for target in TARGETS:
        assert seeds(target.kind), target.name


FOLDERS = ("readers", "versions", "fixing", "explain")
"""Where code reads or writes files of a user's."""
ELSEWHERE = {
    "versions.installed": "an installed environment, of which whole folders are read",
    "fixing.diff": "differences of two texts are printed, nothing is read",
    "fixing.writing": "files are written whole",
    "explain.report": "a report on a launch is printed",
    "explain.shareable": "a report on a launch is printed",
}
"""What no target leads through, and why."""


def test_the_targets_lead_through_every_module_that_reads_a_text() -> None:
    """A reader that is added has to become a target."""
    passed: set[str] = set()

    def note(frame: FrameType, event: str, _: object) -> None:
        if event == "call":
            passed.add(frame.f_globals.get("__name__", ""))

    sys.setprofile(note)
    try:
        for target in TARGETS:
            texts, many = seeds(target.kind), 20 if target in READERS else 4
            for text in (*own(target.kind), *texts[:: len(texts) // many + 1]):
                target.run(text)
    finally:
        sys.setprofile(None)
    missing = []
    for folder in FOLDERS:
        for found in pkgutil.walk_packages([str(Path(rlhflint.__file__).parent / folder)], f"rlhflint.{folder}."):
            module = importlib.import_module(found.name)
            own_code = any(
                getattr(one, "__module__", "") == found.name and inspect.isroutine(one) for one in vars(module).values()
            )
            if own_code and found.name not in passed:
                missing.append(found.name.removeprefix("rlhflint."))
    assert set(missing) == set(ELSEWHERE), sorted(set(missing) ^ set(ELSEWHERE))


def test_every_kind_of_file_is_checked_fixed_and_moved() -> None:
    kinds = {kind.value for kind in FileKind} - {FileKind.OTHER.value}
    for way in ("check", "fix", "move"):
        assert {target.name.partition("-")[2] for target in TARGETS if target.name.startswith(f"{way}-")} >= kinds


@pytest.mark.parametrize("target", TARGETS, ids=lambda target: target.name)
def test_inputs_made_at_random_do_no_harm(target: Target) -> None:
    texts = seeds(target.kind)
    inputs = INPUTS if target in READERS else INPUTS // 8
    assert inputs > 0
    for number in range(inputs):
        text = made(target.kind, texts, 0, number)
        assert len(text) <= LONGEST
        assert fault_of(target, text) is None, text


@pytest.mark.parametrize("path", SAVED, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_what_failed_once_does_no_more(path: Path) -> None:
    text = path.read_bytes().decode("utf-8", "surrogatepass")
    assert fault_of(BY_NAME[path.parent.name], text) is None


def test_an_input_of_a_campaign_is_always_the_same() -> None:
    texts = seeds("shell")
    assert [made("shell", texts, 1, number) for number in range(20)] == [
        made("shell", texts, 1, number) for number in range(20)
    ]
    assert made("shell", texts, 1, 7) != made("shell", texts, 2, 7)


def _fails(text: str) -> None:
    if "\n" in text:
        raise Broken("a line end")


def _dies(_: str) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def test_a_fault_is_told_and_made_small() -> None:
    told = []
    target = Target("failing", "shell", _fails)
    run(target, 1, range(30), told.append)
    assert [fault.what.partition(" at ")[0] for fault in told] == ["Broken"]
    assert smaller(target, told[0].text) == "\n"


def test_an_input_that_ends_the_process_is_told_and_the_next_ones_are_tried() -> None:
    told = []
    run(Target("dying", "shell", _dies), 1, range(3), told.append)
    assert [fault.number for fault in told] == [0, 1, 2]
    assert "signal 9" in told[0].what


def test_a_place_outside_of_its_text_is_a_fault() -> None:
    from rlhflint.text import Piece, Span, Traced

    texts = {"a.sh": "abc"}
    places(Traced([Piece("bc", Span("a.sh", 1, 3), verbatim=True)]), texts)
    with pytest.raises(Broken):
        places([Span("a.sh", 2, 4)], texts)
    with pytest.raises(Broken):
        places(Traced([Piece("ab", Span("a.sh", 1, 3), verbatim=True)]), texts)


def test_the_command_gives_each_target_its_share(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--inputs", "40", "--only", "ignore", "--only", "baseline"]) == 0
    assert "ignore: 27 inputs" in (told := capsys.readouterr().out)
    assert "41 inputs, 0 faults" in told
