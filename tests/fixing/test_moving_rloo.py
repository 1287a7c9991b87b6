"""Launches of the RLOO before 0.22 moved to the one after: what it counted, and what that is now."""

from __future__ import annotations

from pathlib import Path

import pytest

from .command import fix

TEXT = "from trl import RLOOConfig\n\nargs = RLOOConfig('out', {})\n"


def moved(folder: Path, given: str, since: str, to: str = "1.16.0", *arguments: str) -> tuple[str, str]:
    """What the configuration is given then, and what is told."""
    files = {"requirements.txt": f"trl=={since}\ntransformers==4.56.2\n", "train.py": TEXT.format(given)}
    ran = fix(folder, files, "--to", f"trl={to}", *arguments)
    start, end = TEXT.split("{}")
    return ran.files["train.py"].removeprefix(start).removesuffix(end), ran.output


@pytest.mark.parametrize(
    ("since", "before", "after"),
    [
        ("0.22.2", "total_episodes=1000", "max_steps=1000"),
        (
            "0.24.0",
            "total_episodes=1001, gradient_accumulation_steps=4",
            "max_steps=250, gradient_accumulation_steps=4",
        ),
        ("0.24.0", "max_steps=7, total_episodes=1000", "max_steps=1000"),  # it won over what is given
        ("0.24.0", "total_episodes=None, seed=1", "seed=1"),
        ("0.24.0", "num_mini_batches=2, gradient_accumulation_steps=4", "steps_per_generation=2, gradient_accum"),
        ("0.21.0", "num_mini_batches=2, gradient_accumulation_steps=4", "steps_per_generation=8, gradient_accum"),
        ("0.21.0", "num_mini_batches=2", "steps_per_generation=2"),
    ],
)
def test_numbers_that_are_certain(since: str, before: str, after: str, tmp_path: Path) -> None:
    text, told = moved(tmp_path, before, since)
    assert text.startswith(after)
    assert "total_episodes" not in told
    assert "num_mini_batches" not in told


@pytest.mark.parametrize(
    ("since", "given", "said"),
    [
        (
            "0.21.0",
            "total_episodes=10000, per_device_train_batch_size=8, gradient_accumulation_steps=4, num_mini_batches=2",
            "write max_steps = 10000 / (64 × processes), rounded up, times 8: 1256 with 1 process and 160 with 8",
        ),
        (
            "0.9.6",
            "total_episodes=1000, num_ppo_epochs=1",
            "write max_steps = 1000 / (8 × processes), rounded down, times 1: 125 with 1 process and 15 with 8",
        ),
        ("0.21.0", "total_episodes=ROWS", "times num_mini_batches × num_ppo_epochs"),
        ("0.24.0", "total_episodes=ROWS", "TRL 0.24.0 puts total_episodes // gradient_accumulation_steps there"),
    ],
)
def test_numbers_that_hang_on_what_is_not_known(since: str, given: str, said: str, tmp_path: Path) -> None:
    text, told = moved(tmp_path, given, since)
    assert text.startswith(given.partition(",")[0])
    assert "total_episodes became max_steps; not done: " in told
    assert said in told


def test_a_command_says_how_many_processes_there_are(tmp_path: Path) -> None:
    files = {
        "requirements.txt": "trl==0.21.0\ntransformers==4.56.2\n",
        "train.py": "from trl import ModelConfig, RLOOConfig, RLOOTrainer, ScriptArguments, TrlParser\n\n"
        "parser = TrlParser((ScriptArguments, RLOOConfig, ModelConfig))\n"
        "script, args, model = parser.parse_args_and_config()\n"
        "RLOOTrainer(config=args, processing_class=t, policy=p, reward_model=r, train_dataset=d).train()\n",
        "run.sh": "accelerate launch --num_processes 8 train.py --output_dir o --total_episodes 10000 --rloo_k 4\n",
    }
    ran = fix(tmp_path, files, "--to", "trl=1.16.0")
    expected = files["run.sh"].replace("total_episodes 10000", "max_steps 628").replace("rloo_k", "num_generations")
    assert ran.files["run.sh"] == expected
    assert "total_episodes" not in ran.output


def test_epochs_counted_completions(tmp_path: Path) -> None:
    _, told = moved(tmp_path, "rloo_k=4, num_train_epochs=2", "0.21.0")
    assert ": warning[RL008] num_train_epochs counted completions at TRL 0.21.0" in told
    assert "write num_train_epochs=0.5 to train on as many" in told
    _, told = moved(tmp_path, "rloo_k=6", "0.21.0")
    assert "train.py:3:8: warning[RL008] num_train_epochs counted" in told
    assert "write num_train_epochs=0.5 to" in told
    assert "num_train_epochs" not in moved(tmp_path, "rloo_k=4, total_episodes=64", "0.21.0")[1]
    assert "num_train_epochs" not in moved(tmp_path, "rloo_k=4, num_train_epochs=2", "0.22.2")[1]


def test_one_step_and_two(tmp_path: Path) -> None:
    given = "rloo_k=4, num_mini_batches=2, gradient_accumulation_steps=4"
    between, _ = moved(tmp_path, given, "0.21.0", "0.23.1")
    assert moved(tmp_path, between, "0.23.1")[0] == moved(tmp_path, given, "0.21.0")[0]


def test_what_one_mini_batch_came_to_is_no_changed_default(tmp_path: Path) -> None:
    _, told = moved(tmp_path, "gradient_accumulation_steps=4", "0.21.0")
    assert "num_iterations is not given" in told
    assert "steps_per_generation" not in told
