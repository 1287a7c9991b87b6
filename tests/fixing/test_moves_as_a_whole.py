"""A launch is moved as a whole: a name that would be refused and cannot be rewritten lets all of it stay."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fixing.command import fix

SFT = "deepspeed --module openrlhf.cli.train_sft --pretrain m --dataset d"
PPO = "python3 -m openrlhf.cli.train_ppo_ray --prompt_data d --remote_rm_url http://x/ --vllm_num_engines 4"
TO = ("--to", "openrlhf=0.11.2")
FROM = {"requirements.txt": "openrlhf==0.8.11\n"}


@pytest.mark.parametrize(
    ("text", "because"),
    [
        (f"F=--max_norm\n{PPO} --pretrain m $F 0.5\n", "the value of --max_norm stands elsewhere"),
        (f"{SFT} --'learning_rate' 5e-6 --max_len 8\n", "--learning_rate is put together from several parts"),
        (f"{SFT} ${{BF:+--bf16}} --max_len 8\n", "--bf16 is part of a longer word"),
        (f"{SFT} ${{X:---packing_samples}} --max_len 8\n", "train_sft shares this text"),
    ],
)
def test_one_flag_that_cannot_be_rewritten_holds_its_launch(text: str, because: str, tmp_path: Path) -> None:
    ran = fix(tmp_path, {"train.sh": text, **FROM}, *TO)
    assert ran.files["train.sh"] == text
    assert ran.output.count("RL007") == 1
    assert f"would be refused and is not rewritten, since {because}" in ran.output


def test_a_text_shared_with_a_program_that_is_not_there_holds_the_launch_and_no_other(tmp_path: Path) -> None:
    other = f"{SFT} --max_len 8\n"
    shared = f'COMMON="--pretrain m --max_norm 0.5"\n{PPO} $COMMON\npython3 -m openrlhf.cli.train_kto $COMMON\n'
    ran = fix(tmp_path, {"train.sh": shared + other, **FROM}, *TO)
    assert ran.files["train.sh"].startswith(shared)
    assert "--data.max_len 8" in ran.files["train.sh"]
    assert ran.output.count("RL007") == 1
    assert "since train_kto shares this text" in ran.output


def test_a_flag_and_its_value_as_items_of_a_list_hold_the_launch(tmp_path: Path) -> None:
    words = ["python3", "-m", "openrlhf.cli.train_ppo_ray", "--pretrain", "m", "--max_norm", '"0.5"']
    text = "jobs:\n  a:\n    command:\n" + "".join(f"      - {word}\n" for word in words)
    ran = fix(tmp_path, {"job.yaml": text, **FROM}, *TO)
    assert ran.files["job.yaml"] == text
    assert ran.output.count("RL007") == 1


PYTHON = """\
from trl import SFTConfig, SFTTrainer
more = {{"max_seq" "_length": 512}}
args = SFTConfig(output_dir="o", **more)
trainer = SFTTrainer(model="m", args=args, train_dataset=d, {tokenizer}=t)
trainer.train()
"""


@pytest.mark.parametrize(("to", "moved"), [("0.14.0", True), ("0.28.0", False)])
def test_in_python_it_is_held_only_where_the_old_name_is_refused(to: str, moved: bool, tmp_path: Path) -> None:
    files = {"train.py": PYTHON.format(tokenizer="tokenizer"), "requirements.txt": "trl==0.12.0\n"}
    ran = fix(tmp_path, files, "--to", f"trl={to}")
    assert ran.files["train.py"] == PYTHON.format(tokenizer="processing_class" if moved else "tokenizer")
    assert ("would be refused and is not rewritten" in ran.output) is not moved


OLD = {"requirements.txt": "openrlhf==0.5.4\n"}
LOSING = ("--to", "openrlhf=0.8.11", "--unsafe")


def test_a_loss_is_told_where_it_is_made(tmp_path: Path) -> None:
    text = f"{SFT} --disable_trace_cache --max_len 8\n"
    ran = fix(tmp_path, {"train.sh": text, **OLD}, *LOSING)
    assert ran.files["train.sh"] == f"{SFT} --max_len 8\n"
    assert ran.output.count("--disable_trace_cache is taken out, and what it did is lost") == 1


@pytest.mark.parametrize(
    "text",
    [
        f"{SFT} --disable_trace_cache $X\n",
        f"D='--disable_trace_cache'\n{SFT} $D --max_len 8\npython evaluate.py $D\n",
    ],
)
def test_a_loss_that_is_not_made_is_not_told(text: str, tmp_path: Path) -> None:
    ran = fix(tmp_path, {"train.sh": text, **OLD}, *LOSING)
    assert ran.files["train.sh"] == text
    assert "RL008" not in ran.output
    assert "OR602" in ran.output


def test_in_python_a_loss_that_is_not_made_is_not_told(tmp_path: Path) -> None:
    text = (
        "from trl import DPOConfig\n"
        "more = dict(generate_during_eval=True, max_seq_length=9)\n"
        "args = DPOConfig('o', **more)\n"
        "with_it, without = DPOConfig('a', **more), dict(more)\n"
        "other = make(**more)\n"
    )
    ran = fix(tmp_path, {"train.py": text, "requirements.txt": "trl==0.12.0\n"}, "--to", "trl=1.16.0", "--unsafe")
    lost = "generate_during_eval is taken out, and what it did is lost" in ran.output
    assert lost is ("generate_during_eval" not in ran.files["train.py"])
