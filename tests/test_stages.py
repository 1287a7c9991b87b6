"""The stages of a run and their time."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rlhflint import processes, stages
from rlhflint.cli import rlhflint
from rlhflint.stages import STAGES, Stage, counted, each
from tests.runner import runner


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """A clock that goes a second further each time it is looked at."""
    seconds = iter(range(1000))
    monkeypatch.setattr(stages, "perf_counter", lambda: float(next(seconds)))
    monkeypatch.setattr(stages, "process_time", lambda: 0.5)


@pytest.mark.usefixtures("clock")
def test_time_counts_for_the_innermost_stage() -> None:
    with counted() as found:
        with Stage("launches"), Stage("reading"):
            pass
        with Stage("reading"):
            pass
    assert found.taken() == {"start": 0.5, "launches": 2.0, "reading": 2.0}
    assert found.taken() == {}


@pytest.mark.usefixtures("clock")
def test_what_is_done_with_a_thing_is_not_part_of_getting_it() -> None:
    with counted() as found:
        for _ in each("files", iter("ab")):
            with Stage("rules"):
                pass
    assert found.taken() == {"start": 0.5, "files": 3.0, "rules": 2.0}


def test_nothing_is_counted_where_nobody_asks() -> None:
    with Stage("rules") as nothing:
        assert nothing is None
    assert stages.counting() is None


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_verbose_check_tells_them(jobs: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(processes, "FEWEST", 2)
    for name in "abc":
        (tmp_path / f"{name}.sh").write_text("python -m openrlhf.cli.train_sft --bf16\n")
    told = runner().invoke(rlhflint, ["check", "--verbose", "--jobs", jobs]).stderr
    (line,) = [line for line in told.splitlines() if line.startswith("time: ")]
    assert re.findall(r"([a-z ]+?) \d+\.\d{3} s", line.removeprefix("time: ").replace(", ", ",").replace(",", "")) == [
        words for name, words in STAGES.items() if name != "memory"
    ]
    assert "time:" not in runner().invoke(rlhflint, ["check", "--jobs", jobs]).output
