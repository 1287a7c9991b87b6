"""The files that the comparison runs on, made anew each time and the same each time."""

from __future__ import annotations

from pathlib import Path

SETTINGS = """service:
  name: worker-{n}
  replicas: {n}
  ports:
    - 80
    - 443
  limits: {{cpu: 2, memory: 4Gi}}
"""
MODULE = '''"""Module {n}."""

import os


def work(count: int = {n}) -> list[str]:
    """The names of the files that are to be done."""
    return sorted(os.listdir("."))[:count]
'''
SCRIPT = """#!/bin/bash
set -euo pipefail
cd "$(dirname "$0")"
for name in a b c; do
   make "$name" JOBS={n}
done
"""
LAUNCH = """#!/bin/bash
set -x
MODEL=${{MODEL:-org/model-8b}}
SAVE=./checkpoint/run-{n}

python3 -m openrlhf.cli.train_ppo_ray \\
   --ref.num_nodes 1 \\
   --ref.num_gpus_per_node 8 \\
   --actor.num_nodes 1 \\
   --actor.num_gpus_per_node 8 \\
   --vllm.num_engines 4 \\
   --vllm.tensor_parallel_size 2 \\
   --train.colocate_all \\
   --actor.model_name_or_path "$MODEL" \\
   --ckpt.output_dir "$SAVE" \\
   --train.batch_size 128 \\
   --train.micro_batch_size {micro} \\
   --rollout.batch_size 1024 \\
   --rollout.n_samples_per_prompt 8 \\
   --ds.zero_stage 3 \\
   --actor.adam.lr 1e-6 \\
   --algo.kl.init_coef 1e-3
"""

CONFIG = """from datasets import load_dataset
from trl import GRPOConfig, GRPOTrainer


def shorter(completions, **kwargs):
    return [-float(len(completion)) for completion in completions]


trainer = GRPOTrainer(
    model="org/model-0.5b",
    reward_funcs=shorter,
    args=GRPOConfig(
        output_dir="out-{n}",
        per_device_train_batch_size={micro},
        num_generations=8,
        learning_rate=1e-6,
        use_vllm=True,
        vllm_mode="colocate",
    ),
    train_dataset=load_dataset("org/prompts", split="train"),
)
trainer.train()
"""
RECIPE = """# rlhflint: program=trl:sft
model_name_or_path: org/model-0.5b
dataset_name: org/conversations
output_dir: out-{n}
learning_rate: 2.0e-5
per_device_train_batch_size: {micro}
gradient_accumulation_steps: 8
packing: true
"""


def unrelated(folder: Path, number: int) -> None:
    """`number` files that have nothing to do with training: YAML, Python and shell in turn, a hundred a folder."""
    kinds = ((SETTINGS, "settings-{n}.yaml"), (MODULE, "module_{n}.py"), (SCRIPT, "build-{n}.sh"))
    for n in range(number):
        text, name = kinds[n % len(kinds)]
        inner = folder / f"part-{n // 100:03}"
        inner.mkdir(parents=True, exist_ok=True)
        (inner / name.format(n=n)).write_text(text.format(n=n))


def launches(folder: Path, number: int) -> None:
    """`number` shell scripts that start a program of OpenRLHF, no two alike."""
    _fill(folder, LAUNCH, "train-{n:03}.sh", number)


def configs(folder: Path, number: int) -> None:
    """`number` Python files that train with TRL, no two alike."""
    _fill(folder, CONFIG, "train_{n:03}.py", number)


def recipes(folder: Path, number: int) -> None:
    """`number` YAML files of TRL's commands, no two alike."""
    _fill(folder, RECIPE, "recipe-{n:03}.yaml", number)


def lengthy(path: Path, launches_in_it: int) -> None:
    """One shell script with many launches."""
    path.parent.mkdir(parents=True, exist_ok=True)
    head, body = LAUNCH.split("python3", 1)
    texts = [("python3" + body).format(n=n, micro=1) for n in range(launches_in_it)]
    path.write_text(head.format(n=0) + "\n".join(texts))


def _fill(folder: Path, text: str, name: str, number: int) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for n in range(number):
        (folder / name.format(n=n)).write_text(text.format(n=n, micro=(1, 2, 4, 8)[n % 4]))
