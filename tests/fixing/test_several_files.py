"""Several files in one run: the difference that is printed, and the order in which they are named."""

from __future__ import annotations

import shutil
import subprocess
import sys
from itertools import permutations
from pathlib import Path

import pytest

from .command import fix, read, write

MOVE = ("--to", "openrlhf=0.11.2", "--to", "trl=1.16.0", "--to", "transformers=5.23.0", "--pin-defaults")
FILES = {
    "requirements.txt": "openrlhf==0.8.9\ntrl==0.15.2\ntransformers==4.49.0\n",
    "a/flags.sh": "FLAGS='--zero_stage 3 --bf16'\n",
    "a/sft.sh": "source a/flags.sh\ndeepspeed --module openrlhf.cli.train_sft --pretrain m --dataset d $FLAGS",
    "dpo.sh": "deepspeed --module openrlhf.cli.train_dpo \\\r\n  --pretrain größe \\\r\n  --flash_attn --dataset d\r\n",
    "grpo.yaml": "# größe\nmodel_name_or_path: m\ndataset_name: d\nevaluation_strategy: steps",
    "grpo.sh": "trl grpo --config grpo.yaml --use_vllm\n",
    "train.py": "from trl import SFTConfig\n\nSFTConfig(\n    'out',\n    max_seq_length=9,  # ö\n    packing=True\n)",
}


def test_patch_makes_of_the_files_what_fix_writes(tmp_path: Path) -> None:
    if shutil.which("patch") is None:
        pytest.skip("patch is not installed")
    one, other = tmp_path / "one", tmp_path / "other"
    one.mkdir()
    other.mkdir()
    fixed = fix(one, FILES, *MOVE)
    write(other, FILES)
    printing = [sys.executable, "-m", "rlhflint", "fix", *MOVE, "--diff", "--quiet"]
    difference = subprocess.run(printing, cwd=other, capture_output=True, check=False).stdout
    assert read(other) == FILES
    command = ["patch", "-p1", "--binary", "--quiet"]
    subprocess.run(command, input=difference, cwd=other, check=True)
    assert read(other) == fixed.files
    assert {name for name in FILES if fixed.files[name] != FILES[name]} == set(FILES) - {"requirements.txt", "grpo.sh"}


@pytest.mark.parametrize("arguments", [MOVE, ("--unsafe",)], ids=["moved", "fixed"])
def test_the_order_of_the_files_does_not_matter(arguments: tuple[str, ...], tmp_path: Path) -> None:
    names = [name for name in FILES if name.endswith((".sh", ".py", ".yaml"))]
    found = set()
    for number, order in enumerate(list(permutations(names))[::97]):
        folder = tmp_path / str(number)
        folder.mkdir()
        stated = {**FILES, "requirements.txt": FILES["requirements.txt"] if arguments == MOVE else "trl==1.16.0\n"}
        found.add(tuple(sorted(fix(folder, stated, *order, *arguments).files.items())))
    assert len(found) == 1


def test_one_file_alone_is_changed_as_it_is_among_others(tmp_path: Path) -> None:
    whole, alone = tmp_path / "whole", tmp_path / "alone"
    whole.mkdir()
    alone.mkdir()
    assert fix(alone, FILES, "train.py", *MOVE).files["train.py"] == fix(whole, FILES, *MOVE).files["train.py"]
