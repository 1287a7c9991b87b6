"""What is sent and kept of a result is all that reports tell."""

from __future__ import annotations

import json
from dataclasses import fields
from pathlib import Path

import pytest

from rlhflint.check import Checker
from rlhflint.finding import Edit, Finding, Fix, Related
from rlhflint.judged import Judged, Undecided
from rlhflint.launch import Version
from rlhflint.project.settings import Settings
from rlhflint.reports.formats import FORMATS, Options, render
from rlhflint.result import FileResult, Result
from rlhflint.text import Span
from rlhflint.told import packed, unpacked
from tests.test_cases import CASES, run_cases


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_every_report_is_the_same(case: run_cases.Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "case"
    run_cases.copy_input(case, folder)
    monkeypatch.chdir(folder)
    whole = Checker(Settings()).check(["."])
    told = Result(tuple(_through_json(file) for file in whole.files))
    assert told == Result(tuple(_without_origins(file) for file in whole.files))
    for name in FORMATS:
        options = Options(verbose=True, statistics=True)
        assert render(name, told, options) == render(name, whole, options)


def _through_json(file: FileResult) -> FileResult:
    held = packed(file)
    return file if held is None else unpacked(json.loads(json.dumps(held)))


def _without_origins(file: FileResult) -> FileResult:
    held = packed(file)
    return file if held is None else unpacked(held)


@pytest.mark.parametrize(
    ("kind", "known"),
    [
        (FileResult, "path sources findings launches suppressed known secrets broken crashed document"),
        (Judged, "launch undecided ways every"),
        (Undecided, "code what because"),
        (Version, "name value source stated specifier statement"),
        (Span, "path start end"),
        (Edit, "span text"),
        (Fix, "title applicability edits"),
        (Related, "span message"),
        (
            Finding,
            "code name severity stage message span help program settings related versions fix conceal proposal launch",
        ),
    ],
)
def test_a_new_field_has_to_be_told_too(kind: type, known: str) -> None:
    assert [one.name for one in fields(kind)] == known.split()
