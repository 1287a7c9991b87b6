"""Runs that take a while say how far they are, and leave nothing behind."""

from __future__ import annotations

import io
from collections.abc import Iterator

import pytest

from rlhflint.cli import progress
from rlhflint.result import FileResult


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def results(number: int) -> Iterator[FileResult]:
    return (FileResult(f"{one}.sh") for one in range(number))


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every look at the clock is a quarter of a second later."""
    seconds = iter(range(10_000))
    monkeypatch.setattr(progress, "monotonic", lambda: next(seconds) / 4)
    monkeypatch.setenv("TERM", "xterm")


@pytest.mark.usefixtures("clock")
def test_a_long_run_tells_how_far_it_is_and_wipes_it_away() -> None:
    terminal = Terminal()
    assert len(list(progress.watched(results(20), terminal))) == 20
    assert "10 files, 0 launches, 0 findings" in terminal.getvalue()
    assert terminal.getvalue().endswith("\r\x1b[K")
    assert "\n" not in terminal.getvalue()


@pytest.mark.usefixtures("clock")
def test_a_run_of_less_than_a_second_says_nothing() -> None:
    terminal = Terminal()
    list(progress.watched(results(3), terminal))
    assert terminal.getvalue() == ""


@pytest.mark.usefixtures("clock")
def test_nothing_is_told_to_a_file() -> None:
    stream = io.StringIO()
    list(progress.watched(results(20), stream))
    assert stream.getvalue() == ""


@pytest.mark.usefixtures("clock")
def test_nothing_is_told_to_a_terminal_that_cannot_wipe(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "dumb")
    terminal = Terminal()
    list(progress.watched(results(20), terminal))
    assert terminal.getvalue() == ""


@pytest.mark.usefixtures("clock")
def test_the_line_is_wiped_away_where_a_run_breaks_off() -> None:
    def broken() -> Iterator[FileResult]:
        yield from results(10)
        raise KeyboardInterrupt

    terminal = Terminal()
    with pytest.raises(KeyboardInterrupt):
        list(progress.watched(broken(), terminal))
    assert terminal.getvalue().endswith("\r\x1b[K")
