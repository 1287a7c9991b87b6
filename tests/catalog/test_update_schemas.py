"""The tool that keeps the data files."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from rlhflint.frameworks.openrlhf.catalog import openrlhf
from tests.sample import ALL_RELEASES
from tools import update_schemas
from tools.schemas import packages
from tools.schemas.packages import Unavailable, wheel
from tools.update_schemas import ROOT, SCHEMAS, differences

TOOL = [sys.executable, str(ROOT / "tools" / "update_schemas.py")]


def test_a_changed_line_and_a_file_too_much_are_told(tmp_path, monkeypatch):
    monkeypatch.setattr(update_schemas, "SCHEMAS", tmp_path)
    (tmp_path / "x").mkdir()
    (tmp_path / "x" / "a.json").write_text('{\n "a": 1\n}\n')
    (tmp_path / "x" / "b.json").write_text("{}\n")
    told = "\n".join(differences({"x/a.json": '{\n "a": 2\n}\n', "x/c.json": "{}\n"}))
    assert '- "a": 1' in told
    assert '+ "a": 2' in told
    assert "+{}" in told
    assert "schemas/x/b.json: the packages give no such file" in told
    assert differences({"x/a.json": '{\n "a": 1\n}\n', "x/b.json": "{}\n"}) == []


def test_a_wheel_is_found_in_the_folder_or_in_that_of_its_package(tmp_path):
    (tmp_path / "openrlhf").mkdir()
    one = tmp_path / "openrlhf-0.9.0-cp311-cp311-manylinux1_x86_64.whl"
    two = tmp_path / "openrlhf" / "openrlhf-0.9.1-cp311-cp311-manylinux1_x86_64.whl"
    for path in (one, two):
        path.write_bytes(b"")
    assert wheel("openrlhf", "0.9.0", tmp_path) == one
    assert wheel("openrlhf", "0.9.1", tmp_path) == two


def test_a_wheel_that_cannot_be_fetched_is_said_to_be_missing(tmp_path, monkeypatch):
    failed = subprocess.CompletedProcess([], 1, "", "no network")
    monkeypatch.setattr(packages.subprocess, "run", lambda *given, **more: failed)
    with pytest.raises(Unavailable, match=r"openrlhf 0\.9\.0: no network"):
        wheel("openrlhf", "0.9.0", tmp_path / "new")


def test_a_target_that_does_not_exist_is_wrong_usage():
    done = subprocess.run([*TOOL, "megatron"], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "no such target: megatron" in done.stderr


@pytest.mark.skipif(not ALL_RELEASES, reason="reads every package")
def test_check_says_nothing_where_nothing_differs_and_tells_what_does(released_wheel):
    for release in openrlhf().releases:
        released_wheel("openrlhf", release)
    done = subprocess.run([*TOOL, "openrlhf", "--check"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_the_data_files_end_with_a_line_and_hold_no_texts_of_upstream():
    paths = sorted(Path(SCHEMAS / "openrlhf").glob("*.json"))
    assert len(paths) > 10
    for path in paths:
        text = path.read_text("utf-8")
        assert text.endswith("}\n")
        assert '"help"' not in text
        assert '"metavar"' not in text
