"""What no command can work with ends each of them with status 2, a sentence and nothing written."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import PPO, QUIET_TEXT, Run

COMMANDS = [
    ("check", "train.sh"),
    ("fix", "train.sh"),
    ("fix", "--diff", "train.sh"),
    ("show", "train.sh"),
    ("plan", "train.sh"),
    ("diff", "train.sh", "train.sh"),
    ("explain", "out of memory", "--launch", "train.sh"),
    ("config",),
    ("init", "--print"),
    ("schema", "trl:sft"),
]


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("rlhflint.toml", "select = [\n", "is not TOML"),
        ("rlhflint.toml", "fail-on = 'sometimes'\n", "fail-on"),
        ("rlhflint.toml", "extend = 'absent.toml'\n", "absent.toml cannot be read"),
        ("pyproject.toml", "[tool.rlhflint]\ncluster = 'many'\n", "cluster"),
    ],
)
def test_a_configuration_that_cannot_be_used(
    run: Run, project: Path, words: tuple[str, ...], name: str, text: str, message: str
) -> None:
    (project / "train.sh").write_text(PPO)
    (project / name).write_text(text)
    result = run(*words)
    assert result.exit_code == 2
    assert message in result.output
    assert (project / "train.sh").read_text() == PPO
    assert {path.name for path in project.iterdir()} == {".git", "train.sh", name}


@pytest.mark.parametrize(
    ("words", "stdin", "message"),
    [
        (("fix", "-", "train.sh"), PPO, "cannot be fixed together with other paths"),
        (("fix", "-"), b"\xff\xfe", "standard input is no UTF-8 text"),
        (("fix", "--pin-defaults", "train.sh"), None, "--pin-defaults needs --to"),
        (("fix", "--to", "openrlhf=new", "train.sh"), None, "--to: "),
        (("fix", "--to", "openrlhf", "train.sh"), None, "--to: "),
        (("check", "--baseline", "absent.json", "train.sh"), None, "absent.json: No such file"),
        (("check", "--baseline", "bytes.json", "train.sh"), None, "bytes.json: "),
        (("check", "--baseline", "list.json", "train.sh"), None, "list.json: "),
        (("check", "--baseline", ".git", "train.sh"), None, "is a directory"),
        (("schema", "sft"), None, "did you mean 'trl:sft'?"),
        (("schema", "trl:stf"), None, "did you mean"),
        (("schema", "trl:sft", "--framework-version", "trl=old"), None, "--framework-version: "),
        (("schema", "trl:sft", "--framework-version", "trl=0.0.1"), None, "--framework-version: "),
        (("plan", "bytes.sh"), None, "bytes.sh could not be read: "),
        (("plan", ".git"), None, ".git is no file"),
        (("plan", "quiet.sh"), None, "quiet.sh holds no launch"),
        (("plan", "quiet.sh:1"), None, "quiet.sh holds no launch"),
        (("explain", "absent.log"), None, "absent.log is not there"),
        (("explain", "folder.log"), None, "folder.log is no file"),
    ],
)
def test_words_that_do_not_go_together(
    run: Run, project: Path, words: tuple[str, ...], stdin: str | bytes | None, message: str
) -> None:
    (project / "train.sh").write_text(PPO)
    (project / "quiet.sh").write_text(QUIET_TEXT)
    (project / "bytes.sh").write_bytes(b"openrlhf \xff\n")
    (project / "bytes.json").write_bytes(b"\xff")
    (project / "list.json").write_text("[]")
    (project / "folder.log").mkdir()
    result = run(*words, stdin=stdin)
    assert result.exit_code == 2
    assert message in result.output
    assert (project / "train.sh").read_text() == PPO


def test_a_baseline_of_another_form_is_told(run: Run, project: Path) -> None:
    (project / "known.json").write_text(json.dumps({"schema_version": 99, "findings": []}))
    result = run("check", "--baseline", "known.json")
    assert result.exit_code == 2
    assert "known.json" in result.output


def test_what_was_fixed_is_listed_on_request(run: Run, project: Path) -> None:
    (project / "requirements.txt").write_text("openrlhf==0.11.2\n")
    flat = "python -m openrlhf.cli.train_sft --pretrain m --dataset d --zero_stage 2\n"
    (project / "train.sh").write_text(flat)
    (project / "more.sh").write_text(flat)
    told = run("fix", "--verbose", "train.sh", "more.sh").stderr.splitlines()
    assert "changed train.sh" in told
    assert "  OR601: Write --ds.zero_stage (2 times)" in told
    assert run("fix", "--quiet", "train.sh").stderr == ""
