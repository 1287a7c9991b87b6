"""Characters as output shows them, and launches as `show` and headings tell of them."""

from __future__ import annotations

import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rlhflint.check import Checker
from rlhflint.launch import Launch, Version
from rlhflint.reports.heading import heading
from rlhflint.reports.printable import columns, printable
from rlhflint.reports.regions import Region, line_of, region
from rlhflint.reports.show import render
from rlhflint.result import FileResult, Result
from rlhflint.text import Span


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain é 名", "plain é 名"),
        ("a\tb", "a\tb"),
        ("a\nb\r", "a\\nb\\r"),
        ("\x1b[31mred", "\\x1b[31mred"),
        ("a\u00a0b\u2003c", "a b c"),
        ("a\u202eb", "a\\u202eb"),
        ("\U000e0041", "\\U000e0041"),
        ("\ud800", "\\ud800"),
    ],
)
def test_characters_that_steer_a_terminal_are_written_out(text: str, shown: str) -> None:
    assert printable(text) == shown


@given(st.text())
def test_any_text_becomes_printable(text: str) -> None:
    assert all(one == "\t" or one.isprintable() for one in printable(text))


@pytest.mark.parametrize(
    ("character", "width"),
    [("a", 1), ("é", 1), ("名", 2), ("\u0301", 0), ("\u20dd", 0), ("\x1b", 4), ("\u00a0", 1), ("\uff21", 2)],
)
def test_columns_of_a_character(character: str, width: int) -> None:
    assert columns(character) == width, unicodedata.name(character, "")


@pytest.mark.parametrize(
    ("version", "told"),
    [
        (None, "a.sh:3  openrlhf:train_sft"),
        (Version("openrlhf", "0.9.3", "requirements.txt line 1", stated=True), "0.9.3 (from requirements.txt line 1)"),
        (Version("openrlhf", "0.9.3", "the newest known", stated=False), "0.9.3 (from the newest known, assumed)"),
    ],
)
def test_what_a_launch_begins_with(version: Version | None, told: str) -> None:
    versions = {} if version is None else {"openrlhf": version}
    assert heading(Launch("openrlhf:train_sft", "a.sh", Span("a.sh", 0, 0), versions=versions), 3).endswith(told)


def test_a_place_in_a_file_that_is_not_at_hand_is_its_start() -> None:
    assert region(Span("gone.sh", 7, 9), FileResult("a.sh")) == Region(1, 1, 1, 1)
    assert line_of(Span("gone.sh", 7, 9), FileResult("a.sh")) == 1


def test_ways_and_what_may_be_given_besides_are_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)
    text = (
        'if [ -n "$BIG" ]; then N=2; else N=3; fi\n'
        "python -m openrlhf.cli.train_sft --model.model_name_or_path m --data.dataset d --ds.zero_stage $N $MORE\n"
    )
    told = render(Result((Checker().check_text(text, "a.sh"),)))
    assert "  2 ways through the script lead here; settings are those of the first" in told
    assert "  and perhaps more: $MORE comes from the environment" in told
    assert "(assumed)" in told
    assert "\x1b" not in told
    assert "\x1b[1ma.sh:2  openrlhf:train_sft\x1b[0m" in render(
        Result((Checker().check_text(text, "a.sh"),)), colour=True
    )
