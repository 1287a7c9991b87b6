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
    folder.mkdir(parents=True, exist_ok=True)
    for n in range(number):
        (folder / f"train-{n:03}.sh").write_text(LAUNCH.format(n=n, micro=(1, 2, 4, 8)[n % 4]))
