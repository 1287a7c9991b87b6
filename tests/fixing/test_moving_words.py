"""Moves of TRL launches whose options are words of a command, and of options that hold something else afterwards."""

from __future__ import annotations

from pathlib import Path

import pytest

from .command import Ran, fix

TODAY = ("--to", "trl=1.16.0", "--to", "transformers=5.23.0")


def move(folder: Path, name: str, text: str, *to: str, trl: str = "0.15.2", transformers: str = "4.49.0") -> Ran:
    stated = {"requirements.txt": f"trl=={trl}\ntransformers=={transformers}\n"}
    return fix(folder, {**stated, name: text}, *(to or TODAY))


def command(words: str, program: str = "sft") -> str:
    return f"trl {program} --model_name_or_path m --dataset_name d --output_dir o {words}\n"


@pytest.mark.parametrize(
    ("program", "before", "after"),
    [
        ("sft", "--adafactor true", "--optim adafactor"),
        ("sft", "--adafactor", "--optim adafactor"),
        ("sft", "--adafactor=true --seed 1", "--optim=adafactor --seed 1"),
        ("sft", "--seed 1 --adafactor false", "--seed 1"),
        ("sft", "--warmup_ratio 0.1", "--warmup_steps 0.1"),
        ("sft", "--warmup_ratio $RATIO", "--warmup_steps $RATIO"),
        ("sft", "--include_inputs_for_metrics true", "--include_for_metrics inputs"),
        ("sft", "--include_tokens_per_second", "--include_num_input_tokens_seen true"),
        ("sft", "--group_by_length true", "--train_sampling_strategy group_by_length"),
        ("sft", "--max-seq-length 512", "--max_length 512"),
        ("sft", "--evaluation_strategy steps", "--eval_strategy steps"),
        ("dpo", "--rpo_alpha 0.5", "--loss_type sigmoid sft --loss_weights 1.0 0.5"),
        ("dpo", "--loss_type ipo --rpo_alpha 0.5", "--loss_type ipo sft --loss_weights 1.0 0.5"),
        ("dpo", "--loss_type aot_pair", "--loss_type aot_unpaired"),
    ],
)
def test_words_of_a_command(program: str, before: str, after: str, tmp_path: Path) -> None:
    assert move(tmp_path, "run.sh", command(before, program)).files["run.sh"] == command(after, program)


@pytest.mark.parametrize(
    ("program", "words"),
    [
        ("sft", "--adafactor $FLAG"),
        ("sft", "--warmup_ratio 0.1 --warmup_steps 5"),
        ("sft", "--split_batches true"),
        ("dpo", "--rpo_alpha $ALPHA"),
        ("dpo", "--rpo_alpha much"),
        ("dpo", "--loss_type $LOSS --rpo_alpha 0.5"),
    ],
)
def test_words_that_stay_and_are_told(program: str, words: str, tmp_path: Path) -> None:
    ran = move(tmp_path, "run.sh", command(words, program))
    assert ran.files["run.sh"] == command(words, program)
    assert ran.exit_code == 1
    first = next(word for word in words.split() if word.startswith(("--ada", "--warmup_r", "--split", "--rpo")))
    assert first.lstrip("-") in ran.output


def dpo(given: str) -> str:
    return f"from trl import DPOConfig\n\nargs = DPOConfig('o', {given})\n"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("loss_type=['ipo'], rpo_alpha=1", "loss_type=['ipo', 'sft'], loss_weights=[1.0, 1.0]"),
        (
            "loss_type=['ipo', 'apo_zero'], rpo_alpha=2.0",
            "loss_type=['ipo', 'apo_zero', 'sft'], loss_weights=[1.0, 1.0, 2.0]",
        ),
        (
            "loss_type=['ipo'], loss_weights=[0.5], rpo_alpha=0.1",
            "loss_type=['ipo', 'sft'], loss_weights=[0.5, 0.1]",
        ),
        ("include_inputs_for_metrics=True", "include_for_metrics=['inputs']"),
        ("dispatch_batches=False", "accelerator_config={'dispatch_batches': False}"),
        ("no_cuda=USE", "use_cpu=USE"),
        ("use_liger_loss=True", "use_liger_kernel=True"),
    ],
)
def test_options_in_python(before: str, after: str, tmp_path: Path) -> None:
    ran = move(tmp_path, "train.py", dpo(before), trl="0.17.0", transformers="4.46.3")
    assert ran.files["train.py"] == dpo(after)


@pytest.mark.parametrize(
    "given",
    [
        "rpo_alpha=ALPHA",
        "rpo_alpha='much'",
        "loss_type=LOSS, rpo_alpha=0.5",
        "loss_type=['sigmoid', 'sft'], rpo_alpha=0.5",
        "loss_weights=WEIGHTS, rpo_alpha=0.5",
        "padding_value=0",
        "split_batches=True, dispatch_batches=True",
        "split_batches=True, accelerator_config={'even_batches': False}",
        "split_batches=choose()",
    ],
)
def test_options_in_python_that_stay_and_are_told(given: str, tmp_path: Path) -> None:
    ran = move(tmp_path, "train.py", dpo(given), trl="0.17.0", transformers="4.46.3")
    assert ran.files["train.py"] == dpo(given)
    assert "error" in ran.output or "warning" in ran.output
    assert ran.exit_code == 1


@pytest.mark.parametrize(
    ("before", "to", "after"),
    [
        ("max_length=5", ("--to", "trl=0.15.2"), "max_seq_length=5"),
        ("eval_strategy='no'", ("--to", "trl=0.9.6", "--to", "transformers=4.40.2"), "evaluation_strategy='no'"),
        ("seed=1", ("--to", "transformers=4.56.2"), "seed=1"),
        ("max_length=5", ("--to", "openrlhf=0.11.2"), "max_length=5"),
    ],
)
def test_back_to_earlier_releases(before: str, to: tuple[str, ...], after: str, tmp_path: Path) -> None:
    text = "from trl import SFTConfig\n\nargs = SFTConfig('o', {})\n"
    ran = move(tmp_path, "train.py", text.format(before), *to, trl="1.16.0", transformers="5.23.0")
    assert ran.files["train.py"] == text.format(after)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("run.sh", command("--max_completion_length 5", "grpo")),
        (
            "train.py",
            "import trl\n\ntrl.GRPOTrainer('m', f, args=trl.GRPOConfig('o', beta=0.1))\n",
        ),
    ],
)
def test_what_is_not_there_in_the_end_does_not_move(name: str, text: str, tmp_path: Path) -> None:
    to = ("--to", "trl=0.11.4", "--to", "transformers=4.44.2")
    assert move(tmp_path, name, text, *to, trl="1.0.0", transformers="4.57.0").files[name] == text


def test_a_move_of_transformers_alone(tmp_path: Path) -> None:
    text = "from trl import SFTConfig\n\nargs = SFTConfig('o', evaluation_strategy='no', max_seq_length=5)\n"
    ran = move(tmp_path, "train.py", text, "--to", "transformers=4.49.0", transformers="4.44.2")
    assert ran.files["train.py"] == text.replace("evaluation_strategy", "eval_strategy")
