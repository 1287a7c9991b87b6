"""Python source in another encoding than UTF-8: read, told at its place and fixed in the encoding that it states."""

from __future__ import annotations

import json
from contextlib import chdir
from pathlib import Path

import pytest

from rlhflint.cli import rlhflint
from tests.runner import runner

TEXT = "# -*- coding: {} -*-\nfrom trl import SFTConfig\nname = 'Größe é'; a = SFTConfig(max_seq_length=5)\n"


def _run(folder: Path, *arguments: str) -> str:
    with chdir(folder):
        return runner().invoke(rlhflint, [*arguments, "--framework-version", "trl=0.20.0"]).stdout


@pytest.mark.parametrize("encoding", ["latin-1", "cp1252", "utf-8", "iso-8859-15", "mac-roman"])
def test_the_same_is_found_and_fixed_in_every_encoding(tmp_path: Path, encoding: str) -> None:
    text = TEXT.format(encoding)
    (tmp_path / "a.py").write_bytes(text.encode(encoding))
    [found] = [
        one
        for one in json.loads(_run(tmp_path, "check", "--output-format", "json", "."))["findings"]
        if "max_seq_length" in one["message"]
    ]
    line = text.splitlines()[2]
    assert (found["line"], line[found["column"] - 1 :][: len("max_seq_length")]) == (3, "max_seq_length")
    _run(tmp_path, "fix", ".")
    assert (tmp_path / "a.py").read_bytes() == text.replace("max_seq_length", "max_length").encode(encoding)


def test_an_encoding_that_is_not_known_is_told_where_it_stands(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_bytes(TEXT.format("no-such").encode("latin-1"))
    [found] = json.loads(_run(tmp_path, "check", "--output-format", "json", "."))["findings"]
    assert (found["code"], found["line"], found["column"]) == ("RL001", 1, 15)
    assert "it states the encoding no-such, which is not read" in found["message"]
