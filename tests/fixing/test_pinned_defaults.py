"""Old defaults that a move writes out, into files that launches share as well, and what is told instead."""

from __future__ import annotations

from pathlib import Path

from .command import Ran, fix

TODAY = ("--to", "trl=1.16.0", "--to", "transformers=5.23.0")
FILE = "model_name_or_path: m\ndataset_name: d\noutput_dir: o\n"


def move(folder: Path, files: dict[str, str], *arguments: str, trl: str = "0.18.0") -> Ran:
    stated = {"requirements.txt": f"trl=={trl}\ntransformers==4.52.4\n"}
    return fix(folder, {**stated, **files}, *TODAY, *arguments)


def added(ran: Ran, name: str, before: str) -> list[str]:
    """The lines that a file has got at its end."""
    assert ran.files[name].startswith(before)
    return ran.files[name].removeprefix(before).splitlines()


SFT = [
    *("logging_steps: 500", "bf16: false", "run_name: o", "report_to: all", "gradient_checkpointing: false"),
    "average_tokens_across_devices: false",
]


def test_every_default_that_changed_is_written_into_the_file(tmp_path: Path) -> None:
    ran = move(tmp_path, {"a.yaml": FILE, "a.sh": "trl sft --config a.yaml\n"}, "--pin-defaults")
    assert added(ran, "a.yaml", FILE) == SFT
    assert "TR604" not in ran.output


def test_without_it_every_one_is_a_finding(tmp_path: Path) -> None:
    ran = move(tmp_path, {"a.yaml": FILE, "a.sh": "trl sft --config a.yaml\n"})
    assert ran.files["a.yaml"] == FILE
    for line in SFT:
        assert f"TR604] {line.partition(':')[0]} is not given" in ran.output


def test_what_a_command_gives_itself_may_stand_in_the_file_it_shares(tmp_path: Path) -> None:
    files = {
        "a.yaml": FILE,
        "a.sh": "trl sft --config a.yaml\ntrl sft --config a.yaml --gradient_checkpointing true --bf16 true\n",
    }
    ran = move(tmp_path, files, "--pin-defaults")
    assert added(ran, "a.yaml", FILE) == SFT
    assert ran.files["a.sh"] == files["a.sh"]


def test_what_only_one_of_two_launches_needs_is_not_written_into_the_file_of_both(tmp_path: Path) -> None:
    ran = move(
        tmp_path, {"a.yaml": FILE, "a.sh": "trl sft --config a.yaml\ntrl dpo --config a.yaml\n"}, "--pin-defaults"
    )
    assert added(ran, "a.yaml", FILE) == SFT
    assert "not done: write the old default of truncation_mode, since another launch takes the same file" in ran.output


def test_words_stand_at_the_end_of_the_command(tmp_path: Path) -> None:
    before = (
        "trl grpo --model_name_or_path m --dataset_name d --output_dir o \\\n  --use_vllm true  # vLLM\necho done\n"
    )
    ran = move(tmp_path, {"a.sh": before}, "--pin-defaults")
    words = ran.files["a.sh"].split("--use_vllm true ")[1].split("  # vLLM")[0]
    assert "--beta 0.04" in words
    assert "--vllm_mode server" in words
    assert "--max_completion_length 256" in words
    assert "steps_per_generation" not in words  # None was, and is, what the accumulated batches come to
    assert "TR604" not in ran.output


def test_a_default_that_a_rule_tells_of_is_told_once(tmp_path: Path) -> None:
    text = "from trl import GRPOConfig\n\nargs = GRPOConfig('o', use_vllm=True)\n"
    told = move(tmp_path, {"train.py": text}).output
    assert told.count("vllm_mode is not given") == 1
    assert "TR601] vllm_mode" in told


def test_what_is_not_done_is_not_offered(tmp_path: Path) -> None:
    text = "from trl import GRPOConfig\n\nargs = GRPOConfig('o', *more)\n"
    told = move(tmp_path, {"train.py": text}, "--pin-defaults").output
    assert "--pin-defaults does" not in told


def test_a_training_arguments_that_becomes_a_configuration(tmp_path: Path) -> None:
    text = (
        "from transformers import TrainingArguments\nfrom trl import SFTTrainer\n\n"
        "SFTTrainer('m', args=TrainingArguments('o', fp16=True), train_dataset=d, packing=True)\n"
    )
    told = move(tmp_path, {"train.py": text}, trl="0.11.4").output
    assert "warning[TR604] gradient_checkpointing" in told
    assert "advice[TR604] run_name" in told
    assert "advice[TR604] logging_steps" in told
    assert "bf16" not in told  # fp16 keeps it off
    assert "hub_private_repo" not in told
    pinned = move(tmp_path, {"train.py": text}, "--pin-defaults", trl="0.11.4").files["train.py"]
    assert "SFTConfig('o', fp16=True, packing=True, learning_rate=5e-05, logging_steps=500, run_name='o', " in pinned
    assert "bf16=" not in pinned


def test_a_default_that_differs_with_the_transformers_of_that_time_is_not_written(tmp_path: Path) -> None:
    given = "'o', evaluation_strategy='steps', max_seq_length=3"
    text = f"from trl import SFTConfig\nargs = SFTConfig({given})\n"
    arguments = ("--to", "trl=1.16.0", "--unsafe", "--pin-defaults")
    first = fix(tmp_path, {"requirements.txt": "trl==0.17.0\n", "train.py": text}, *arguments)
    assert "gradient_checkpointing=False" in first.files["train.py"]
    for name in ("average_tokens_across_devices", "trackio_space_id"):
        assert name not in first.files["train.py"]
    again = fix(tmp_path, {}, *arguments)
    assert again.files == first.files


def test_a_default_of_a_stated_transformers_is_written(tmp_path: Path) -> None:
    text = "from trl import SFTConfig\nargs = SFTConfig('o')\n"
    ran = move(tmp_path, {"train.py": text}, "--pin-defaults", trl="0.17.0")
    assert "average_tokens_across_devices=False" in ran.files["train.py"]


def test_no_default_is_written_that_only_a_transformers_of_today_has(tmp_path: Path) -> None:
    text = "from trl import SFTConfig\nargs = SFTConfig('o', max_seq_length=3)\n"
    ran = fix(tmp_path, {"requirements.txt": "trl==1.16.0\n", "train.py": text}, "--unsafe")
    assert "gradient_checkpointing=False" in ran.files["train.py"]
    assert "None" not in ran.files["train.py"]
