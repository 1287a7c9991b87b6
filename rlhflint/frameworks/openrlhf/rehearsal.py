"""A launch made small: a handful of samples, and batch sizes with which they are trained."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, TypeAlias, cast

from rlhflint.frameworks.openrlhf import batches, roles
from rlhflint.frameworks.openrlhf.programs import PPO, TRAINING
from rlhflint.frameworks.openrlhf.proposals import put
from rlhflint.value import if_known

if TYPE_CHECKING:
    from rlhflint.frameworks.openrlhf.models.train_ppo_ray import TrainPPORay
    from rlhflint.frameworks.openrlhf.training import Living
    from rlhflint.model import ProgramModel
    from rlhflint.proposal import Change

FEWEST = 8
MOST = 4096

Sizes: TypeAlias = dict[str, int]
"""Canonical name → value."""


def rehearsals(model: ProgramModel) -> Iterator[tuple[Change, ...]]:
    """Changes that make a launch a trial of itself, the smallest first; none for what is no training.

    They keep the groups of GPUs and the lengths, which are what a trial is about. Whether the release takes the sizes
    is for the rules to say: the first that no rule on batches objects to is meant.
    """
    if model.session.launch.program not in TRAINING:
        return
    launch = cast("Living", model)
    tried: list[Sizes] = []
    prompts = FEWEST
    while prompts <= MOST:
        for keeps in (True, False):
            sizes = _sizes(launch, prompts, keeps=keeps)
            if sizes is not None and sizes not in tried:
                tried.append(sizes)
                yield tuple(change for name, value in sizes.items() for change in _put(launch, name, value))
        prompts *= 2


def _put(launch: Living, name: str, value: int) -> tuple[Change, ...]:
    """The change that gives a setting a value, unless it has it."""
    given = launch.session.setting(name) is not None
    return () if given and if_known(lambda: _get(launch, name)) == value else put(launch, name, value)


def _get(launch: Living, name: str) -> object:
    found: object = launch
    for part in name.split("."):
        found = getattr(found, part)
    return found


def _sizes(launch: Living, prompts: int, *, keeps: bool) -> Sizes | None:
    """Sizes for so many prompts, with the micro batches of the launch or of one sample each; None if there are none."""
    micro = if_known(lambda: launch.train.micro_batch_size) if keeps else 1
    if not micro or micro <= 0:
        return None
    sizes: Sizes = {"data.max_samples": prompts}
    samples = prompts
    if launch.session.launch.program == PPO:
        ppo = cast("TrainPPORay", launch)
        samples *= if_known(lambda: ppo.rollout.n_samples_per_prompt) or 1
        sizes["rollout.batch_size"] = prompts
        if launch.session.since("0.8.1") and not launch.session.since("0.9.1"):
            sizes["rollout.vllm_generate_batch_size"] = prompts
        if not keeps:
            sizes["rollout.micro_batch_size"] = 1
        if (if_known(lambda: ppo.train.num_episodes) or 2) > 1 and launch.session.setting("train.num_episodes"):
            sizes["train.num_episodes"] = 1
    if not keeps:
        sizes["train.micro_batch_size"] = 1
    multiple = if_known(lambda: batches.common_unit(batches.crews(launch), micro, roles.duplicates(launch))) or micro
    fitting = [one for one in batches.divisors(samples) if one % multiple == 0]
    if not fitting:
        return None
    wished = if_known(lambda: launch.train.batch_size) or samples
    sizes["train.batch_size"] = max((one for one in fitting if one <= wished), default=fitting[0])
    return sizes
