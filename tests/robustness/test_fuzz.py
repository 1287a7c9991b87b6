"""A little of `python -m tools.fuzz` in every run, and every input that once failed."""

from __future__ import annotations

import os
import signal
from contextlib import chdir
from pathlib import Path

import pytest

from tools.fuzz.__main__ import main
from tools.fuzz.mutation import LONGEST, made
from tools.fuzz.seeds import seeds
from tools.fuzz.targets import BY_NAME, READERS, TARGETS, Broken, Target, places
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
