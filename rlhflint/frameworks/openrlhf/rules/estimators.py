"""Advantage estimators: what they need, and which options do nothing with them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rlhflint.frameworks.openrlhf.programs import PPO
from rlhflint.frameworks.openrlhf.proposals import put, remove
from rlhflint.proposal import SAFE, UNSAFE, Proposal
from rlhflint.rule import ERROR, PARSE, SILENT, WARNING, Draft, rule
from rlhflint.value import all_hold

if TYPE_CHECKING:
    from rlhflint.frameworks.openrlhf.models.train_ppo_ray import TrainPPORay

_GROUPS = ("rloo", "reinforce_baseline", "group_norm", "dr_grpo")
"""Estimators whose baseline is made of the other samples of a prompt."""
_SAMPLES = 8
"""Samples of a prompt that a fix proposes; upstream's scripts take 8."""


@rule(
    "OR223",
    "estimator-needs-samples",
    severity=ERROR,
    stage=PARSE,
    programs=PPO,
    applies=">=0.5.3",
    fix="unsafe",
)
def estimator_needs_samples(launch: TrainPPORay) -> Iterator[Draft]:
    """An estimator with a baseline from a prompt's samples needs more than one sample of it.

    What happens: an assertion ends the launch while its arguments are checked. dr_grpo is accepted up to 0.10.4, and
    then every advantage is 0: the run goes on and learns nothing.

    Why: rloo, reinforce_baseline, group_norm and dr_grpo compare the samples of a prompt with each other; the default
    of `rollout.n_samples_per_prompt` is 1 (cli/train_ppo_ray.py@0.5.3, @0.6.0, @0.11.0).

    Example:
        --algo.advantage.estimator group_norm --rollout.n_samples_per_prompt 1

    Use instead:
        --algo.advantage.estimator group_norm --rollout.n_samples_per_prompt 8
    """
    if not all_hold(
        lambda: launch.algo.advantage.estimator in _GROUPS, lambda: launch.rollout.n_samples_per_prompt <= 1
    ):
        return
    estimator = launch.algo.advantage.estimator
    session, samples = launch.session, launch.session.spelling("rollout.n_samples_per_prompt")
    silent = estimator == "dr_grpo" and not session.since("0.11.0")
    yield launch.finding(
        "rollout.n_samples_per_prompt",
        "algo.advantage.estimator",
        message=f"{estimator} with {samples} {launch.rollout.n_samples_per_prompt}: "
        + (
            f"OpenRLHF {session.release} accepts it, and every advantage is 0, so that nothing is learnt"
            if silent
            else f"OpenRLHF {session.release} refuses it, an assertion ends the launch"
        ),
        help=f"write {samples} {_SAMPLES}, say: the baseline is made of a prompt's other samples",
        stage=SILENT if silent else PARSE,
        proposal=Proposal(f"Write {samples} {_SAMPLES}", UNSAFE, put(launch, "rollout.n_samples_per_prompt", _SAMPLES)),
    )


@rule(
    "OR233",
    "no-std-norm-unused",
    severity=WARNING,
    stage=SILENT,
    programs=PPO,
    applies=">=0.6.4",
    fix="safe",
)
def no_std_norm_unused(launch: TrainPPORay) -> Iterator[Draft]:
    """`algo.advantage.no_std_norm` counts only for estimators whose advantages are normalised over the batch.

    What happens: the switch is not read.

    Why: since 0.8.5 only gae, reinforce and reinforce_baseline are normalised over the batch; before, all but
    group_norm and dr_grpo (trainer/ray/ppo_actor.py@0.6.4, trainer/ppo_utils/experience_maker.py@0.7.1, @0.8.5,
    @0.11.2). group_norm divides by the deviation of its own group in any case; dr_grpo is that without the division.

    Example:
        --algo.advantage.no_std_norm --algo.advantage.estimator group_norm

    Use instead:
        --algo.advantage.estimator dr_grpo
    """
    if not launch.algo.advantage.no_std_norm:
        return
    estimator, session = launch.algo.advantage.estimator, launch.session
    without = ("group_norm", "dr_grpo", *(("rloo", "flash_reinforce") if session.since("0.8.5") else ()))
    if estimator in without:
        switch = session.spelling("algo.advantage.no_std_norm")
        yield launch.finding(
            "algo.advantage.no_std_norm",
            "algo.advantage.estimator",
            message=f"{switch} is not read with {estimator}: OpenRLHF {session.release} does not normalise its "
            "advantages over the batch",
            help=f"remove {switch}"
            + ("; dr_grpo is group_norm without the division by the deviation" if estimator == "group_norm" else ""),
            proposal=Proposal(f"Remove {switch}", SAFE, remove(launch, "algo.advantage.no_std_norm")),
        )


@rule(
    "OR234",
    "gamma-forced-to-one",
    severity=WARNING,
    stage=SILENT,
    programs=PPO,
    applies=">=0.6.3",
    fix="safe",
)
def gamma_forced_to_one(launch: TrainPPORay) -> Iterator[Draft]:
    """With an estimator that compares the samples of a prompt, `algo.advantage.gamma` is 1.

    What happens: another value is replaced by 1 when the first advantages are worked out, with a line in the log.

    Why: trainer/ppo_utils/experience_maker.py@0.6.3, @0.11.2. gae and reinforce take any value.

    Example:
        --algo.advantage.estimator rloo --algo.advantage.gamma 0.99

    Use instead:
        --algo.advantage.estimator rloo --algo.advantage.gamma 1.0
    """
    advantage = launch.algo.advantage
    if all_hold(lambda: advantage.gamma != 1, lambda: advantage.estimator in (*_GROUPS, "flash_reinforce")):
        gamma = launch.session.spelling("algo.advantage.gamma")
        yield launch.finding(
            "algo.advantage.gamma",
            "algo.advantage.estimator",
            message=f"{gamma} {advantage.gamma:g} is replaced by 1 with {advantage.estimator} at OpenRLHF "
            f"{launch.session.release}",
            help=f"write {gamma} 1.0, its default",
            proposal=Proposal(f"Write {gamma} 1.0", SAFE, put(launch, "algo.advantage.gamma", 1.0)),
        )
