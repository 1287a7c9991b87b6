"""Launches of TRL moved to another release: names in Python, YAML and commands, imports."""

from __future__ import annotations

from pathlib import Path

from .command import fix

OLD = {"requirements.txt": "trl==0.15.2\ntransformers==4.49.0\n"}
MOVE = ("--to", "trl=1.0.0")

TRAIN = """\
from trl import SFTConfig, SFTTrainer

args = SFTConfig(output_dir="out", max_seq_length=1024)  # max_seq_length
SFTTrainer("Qwen/Qwen2.5-0.5B", args=args, train_dataset=data).train()
"""


def test_a_renamed_argument(tmp_path: Path) -> None:
    ran = fix(tmp_path, {**OLD, "train.py": TRAIN}, *MOVE)
    assert ran.files["train.py"] == TRAIN.replace("max_seq_length=1024", "max_length=1024")
    assert "requirements.txt line 1 says trl 0.15.2: change it to 1.0.0 yourself" in ran.errors
    assert fix(tmp_path, {}, *MOVE).files == ran.files


def test_without_a_move_the_old_name_is_right(tmp_path: Path) -> None:
    assert fix(tmp_path, {**OLD, "train.py": TRAIN}).files["train.py"] == TRAIN


def test_an_import_that_moved(tmp_path: Path) -> None:
    text = "from trl import CPOConfig, CPOTrainer\n\nCPOTrainer(model, args=CPOConfig(output_dir='out')).train()\n"
    ran = fix(tmp_path, {**OLD, "cpo.py": text}, *MOVE)
    assert ran.files["cpo.py"] == text.replace("from trl import", "from trl.experimental.cpo import")


def test_keys_of_a_configuration_file(tmp_path: Path) -> None:
    files = {
        **OLD,
        "run.sh": "trl sft --config sft.yaml\n",
        "sft.yaml": "model_name_or_path: m # m\nmax_seq_length:   1024\n",
    }
    ran = fix(tmp_path, files, *MOVE)
    assert ran.files["sft.yaml"] == "model_name_or_path: m # m\nmax_length:   1024\n"
    assert ran.files["run.sh"] == files["run.sh"]
