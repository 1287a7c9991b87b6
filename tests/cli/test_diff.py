"""`rlhflint diff`: two launches setting by setting, whatever the names were."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from rlhflint.comparison import same_value
from tests.cli.conftest import Run

FLAT = """\
python -m openrlhf.cli.train_ppo_ray --pretrain acme/seven --colocate_all_models --bf16 \\
   --vllm_num_engines 8 --actor_learning_rate 5e-7 --max_norm 0.5
"""
DOTTED = """\
python -m openrlhf.cli.train_ppo_ray --actor.model_name_or_path acme/seven --train.colocate_all \\
   --vllm.num_engines 4 --actor.adam.lr 5e-7 --actor.max_norm 0.5 --critic.max_norm 0.5
"""
RELEASES = ("--a-version", "openrlhf=0.8.5", "--b-version", "openrlhf=0.11.2")
GRPO = """\
from trl import GRPOConfig, GRPOTrainer

args = GRPOConfig(output_dir="out", use_vllm=True{more})
GRPOTrainer("acme/seven", args=args, train_dataset=data, reward_funcs=reward).train()
"""


@pytest.fixture
def scripts(project: Path) -> Path:
    (project / "old.sh").write_text(FLAT)
    (project / "new.sh").write_text(DOTTED)
    (project / "grpo.py").write_text(GRPO.format(more=""))
    return project


def rows(output: str) -> dict[str, dict[str, Any]]:
    return {row["name"]: row for row in json.loads(output)["differences"]}


def test_the_same_under_old_and_new_names_is_no_difference(run: Run, scripts: Path) -> None:
    result = run("diff", "old.sh", "new.sh", *RELEASES, "--output-format", "json")
    assert result.exit_code == 1
    found = rows(result.output)
    for name in ("train.colocate_all", "actor.adam.lr", "actor.max_norm", "actor.model_name_or_path", "ds.param_dtype"):
        assert name not in found


def test_other_values_are_told_with_their_places(run: Run, scripts: Path) -> None:
    found = rows(run("diff", "old.sh", "new.sh", *RELEASES, "--output-format", "json").output)
    row = found["vllm.num_engines"]
    assert row["certain"]
    assert (row["a"]["value"], row["a"]["name"], row["a"]["origin"]) == (8, "--vllm_num_engines", "line 2")
    assert (row["b"]["value"], row["b"]["name"], row["b"]["origin"]) == (4, "--vllm.num_engines", "line 2")


def test_defaults_of_the_two_releases_are_compared(run: Run, scripts: Path) -> None:
    found = rows(run("diff", "old.sh", "new.sh", *RELEASES, "--output-format", "json").output)
    row = found["train.micro_batch_size"]
    assert (row["a"]["value"], row["b"]["value"]) == (4, 1)
    assert not row["a"]["given"]
    assert row["a"]["origin"] == "default"


def test_defaults_of_one_file_at_two_releases(run: Run, scripts: Path) -> None:
    versions = ("--a-version", "trl=0.18.0", "--b-version", "trl=1.16.0")
    result = run("diff", "grpo.py", "grpo.py", *versions, "--output-format", "json")
    found = rows(result.output)
    assert (found["vllm_mode"]["a"]["value"], found["vllm_mode"]["b"]["value"]) == ("server", "colocate")
    assert (found["beta"]["a"]["value"], found["beta"]["b"]["value"]) == (0.04, 0.0)
    assert "output_dir" not in found
    assert "reward_funcs" not in found


def test_the_text_has_both_sides_of_every_row(run: Run, scripts: Path) -> None:
    output = run("diff", "old.sh", "new.sh", *RELEASES).output
    assert "A  old.sh:1  openrlhf:train_ppo_ray  openrlhf 0.8.5 (from --framework-version)" in output
    (line,) = (line for line in output.splitlines() if "vllm.num_engines" in line)
    assert line.split() == ["vllm.num_engines", "8", "(line", "2)", "4", "(line", "2)"]


@pytest.mark.parametrize("name", ["old.sh", "grpo.py"])
def test_a_file_does_not_differ_from_itself(run: Run, scripts: Path, name: str) -> None:
    result = run("diff", name, name)
    assert result.exit_code == 0
    assert "no setting differs" in result.output


def test_what_is_not_known_is_told_apart(run: Run, scripts: Path) -> None:
    (scripts / "open.sh").write_text(DOTTED.replace("--vllm.num_engines 4", "--vllm.num_engines $ENGINES"))
    result = run("diff", "new.sh", "open.sh", "--output-format", "json")
    assert result.exit_code == 1
    (row,) = rows(result.output).values()
    assert not row["certain"]
    assert row["b"]["known"] is False
    assert "$ENGINES" in row["b"]["origin"]
    assert "settings of which that is not known" in run("diff", "new.sh", "open.sh").output


def test_a_setting_that_only_one_release_has_is_told_where_it_is_given(run: Run, scripts: Path) -> None:
    (scripts / "b.sh").write_text(DOTTED.rstrip() + " --algo.advantage.is_correction_level token\n")
    found = rows(run("diff", "old.sh", "b.sh", *RELEASES, "--output-format", "json").output)
    assert found["algo.advantage.is_correction_level"]["a"] is None
    assert "not in this release" in run("diff", "old.sh", "b.sh", *RELEASES).output


def test_flags_nobody_knows_and_variables_count(run: Run, scripts: Path) -> None:
    (scripts / "b.sh").write_text("export NCCL_DEBUG=INFO\n" + DOTTED.rstrip() + " --no_such_flag 1\n")
    found = json.loads(run("diff", "new.sh", "b.sh", "--output-format", "json").output)
    assert found["refused"] == {"a": [], "b": ["--no_such_flag"]}
    assert found["environment"] == [{"name": "NCCL_DEBUG", "a": None, "b": {"value": "INFO", "known": True}}]
    assert not found["same"]


def test_flags_nobody_knows_that_are_given_alike_are_no_difference(run: Run, scripts: Path) -> None:
    for name, flags in (
        ("a.sh", "--no_such_flag 1 --nor_this $X"),
        ("b.sh", "--nor_this $X --no_such_flag 1"),
        ("c.sh", "--nor_this $X --no_such_flag 2"),
        ("d.sh", "--nor_this $X"),
    ):
        (scripts / name).write_text(f"{DOTTED.rstrip()} {flags}\n")
    for name in ("a.sh", "b.sh"):
        result = run("diff", "a.sh", name)
        assert result.exit_code == 0
        assert "A gives what its program does not know: --no_such_flag" in result.output
        assert "no setting differs" in result.output
    for name in ("c.sh", "d.sh"):
        result = run("diff", "a.sh", name)
        assert result.exit_code == 1
        assert "no setting differs" not in result.output


def test_one_of_several_launches_is_chosen_by_its_line(run: Run, scripts: Path) -> None:
    (scripts / "both.sh").write_text(DOTTED + "\n" + DOTTED.replace("--vllm.num_engines 4", "--vllm.num_engines 2"))
    ambiguous = run("diff", "both.sh", "new.sh")
    assert ambiguous.exit_code == 2
    assert "both.sh:1" in ambiguous.output
    assert "both.sh:4" in ambiguous.output
    assert run("diff", "both.sh:2", "new.sh").exit_code == 0
    assert run("diff", "both.sh:4", "new.sh").exit_code == 1
    assert run("diff", "both.sh:5", "both.sh:1").exit_code == 1


def test_a_secret_is_not_shown(run: Run, scripts: Path) -> None:
    key = "0123456789abcdef" * 2 + "01234567"
    (scripts / "b.sh").write_text(DOTTED.rstrip() + f" --logger.wandb.key {key}\n")
    for form in ("text", "json"):
        output = run("diff", "new.sh", "b.sh", "--output-format", form).output
        assert "logger.wandb.key" in output
        assert key not in output


def test_ways_lists_and_values_of_the_environment_in_words(run: Run, scripts: Path) -> None:
    (scripts / "a.sh").write_text(
        'if [ -n "$BIG" ]; then N=4; else N=8; fi\n'
        + DOTTED.rstrip().replace("num_engines 4", "num_engines $N")
        + " --train.max_epochs ${EPOCHS:-2} $MORE\n"
    )
    (scripts / "b.sh").write_text("export NCCL_DEBUG=$LEVEL\n" + DOTTED.rstrip() + " --actor.adam.betas 0.9 0.95\n")
    output = run("diff", "a.sh", "b.sh").output
    assert "2 ways through the file lead here; compared is the first" in output
    assert "and perhaps more settings: $MORE" in output
    assert "0.9 0.95 (line 3)" in output
    assert "(otherwise '2'))" in output
    (line,) = (line for line in output.splitlines() if "NCCL_DEBUG" in line)
    assert line.split() == ["NCCL_DEBUG", "-", "?"]


def test_what_follows_from_other_settings_is_told_from_a_default(run: Run, scripts: Path) -> None:
    result = run("diff", "old.sh", "new.sh", *RELEASES, "--output-format", "json")
    origins = {side["origin"] for row in rows(result.output).values() for side in (row["a"], row["b"]) if side}
    assert "default" in origins


@pytest.mark.parametrize(
    ("a", "b", "message"),
    [
        ("old.sh", "grpo.py", "different frameworks"),
        ("old.sh", "nothing.sh", "not there"),
        ("old.sh", "empty.sh", "holds no launch"),
        ("old.sh", "data.bin", "of no kind that holds launches"),
        ("late.sh:1", "old.sh", "no launch at or before line 1"),
    ],
)
def test_what_cannot_be_compared_is_wrong_usage(run: Run, scripts: Path, a: str, b: str, message: str) -> None:
    (scripts / "empty.sh").write_text("echo\n")
    (scripts / "data.bin").write_bytes(b"x")
    (scripts / "late.sh").write_text("\n\n" + FLAT)
    result = run("diff", a, b)
    assert result.exit_code == 2
    assert message in result.output


@pytest.mark.parametrize(
    ("a", "b", "same"),
    [
        (1, 1.0, True),
        (1, True, False),
        (0, False, False),
        ([1, 2], (1, 2), True),
        ([1], [True], False),
        ("1", 1, False),
    ],
)
def test_values_are_alike_where_they_mean_the_same(a: object, b: object, same: bool) -> None:
    assert same_value(a, b) is same
