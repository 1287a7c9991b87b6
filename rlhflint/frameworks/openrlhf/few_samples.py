"""Batch sizes for a launch of few samples, such as a dry run."""

from __future__ import annotations

from math import lcm
from typing import TYPE_CHECKING

from rlhflint.frameworks.openrlhf import batches, roles
from rlhflint.value import if_known

if TYPE_CHECKING:
    from rlhflint.frameworks.openrlhf.models.train_ppo_ray import TrainPPORay


def batch_sizes(launch: TrainPPORay, prompts: int) -> tuple[tuple[str, int], ...]:
    """Batch sizes with which so few prompts are trained; none where the groups are too large for them."""
    micro = if_known(lambda: launch.train.micro_batch_size)
    if not micro or micro <= 0:
        return ()
    multiple = if_known(lambda: batches.common_unit(batches.crews(launch), micro, roles.duplicates(launch)))
    rollout = min(prompts, launch.rollout.batch_size)
    samples = rollout * launch.rollout.n_samples_per_prompt
    pieces = if_known(lambda: _pieces(launch, samples))
    if multiple is None or samples < multiple or pieces is None:
        return ()
    best = batches.closest(launch.train.batch_size, (one for one in batches.divisors(samples) if one % multiple == 0))
    generated: tuple[tuple[str, int], ...] = ()
    if launch.session.since("0.8.1") and not launch.session.since("0.9.1") and launch.rollout.vllm_generate_batch_size:
        generated = (("rollout.vllm_generate_batch_size", rollout),)
    train = ("train.batch_size", best or samples // multiple * multiple)
    return (("rollout.batch_size", rollout), *generated, *pieces, train)


def _pieces(launch: TrainPPORay, samples: int) -> tuple[tuple[str, int], ...] | None:
    """The micro batch that cuts a rollout into enough pieces for every group, if another is needed; None without one.

    Largest first, and one that gives every process as many as any other if there is one.
    """
    if launch.train.dynamic_batch_enable:
        return ()
    micro, duplicates = launch.rollout.micro_batch_size, roles.duplicates(launch)
    at_once = [max(batches.parallel(crew.gpus, duplicates), 1) for crew in batches.crews(launch)]
    enough = [one for one in range(min(micro, samples), 0, -1) if samples // one >= max(at_once)]
    even = [one for one in enough if samples % one == 0 and samples // one % lcm(*at_once) == 0]
    best = next(iter(even or enough), None)
    if best is None:
        return None
    return () if best == micro else (("rollout.micro_batch_size", best),)
