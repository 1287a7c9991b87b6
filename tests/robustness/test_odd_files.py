"""Files as people have them: told about clearly, or not at all, and never in the way of the others."""

from __future__ import annotations

import json
import os
from contextlib import chdir
from pathlib import Path

import pytest
from click.testing import CliRunner

from rlhflint.cli import rlhflint

LAUNCH = "python -m openrlhf.cli.train_sft --pretrain m --dataset d --no_such_flag 1\n"
PYTHON = "import trl\ntrl.SFTConfig(max_seq_length=1)\n"
YAML = "# rlhflint: program=trl:sft\nmodel_name_or_path: m\ndataset_name: d\nmax_seq_length: 1\n"
BOM = b"\xef\xbb\xbf"


def _notebook(*cells: object) -> str:
    return json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5})


FILES: dict[str, tuple[bytes, list[tuple[str, int]]]] = {
    "utf16.sh": (LAUNCH.encode("utf-16"), [("RL001", 1)]),
    "utf16.py": (PYTHON.encode("utf-16"), [("RL001", 1)]),
    "utf16-of-somebody-else.py": ("import os\n".encode("utf-16"), []),
    "utf16.yaml": (YAML.encode("utf-16-be").join([b"\xfe\xff", b""]), [("RL001", 1)]),
    "mark.py": (BOM + PYTHON.encode(), [("TR606", 2)]),
    "mark.yaml": (BOM + YAML.encode(), [("TR102", 4)]),
    "mark.ipynb": (BOM + _notebook({"cell_type": "code", "source": PYTHON}).encode(), [("TR606", 2)]),
    "empty.sh": (b"", []),
    "empty.py": (b"", []),
    "empty.yaml": (b"", []),
    "empty.ipynb": (b"", []),
    "Dockerfile": (b"", []),
    "Makefile": (b"", []),
    "comments.sh": (b"# " + LAUNCH.encode(), []),
    "comments.py": (b"# import trl\n# trl.SFTConfig(nope=1)\n", []),
    "comments.yaml": (b"# trl\n", []),
    "windows.sh": (LAUNCH.replace("d ", "C:\\Users\\me\\d ").encode(), [("OR101", 1)]),
    "latin.sh": (b"# \xe9\n" + LAUNCH.encode(), [("RL001", 1)]),
    "nul.sh": (LAUNCH.encode() + b"\0", [("RL001", 2)]),
    "python2.py": (b"import trl\nprint 'x'\n" + PYTHON.encode(), [("RL002", 2)]),
    "tabs.py": (b"import trl\nif trl:\n\tx = 1\n        y = 2\n", [("RL002", 4)]),
    "feed.py": (PYTHON.replace("trl.", "\x0ctrl.").encode(), [("TR606", 2)]),
    "returns.py": (PYTHON.replace("\n", "\r").encode(), [("TR606", 1)]),
    "returns.sh": (b"#!/bin/bash\r" + LAUNCH.replace("\n", "\r").encode(), []),  # one comment to a shell
    "twice.yaml": (YAML.encode() + b"max_seq_length: 2\n", [("TR104", 4), ("TR102", 5)]),
    "documents.yaml": (b"--- {trl: 1}\n---\nmax_seq_length: 1\n", []),
    "undefined.yaml": (b"trl: *nowhere\n", []),
    "cells.ipynb": (
        _notebook("trl", 1, None, {}, {"cell_type": "code"}, {"cell_type": "code", "source": 5}).encode(),
        [],
    ),
    "no-cells.ipynb": (b'{"trl": 1, "cells": null}', []),
    "old.ipynb": (b'{"worksheets": [{"cells": [{"input": ["import trl"]}]}], "nbformat": 3}', []),
    "text.ipynb": (b"import trl", []),
    "list.ipynb": (b'["trl"]', []),
    "source.ipynb": (_notebook({"cell_type": "code", "source": PYTHON}).encode(), [("TR606", 2)]),
    "good.sh": (LAUNCH.encode(), [("OR101", 1)]),
}
"""Content, and the codes with their lines."""


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path) -> object:
    (tmp_path / ".git").mkdir()
    (tmp_path / "rlhflint.toml").write_text('[versions]\nopenrlhf = "0.9.0"\ntrl = "0.20.0"\n')
    with chdir(tmp_path):
        yield


