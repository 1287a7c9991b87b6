"""Checkpoints of launches that run on several machines."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from typing import TYPE_CHECKING

from rlhflint.frameworks.openrlhf.programs import TRAINING
from rlhflint.launchers.ray.job import ray_job_of
from rlhflint.rule import LATE, WARNING, Draft, rule

if TYPE_CHECKING:
    from rlhflint.frameworks.openrlhf.training import Living

_OF_A_NODE = ("/tmp", "/var/tmp", "/dev/shm", "/scratch/local", "/local", "/localscratch", "/local_scratch")

_EFFECTS = {
    "ckpt.path": "so that shards stay on their machines and resuming fails",
    "ckpt.output_dir": "so that the model is left on the machine of the first process only",
}


@rule("OR413", "checkpoint-path-not-shared", severity=WARNING, stage=LATE, programs=TRAINING)
def checkpoint_path_not_shared(launch: Living) -> Iterator[Draft]:
    """On several machines, checkpoints have to go to a folder that all of them share.

    What happens: every process writes its shard on its own machine. Resuming fails, because shards are missing; and
    behind `ray job submit` with a working directory, a relative path lies in Ray's copy of it and goes with the job.

    Why: DeepSpeed saves and loads each process's part of a checkpoint below `ckpt.path` itself (save_checkpoint of the
    engine; utils/deepspeed/deepspeed.py@0.11.2). Checkpoints are written where `ckpt.save_steps` is more than 0.

    Example:
        # train_ppo_ray, openrlhf 0.11.2, cluster 2x8
        --ckpt.save_steps 50 --ckpt.path /tmp/checkpoints

    Use instead:
        # train_ppo_ray, openrlhf 0.11.2, cluster 2x8
        --ckpt.save_steps 50 --ckpt.path /shared/checkpoints
    """
    paths = [("ckpt.output_dir", launch.ckpt.output_dir)]
    if launch.ckpt.save_steps > 0 and not launch.ckpt.disable_ds:
        paths.insert(0, ("ckpt.path", launch.ckpt.path))
    lost = [(name, path, fate) for name, path in paths if (fate := _fate(launch, path))]
    if not lost or not launch.session.on_several_machines():
        return
    for name, path, fate in lost:
        yield launch.finding(
            name,
            message=f"{launch.session.spelling(name)} {path} {fate}, {_EFFECTS[name]}",
            help="write an absolute path on storage that all machines mount",
        )


def _fate(launch: Living, path: str) -> str:
    """What becomes of files below a path, behind the path; empty where nothing is certainly wrong with it.

    A relative path is where the processes start, which the machines of a cluster often share.
    """
    if any(path == folder or path.startswith(f"{folder}/") for folder in _OF_A_NODE):
        return "is a folder of each machine's own"
    if posixpath.isabs(path) or "://" in path or path.startswith("~"):
        return ""
    start = launch.session.start
    job = ray_job_of(start) if start is not None else None
    if job is not None and job.working_dir is not None:
        return "lies in Ray's copies of the working directory, which go with the job"
    return ""
