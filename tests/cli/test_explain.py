"""`rlhflint explain`: from a symptom or a log to what the configuration has to do with it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import PPO, Run

LOG = """\
INFO starting
(pid=1) torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB.
ray.exceptions.ActorDiedError: The actor died unexpectedly before finishing this task.
"""


def test_words_lead_to_causes_settings_and_rules(run: Run) -> None:
    result = run("explain", "KL", "explodes")
    assert result.exit_code == 0
    assert "The KL runs away [kl-runaway]" in result.output
    assert "algo.kl.init_coef" in result.output
    assert "OR703 kl-coefficient-high" in result.output


def test_a_log_is_read_from_a_file_with_lines(run: Run, project: Path) -> None:
    (project / "train.log").write_text(LOG)
    output = run("explain", "train.log").output
    assert "[train-oom]\n  line 2: (pid=1) torch.OutOfMemoryError" in output
    assert "[dead-actor]\n  line 3:" in output


def test_a_log_is_read_from_standard_input(run: Run) -> None:
    assert "  line 2: " in run("explain", "-", stdin=LOG).output
    assert run("explain", "-", stdin=b"\xff\xfe invalid device ordinal").exit_code == 0


def test_what_is_not_known_is_said_plainly(run: Run, project: Path) -> None:
    result = run("explain", "the", "weather", "is", "fine")
    assert result.exit_code == 1
    assert "no symptom that is known is in these words" in result.output
    (project / "train.log").write_text("all is well\n")
    result = run("explain", "train.log")
    assert result.exit_code == 1
    assert "no symptom that is known was found in the log" in result.output


def test_a_misspelt_entry_is_told(run: Run) -> None:
    assert "did you mean dead-actor" in run("explain", "dead-acter").output


def test_a_log_that_is_not_there_is_wrong_usage(run: Run) -> None:
    result = run("explain", "missing.log")
    assert result.exit_code == 2
    assert "missing.log is not there" in result.output


def test_without_words_the_entries_are_listed(run: Run) -> None:
    result = run("explain")
    assert result.exit_code == 0
    assert "kl-runaway" in result.output


def test_settings_of_a_launch_are_shown(run: Run, project: Path) -> None:
    (project / "train.sh").write_text(PPO)
    output = run("explain", "placement group PENDING", "--launch", "train.sh").output
    assert "vllm.num_engines = 4 (line 5)" in output
    assert "actor.num_gpus_per_node = 8 (default)" in output
    assert run("explain", "KL explodes", "--launch", "missing.sh").exit_code == 2


def test_json_has_the_same(run: Run, project: Path) -> None:
    (project / "train.sh").write_text(PPO)
    found = json.loads(run("explain", "KL explodes", "--launch", "train.sh", "--output-format", "json").output)
    (one,) = found["symptoms"]
    assert one["name"] == "kl-runaway"
    assert {"code": "OR703", "name": "kl-coefficient-high", "found": False} in one["rules"]
    written = "--algo.kl.init_coef"
    assert {"name": "algo.kl.init_coef", "value": "0.01 (default)", "written": written} in one["launch"]


@pytest.mark.parametrize("text", ["\x1b[2J invalid device ordinal", "::error:: invalid device ordinal"])
def test_a_log_does_not_steer_the_terminal(run: Run, text: str) -> None:
    output = run("explain", "-", stdin=text).output
    assert "\x1b" not in output
    assert not any(line.startswith("::") for line in output.splitlines())
