"""Dropping the prompts whose rewards teach nothing: what the filter needs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rlhflint.frameworks.openrlhf import roles
from rlhflint.frameworks.openrlhf.programs import PPO
from rlhflint.rule import ERROR, PARSE, Draft, rule

if TYPE_CHECKING:
    from rlhflint.frameworks.openrlhf.models.train_ppo_ray import TrainPPORay


@rule("OR221", "filtering-range-empty", severity=ERROR, stage=PARSE, programs=PPO, applies=">=0.8.1")
def filtering_range_empty(launch: TrainPPORay) -> Iterator[Draft]:
    """The range of dynamic filtering runs from a lower to a higher reward.

    What happens: an assertion ends the launch while its arguments are checked. Its text names the range rewards are
    clipped to, whichever of the two it is about.

    Why: prompts are kept whose mean reward lies inside the range. 0.8.1 tests the range of clipping by mistake,
    later releases the right one (cli/train_ppo_ray.py@0.8.1, @0.8.1.post1, @0.11.2).

    Example:
        --algo.dynamic_filtering_enable --algo.dynamic_filtering_range 1 0

    Use instead:
        --algo.dynamic_filtering_enable --algo.dynamic_filtering_range 0 1
    """
    if not launch.algo.dynamic_filtering_enable:
        return
    mistaken = not launch.session.since("0.8.1.post1")
    name = "reward.clip_range" if mistaken else "algo.dynamic_filtering_range"
    values = launch.reward.clip_range if mistaken else launch.algo.dynamic_filtering_range
    low, high = values[0], values[1]
    if low >= high:
        spelt = launch.session.spelling
        yield launch.finding(
            name,
            "algo.dynamic_filtering_enable",
            message=f"{spelt(name)} {low:g} {high:g} is empty, which OpenRLHF {launch.session.release} refuses with "
            f"{spelt('algo.dynamic_filtering_enable')}: an assertion ends the launch",
            help="write the lower bound first; the message of the assertion names the range of clipping in any case",
        )


@rule("OR222", "filtering-needs-remote-reward", severity=ERROR, stage=PARSE, programs=PPO, applies=">=0.8.1")
def filtering_needs_remote_reward(launch: TrainPPORay) -> Iterator[Draft]:
    """Dynamic filtering needs a remote reward or an agent, and several samples of a prompt.

    What happens: an assertion ends the launch while its arguments are checked.

    Why: rewards have to be there when the samples come in, and only a group of samples can be all right or all wrong
    (cli/train_ppo_ray.py@0.8.1, @0.11.2). The filter looks at the mean of a group alone: with rewards other than 0
    and 1, groups that are all alike pass it (OpenRLHF#1270).

    Example:
        --algo.dynamic_filtering_enable --rollout.n_samples_per_prompt 1 --algo.advantage.estimator reinforce

    Use instead:
        --algo.dynamic_filtering_enable --rollout.n_samples_per_prompt 8
    """
    if not launch.algo.dynamic_filtering_enable:
        return
    spelt, release = launch.session.spelling, launch.session.release
    enable = spelt("algo.dynamic_filtering_enable")
    if not roles.has_remote_reward(launch):
        yield launch.finding(
            "algo.dynamic_filtering_enable",
            "reward.remote_url",
            "train.agent_func_path",
            message=f"OpenRLHF {release} refuses {enable} without {spelt('reward.remote_url')} or "
            f"{spelt('train.agent_func_path')}: an assertion ends the launch",
            help="give a reward function or server, or an agent; a reward model alone is not enough",
        )
    if launch.rollout.n_samples_per_prompt <= 1:
        yield launch.finding(
            "algo.dynamic_filtering_enable",
            "rollout.n_samples_per_prompt",
            message=f"OpenRLHF {release} refuses {enable} with {spelt('rollout.n_samples_per_prompt')} "
            f"{launch.rollout.n_samples_per_prompt}: an assertion ends the launch",
            help=f"write {spelt('rollout.n_samples_per_prompt')} 8, say; groups are judged by their mean reward, "
            "so the filter works with rewards of 0 and 1",
        )
