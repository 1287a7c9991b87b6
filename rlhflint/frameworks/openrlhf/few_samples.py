"""Batch sizes for a launch of few samples, such as a dry run."""

from __future__ import annotations

from math import lcm
from typing import TYPE_CHECKING

from rlhflint.frameworks.openrlhf import batches, roles
from rlhflint.value import if_known

if TYPE_CHECKING:
    from rlhflint.frameworks.openrlhf.models.train_ppo_ray import TrainPPORay


_TRIED = 64
"""How many sizes of a rollout are looked at."""


def batch_sizes(launch: TrainPPORay, prompts: int) -> tuple[tuple[str, int], ...]:
    """Batch sizes with which so few prompts are trained; none where the groups are too large for them.

    The rollout is as large as it can be, and if possible such that all of its samples are trained.
    """
    micro = if_known(lambda: launch.train.micro_batch_size)
    if not micro or micro <= 0:
        return ()
    multiple = if_known(lambda: batches.common_unit(batches.crews(launch), micro, roles.duplicates(launch)))
    unit = if_known(lambda: _unit(launch))
    if multiple is None or unit is None:
        return ()
    most = min(prompts, launch.rollout.batch_size) // unit * unit
    sizes = range(most, max(most - _TRIED * unit, 0), -unit)
    made = [one for rollout in sizes if (one := _made(launch, rollout, multiple)) is not None]
    if not made:
        return ()
    rollout, pieces, train, _ = next((one for one in made if one[3]), made[0])
    generated: tuple[tuple[str, int], ...] = ()
    if launch.session.since("0.8.1") and not launch.session.since("0.9.1") and launch.rollout.vllm_generate_batch_size:
        generated = (("rollout.vllm_generate_batch_size", rollout),)
    return (("rollout.batch_size", rollout), *generated, *pieces, ("train.batch_size", train))


def _made(
    launch: TrainPPORay, rollout: int, multiple: int
) -> tuple[int, tuple[tuple[str, int], ...], int, bool] | None:
    """A rollout's size with the micro batch and the training batch that go with it, and whether nothing is left over.

    None where it is too small. `multiple` is what the training batch has to be a multiple of.
    """
    samples = rollout * launch.rollout.n_samples_per_prompt
    pieces = if_known(lambda: _pieces(launch, samples)) if samples >= multiple else None
    if pieces is None:
        return None
    best = batches.closest(launch.train.batch_size, (one for one in batches.divisors(samples) if one % multiple == 0))
    micro = pieces[0][1] if pieces else launch.rollout.micro_batch_size
    even = launch.train.dynamic_batch_enable or -(-samples // micro) % _together(launch) == 0
    return rollout, pieces, best or samples // multiple * multiple, best is not None and even


def _unit(launch: TrainPPORay) -> int:
    """The number that the size of a rollout has to be a multiple of (OR310)."""
    since = launch.session.since
    if not since("0.5.5.post1") or since("0.7.1"):
        return 1
    gpus = roles.role(launch, "actor").gpus
    return max(gpus // max(launch.ds.ring_attn_size, 1) if since("0.7.0.post1") else gpus, 1)


def _together(launch: TrainPPORay) -> int:
    """The number of pieces that every group can share evenly."""
    return lcm(*_at_once(launch))


def _at_once(launch: TrainPPORay) -> list[int]:
    duplicates = roles.duplicates(launch)
    return [max(batches.parallel(crew.gpus, duplicates), 1) for crew in batches.crews(launch)]


def _pieces(launch: TrainPPORay, samples: int) -> tuple[tuple[str, int], ...] | None:
    """The micro batch that cuts a rollout into enough pieces for every group, if another is needed; None without one.

    Largest first, and one that gives every process as many as any other if there is one.
    """
    if launch.train.dynamic_batch_enable:
        return ()
    micro, at_once = launch.rollout.micro_batch_size, _at_once(launch)
    most = min(micro, samples // max(at_once))
    if most <= 0:
        return None
    even = (one for one in reversed(batches.divisors(samples)) if one <= most and samples // one % lcm(*at_once) == 0)
    best = next(even, most)
    return () if best == micro else (("rollout.micro_batch_size", best),)
