"""Main memory that a job asks Slurm for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rlhflint.frameworks.openrlhf import main_memory
from rlhflint.frameworks.openrlhf.programs import TRAINING
from rlhflint.frameworks.openrlhf.training import is_ppo
from rlhflint.memory import gib
from rlhflint.rule import ADVICE, STARTUP, Draft, rule

if TYPE_CHECKING:
    from rlhflint.frameworks.openrlhf.training import Living


@rule("LA501", "sbatch-memory", severity=ADVICE, stage=STARTUP, programs=TRAINING)
def sbatch_memory(launch: Living) -> Iterator[Draft]:
    """A job has to ask Slurm for the main memory that it takes.

    What happens: Slurm kills the job's processes on the machine that goes beyond the limit, "out of memory" in the
    job's record, however much memory the machine has.

    Why: --mem is a limit for each machine of the job (Slurm sbatch.1@26.11). The launch takes what OR503, OR506 and
    OR509 add up: weights of sleeping engines, an optimizer on the CPU, copies of the model while it is saved.

    Example:
        --- train.sh
        #!/bin/bash
        #SBATCH --nodes=1
        #SBATCH --gpus-per-node=8
        #SBATCH --mem=128G
        srun deepspeed --num_gpus 8 --module openrlhf.cli.train_sft --model.model_name_or_path Qwen/Qwen2.5-32B \\
           --data.dataset data/chat.jsonl --ds.zero_stage 3 --ds.adam_offload

    Use instead:
        --- train.sh
        #!/bin/bash
        #SBATCH --nodes=1
        #SBATCH --gpus-per-node=8
        #SBATCH --mem=960G
        srun deepspeed --num_gpus 8 --module openrlhf.cli.train_sft --model.model_name_or_path Qwen/Qwen2.5-32B \\
           --data.dataset data/chat.jsonl --ds.zero_stage 3 --ds.adam_offload
    """
    asked = main_memory.asked_for(launch)
    if asked is None:
        return
    parts = list(_parts(launch))
    if not parts:
        return
    limit, needed = main_memory.of_job(launch), sum(part for _, _, part in parts)
    if limit is None or needed <= limit:
        return
    takes = " and ".join(f"{gib(part)} for {what}" for what, _, part in parts)
    yield launch.finding(
        *dict.fromkeys(setting for _, setting, _ in parts),
        at=asked.span,
        message=f"the job asks for {gib(limit)} of main memory on a machine ({asked.source}), and the launch takes "
        f"about {takes}",
        help=f"ask for more than {gib(needed)}, or for all that a machine has with --mem=0",
    )


def _parts(launch: Living) -> Iterator[tuple[str, str, float]]:
    """What takes main memory at the same time, with the setting behind it, in bytes: the more of two moments."""
    offloaded = main_memory.offloaded(launch)
    if offloaded:
        yield "the optimizer", "ds.adam_offload", offloaded
    asleep = main_memory.asleep(launch) if is_ppo(launch) and main_memory.sleeps(launch) else 0
    saved = main_memory.saved(launch) if main_memory.copies_when_saving(launch) else 0
    if asleep > saved:
        yield "sleeping engines", "vllm.enable_sleep", asleep
    elif saved:
        yield "saving the model", "ds.zero_stage", saved