def told(*words: str) -> dict[str, list[tuple[str, int]]]:
    """Codes and lines by file."""
    done = CliRunner().invoke(rlhflint, ["check", "--output-format", "json", *words], catch_exceptions=False)
    found: dict[str, list[tuple[str, int]]] = {}
    for one in json.loads(done.stdout)["findings"]:
        assert one["line"] >= 1
        assert one["column"] >= 1
        found.setdefault(one["path"], []).append((one["code"], one["line"]))
    return found


def test_each_is_told_of_clearly_or_not_at_all_and_none_keeps_the_others_from_being_checked() -> None:
    for name, (content, _) in FILES.items():
        Path(name).write_bytes(content)
    found = told(".")
    assert {name: found.pop(name, []) for name in FILES} == {name: expected for name, (_, expected) in FILES.items()}
    assert found == {}
    for words in (["show", "."], ["fix", "--diff", "--unsafe", "."], ["fix", "--to", "trl=latest", "."], ["init", "."]):
        done = CliRunner().invoke(rlhflint, words, catch_exceptions=False)
        assert done.exit_code in (0, 1, 2), words


def test_what_is_no_file_by_its_name() -> None:
    for name in ("folder.sh", "folder.py", "folder.ipynb", "Dockerfile", "pyproject.toml", "requirements.txt"):
        Path(name).mkdir()
    os.symlink("nowhere.sh", "broken.sh")
    Path("good.sh").write_text(LAUNCH)
    assert told(".") == {"good.sh": [("OR101", 1)]}
    assert told("broken.sh", "good.sh") == {"broken.sh": [("RL001", 1)], "good.sh": [("OR101", 1)]}


@pytest.mark.skipif(os.geteuid() == 0, reason="everything can be read by the superuser")
def test_a_file_that_may_not_be_read() -> None:
    Path("secret.sh").write_text(LAUNCH)
    Path("secret.sh").chmod(0)
    Path("good.sh").write_text(LAUNCH)
    assert told(".") == {"secret.sh": [("RL001", 1)], "good.sh": [("OR101", 1)]}


@pytest.mark.parametrize("name", ["-a.sh", "a b.sh", "a\n.sh", "\x1b[31ma.sh", "é.sh", "a:1.sh", "%s.sh", "{a}.sh"])
def test_names_that_a_shell_or_a_terminal_takes_for_something_else(name: str) -> None:
    Path(name).write_text(LAUNCH)
    assert told(".") == {name: [("OR101", 1)]}
    for form in ("text", "concise", "sarif", "github", "gitlab", "junit"):
        done = CliRunner().invoke(rlhflint, ["check", "--output-format", form, "."], catch_exceptions=False)
        assert done.exit_code == 1
        assert "\x1b" not in done.stdout


def test_a_file_that_changes_or_goes_while_it_is_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    from rlhflint.check import Checker

    for name in ("a.sh", "b.sh", "c.sh"):
        Path(name).write_text(LAUNCH)
    before = Checker.look_at

    def look_at(self: Checker, candidate: tuple[str, object]) -> object:
        Path("b.sh").unlink(missing_ok=True)
        Path("c.sh").write_text(LAUNCH + LAUNCH)
        return before(self, candidate)  # type: ignore[arg-type]

    monkeypatch.setattr(Checker, "look_at", look_at)
    found = told(".")
    assert found.pop("a.sh") == [("OR101", 1)]
    assert found.pop("c.sh") in ([("OR101", 1)], [("OR101", 1), ("OR101", 2)])
    assert found.pop("b.sh", [("RL001", 1)]) == [("RL001", 1)]
    assert found == {}
