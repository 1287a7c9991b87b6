"""Whatever is edited between two runs, one that remembers tells what one tells that reads everything again."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.remembered.conftest import remembering

EXAMPLES = int(os.environ.get("RLHFLINT_EDITS", "12"))
"""Projects; `RLHFLINT_EDITS=2000` for a long search."""

SFT = "python -m openrlhf.cli.train_sft --pretrain m --dataset d "
FILES = {
    "sft.sh": [
        SFT + "--zero_stage 3 --no_such_flag\n",
        SFT + "--learning_rate 5e-6\n",
        "pip install -r more/pins.txt\n" + SFT + "--no_such_flag\n",
    ],
    "more/pins.txt": ["openrlhf==0.8.1\n", "openrlhf==0.11.2\n"],
    "more/notes.txt": ["\n"],
    "jobs/sourcing.sh": ["source jobs/common.inc\n" + SFT + "$FLAGS\n", ". ../common.inc\n" + SFT + "$FLAGS\n"],
    "jobs/common.inc": ["FLAGS='--bf16 --packing_samples'\n", "FLAGS='--not_there'\n", "source common.inc\n"],
    "common.inc": ["FLAGS=--micro_train_batch_size\n", "FLAGS='--ds.zero_stage 3'\n"],
    "dpo.sh": [
        "accelerate launch train.py --config dpo.yaml\n",
        "trl dpo --config jobs/dpo.yaml\n",
        "accelerate launch --config_file ds.yaml train.py\n",
    ],
    "dpo.yaml": ["model_name_or_path: m\nbeta: 0.1\nno_such: 1\n", "model_name_or_path: m\nnum_generations: 3\n"],
    "jobs/dpo.yaml": ["model_name_or_path: m\ngradient_accumulation_steps: x\n", "dataset_name: d\nbetta: 1\n"],
    "train.py": [
        "from trl import DPOConfig, TrlParser\nparser = TrlParser((DPOConfig,))\nparser.parse_args_and_config()\n",
        "from trl import GRPOConfig\nGRPOConfig('o', num_generations=3, nope=1)\n",
        "print()\n",
    ],
    "ds.yaml": ["compute_environment: LOCAL_MACHINE\nnum_processes: 4\n", "num_processes: x\n"],
    "grpo.py": [
        "from trl import GRPOConfig\nfrom own import K\nGRPOConfig('o', deepspeed='ds.json', num_generations=K)\n",
        "import trl\ntrl.GRPOConfig('o', use_vllm=True, vllm_mode='colocate')\n",
    ],
    "ds.json": ['{"zero_optimization": {"stage": 3}}', '{"train_batch_size": 7}', "{"],
    "requirements.txt": ["openrlhf==0.8.0\ntrl==0.18.0\n", "-r requirements/base.txt\n", "openrlhf>=0.9\n", "trl=0\n"],
    "requirements/base.txt": ["trl==1.0.0\n", "openrlhf==0.5.0\nvllm==0.8.5\n"],
    "jobs/requirements.txt": ["openrlhf==0.6.0\n"],
    "uv.lock": ['[[package]]\nname = "trl"\nversion = "0.20.0"\n'],
    "pyproject.toml": [
        "[tool.rlhflint]\nignore = ['OR101']\n",
        "[tool.rlhflint]\nextend = 'base.toml'\n",
        "[project]\nname = 'x'\nversion = '1'\ndependencies = ['openrlhf==0.7.1']\n",
        "[tool.rlhflint]\ncluster = {nodes = 1, gpus-per-node = 2}\nprograms = {'*.yaml' = 'trl:dpo'}\n",
        "[tool.rlhflint\n",
    ],
    "base.toml": ["[tool.rlhflint]\nseverity = {OR101 = 'advice'}\n", "select = ['OR1']\n"],
    "jobs/rlhflint.toml": ["ignore = ['OR']\n", "versions = {openrlhf = '0.9.3'}\n"],
    "openrlhf/cli/train_sft.py": [
        "import argparse\nparser = argparse.ArgumentParser()\nparser.add_argument('--no_such_flag')\n",
        "import argparse\nfrom openrlhf.more import add\nparser = argparse.ArgumentParser()\nadd(parser)\n",
    ],
    "openrlhf/more.py": ["def add(parser):\n    parser.add_argument('--not_there')\n"],
    "openrlhf/version.txt": ["0.7.0\n", "0.9.0\n"],
    "jobs/openrlhf/cli/train_sft.py": ["import argparse\nargparse.ArgumentParser().add_argument('--zero_stage')\n"],
    "trl/trainer/dpo_config.py": ["class DPOConfig:\n    pass\n"],
    "trl/__init__.py": ["__version__ = '0.12.0'\n"],
    "setup.py": ["from setuptools import setup\nsetup(install_requires=['trl==0.15.0'])\n"],
    "Dockerfile": ["FROM x\nRUN pip install openrlhf==0.6.1\nCMD " + SFT + "--no_such_flag\n"],
    "Makefile": ["run:\n\t" + SFT + "--nope\n", "run:\n\ttrl dpo --config dpo.yaml\n"],
    ".gitignore": ["jobs/\n", "*.inc\n"],
    "jobs/.git": ["gitdir: elsewhere\n"],
}

Edit = tuple[str, str, int]
edits = st.lists(
    st.tuples(
        st.sampled_from(["write", "write", "write", "delete", "delete", "swap", "link", "folder"]),
        st.sampled_from(sorted(FILES)),
        st.integers(0, 60),
    ),
    min_size=1,
    max_size=3,
)


def apply(edit: Edit, folder: Path) -> None:
    """Make an edit; one that cannot be made is none."""
    what, name, number = edit
    path, other = folder / name, folder / sorted(FILES)[number % len(FILES)]
    try:
        if what == "folder" or path.is_dir():
            path.mkdir(parents=True) if not path.exists() else shutil.rmtree(path)
        elif what == "write":
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(FILES[name][number % len(FILES[name])])
        elif what == "delete":
            path.unlink()
        elif what == "swap":
            other.parent.mkdir(parents=True, exist_ok=True)
            path.rename(other)
        else:
            path.unlink(missing_ok=True)
            path.symlink_to(other)
    except OSError:
        return


@settings(max_examples=EXAMPLES)
@given(
    start=st.lists(st.tuples(st.sampled_from(sorted(FILES)), st.integers(0, 5)), min_size=8, max_size=30),
    steps=st.lists(edits, min_size=1, max_size=4),
    form=st.sampled_from(["text", "json", "sarif"]),
)
def test_what_is_remembered_is_what_is_there(start: list[tuple[str, int]], steps: list[list[Edit]], form: str) -> None:
    words = ("--output-format", form, "--verbose", "--jobs", "1")
    with tempfile.TemporaryDirectory() as top, pytest.MonkeyPatch.context() as patch:
        folder = Path(top, "project").resolve()
        (folder / ".git").mkdir(parents=True)
        patch.chdir(folder)
        for name, number in [*start, ("sft.sh", 0)]:
            apply(("write", name, number), folder)
        with remembering(Path(top, "kept")) as runs:
            runs(*words)
            for step in [[], *steps]:
                for edit in step:
                    apply(edit, folder)
                assert runs(*words) == runs("--no-cache", *words)
