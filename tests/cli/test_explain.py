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


TRAINED = "--actor.num_gpus_per_node 4 --ref.num_gpus_per_node 4 --rollout.n_samples_per_prompt 8 --data.max_len 512"
RUNS = f"""\
python3 -m openrlhf.cli.train_ppo_ray --algo.advantage.estimator rloo --vllm.num_engines 4 \\
   --actor.model_name_or_path m --data.prompt_dataset d \\
   --reward.remote_url http://rewards.corp:5000/score --ckpt.output_dir /home/ada/out {TRAINED}
"""


def test_a_trial_is_printed_and_passes_the_check(run: Run, project: Path) -> None:
    (project / "train.sh").write_text(RUNS)
    result = run("explain", "--dry-run", "train.sh")
    assert result.exit_code == 0
    assert "--data.max_samples 8" in result.stdout
    assert "openrlhf:train_ppo_ray: --data.max_samples 8" in result.stderr
    (project / "trial.sh").write_text(result.stdout)
    assert run("check", "trial.sh", "--fail-on", "error").exit_code == 0
    assert run("check", "trial.sh", "--select", "OR3").exit_code == 0
    assert (project / "train.sh").read_text() == RUNS


def test_one_of_several_launches_is_made_small_by_its_line(run: Run, project: Path) -> None:
    (project / "train.sh").write_text(RUNS + RUNS)
    small = run("explain", "--dry-run", "train.sh:4").stdout
    assert small.startswith(RUNS)
    assert small.count("--data.max_samples 8") == 1


def test_a_launch_without_a_trial_is_wrong_usage(run: Run, project: Path) -> None:
    (project / "serve.sh").write_text("python -m openrlhf.cli.serve_rm --reward.model_name_or_path m\n")
    result = run("explain", "--dry-run", "serve.sh")
    assert result.exit_code == 2
    assert "no trial" in result.output


def test_a_report_holds_what_the_log_shows_and_nothing_private(run: Run, project: Path) -> None:
    (project / "train.sh").write_text(RUNS)
    (project / "out.log").write_text("File /home/ada/x.py\nRuntimeError: CUDA error: invalid device ordinal\n")
    result = run("explain", "--report", "train.sh", "out.log")
    assert result.exit_code == 0
    assert "[invalid-device]" in result.stdout
    assert "--actor.num_gpus_per_node 4" in result.stdout
    for private in ("ada", "corp", "5000"):
        assert private not in result.stdout


@pytest.mark.parametrize(
    "arguments",
    [
        ("--dry-run", "train.sh", "--report", "train.sh"),
        ("--dry-run", "train.sh", "KL explodes"),
        ("--launch", "train.sh", "--report", "train.sh"),
        ("--dry-run", "missing.sh"),
        ("--report", "missing.sh"),
    ],
)
def test_what_does_not_go_together_is_wrong_usage(run: Run, project: Path, arguments: tuple[str, ...]) -> None:
    (project / "train.sh").write_text(RUNS)
    assert run("explain", *arguments).exit_code == 2


def test_only_what_holds_at_the_release_in_force_is_told(run: Run, project: Path) -> None:
    (project / "train.sh").write_text(RUNS)
    assert "limit is 30 minutes" in run("explain", "nccl-timeout").output
    told = run("explain", "nccl-timeout", "--launch", "train.sh").output
    assert "limit is 60 minutes" in told
    assert "limit is 30 minutes" not in told
