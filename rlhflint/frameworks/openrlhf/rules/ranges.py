"""Values that are accepted by the parser and refused later, when the trainer is built or makes its first step."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rlhflint.frameworks.openrlhf.programs import ENDED, PPO, TRAINING
from rlhflint.frameworks.openrlhf.proposals import put, remove
from rlhflint.proposal import SAFE, UNSAFE, Proposal
from rlhflint.rule import ADVICE, ERROR, FIRST_STEP, PARSE, SILENT, STARTUP, WARNING, Draft, rule

if TYPE_CHECKING:
    from rlhflint.frameworks.openrlhf.models.train_ppo_ray import TrainPPORay
    from rlhflint.frameworks.openrlhf.training import Ended, Living

_THRESHOLD = "algo.advantage.is_correction_threshold"


@rule(
    "OR119",
    "correction-threshold-count",
    severity=ERROR,
    stage=PARSE,
    programs=PPO,
    applies=">=0.11.2",
    fix="unsafe",
)
def correction_threshold_count(launch: TrainPPORay) -> Iterator[Draft]:
    """The threshold of the correction is one number, the upper bound, or two, the lower and the upper one.

    What happens: an assertion ends the launch while its arguments are checked. With one number the lower bound is 0
    without a word.

    Why: 0.11.2 takes one or two numbers (cli/train_ppo_ray.py@0.11.2); 0.9.1 to 0.11.1 took exactly two and 0.8.9 to
    0.9.0 exactly one, which their parsers check themselves (OR106).

    Example:
        --algo.advantage.is_correction_level token --algo.advantage.is_correction_threshold 0.5 2.0 5.0

    Use instead:
        --algo.advantage.is_correction_level token --algo.advantage.is_correction_threshold 0.5 5.0
    """
    if not launch.given(_THRESHOLD):
        return
    numbers = list(launch.algo.advantage.is_correction_threshold)
    name = launch.session.spelling(_THRESHOLD)
    if len(numbers) > 2:
        bounds = (str(min(numbers)), str(max(numbers)))
        yield launch.finding(
            _THRESHOLD,
            message=f"{name} takes an upper bound, or a lower and an upper one, not {len(numbers)} numbers: an "
            "assertion ends the launch",
            help=f"write {name} {' '.join(bounds)}",
            proposal=Proposal(f"Write {' '.join(bounds)}", UNSAFE, put(launch, _THRESHOLD, bounds)),
        )
    elif (
        len(numbers) == 1
        and launch.algo.advantage.is_correction_gating == "ratio"  # a divergence has an upper bound alone
        and launch.algo.advantage.is_correction_level != "off"
    ):
        yield launch.finding(
            _THRESHOLD,
            message=f"with one number {name} has a lower bound of 0: only too large ratios are corrected",
            help=f"write two numbers for both bounds, such as {name} 0.5 {numbers[0]:g}",
            severity=ADVICE,
            stage=SILENT,
        )


@rule("OR120", "async-queue-not-positive", severity=ERROR, stage=STARTUP, programs=PPO, applies=">=0.9.1")
def async_queue_not_positive(launch: TrainPPORay) -> Iterator[Draft]:
    """The queue between generation and training holds at least one batch.

    What happens: a ValueError when the trainer is built, after all models have been loaded.

    Why: trainer/ppo_trainer_async.py@0.9.1, @0.11.2 refuse a size of zero or less.

    Example:
        --train.async_enable --train.async_queue_size 0

    Use instead:
        --train.async_enable --train.async_queue_size 1
    """
    if launch.train.async_enable and launch.train.async_queue_size <= 0:
        name = launch.session.spelling("train.async_queue_size")
        yield launch.finding(
            "train.async_queue_size",
            message=f"{name} {launch.train.async_queue_size} is refused when the trainer is built, after the models "
            "have been loaded",
            help=f"write {name} 1, which is the default",
        )


@rule("OR121", "dual-clip-too-small", severity=ERROR, stage=STARTUP, programs=PPO, applies=">=0.8.6")
def dual_clip_too_small(launch: TrainPPORay) -> Iterator[Draft]:
    """The second clip of dual-clip PPO lies above 1.

    What happens: an assertion when the loss is built, after the model has been loaded.

    Why: models/loss.py@0.8.6, @0.11.2.

    Example:
        --actor.dual_clip 0.9

    Use instead:
        --actor.dual_clip 3.0
    """
    if launch.given("actor.dual_clip") and launch.actor.dual_clip is not None and launch.actor.dual_clip <= 1:
        name = launch.session.spelling("actor.dual_clip")
        yield launch.finding(
            "actor.dual_clip",
            message=f"{name} {launch.actor.dual_clip:g} is refused once the model is loaded: it has to be above 1",
            help=f"write a value such as {name} 3.0, or leave it out",
        )


@rule("OR123", "stop-penalty-out-of-range", severity=ERROR, stage=FIRST_STEP, programs=PPO, applies=">=0.9.2")
def stop_penalty_out_of_range(launch: TrainPPORay) -> Iterator[Draft]:
    """The penalty for answers that do not end properly is at most 1.

    What happens: an assertion in the first training step, after a whole rollout.

    Why: the coefficient scales rewards and has to lie in [0, 1] in 0.9.2 to 0.9.7 and below 1 from 0.9.8
    (trainer/ppo_utils/length_penalty.py@0.9.2, @0.9.8).

    Example:
        --reward.stop_properly_penalty_coef 1.5

    Use instead:
        --reward.stop_properly_penalty_coef 0.5
    """
    name = "reward.stop_properly_penalty_coef"
    if not launch.given(name):
        return
    value = launch.reward.stop_properly_penalty_coef
    negatives = launch.session.since("0.9.8")
    if value is not None and (value > 1 or (value < 0 and not negatives)):
        allowed = "at most 1" if negatives else "between 0 and 1"
        yield launch.finding(
            name,
            message=f"{launch.session.spelling(name)} {value:g} fails in the first training step of OpenRLHF "
            f"{launch.session.release}: it has to be {allowed}",
            help=f"write a value {allowed}",
        )


@rule(
    "OR128",
    "muon-placeholder",
    severity=WARNING,
    stage=SILENT,
    programs=TRAINING,
    applies=">=0.10.2",
    fix="safe",
)
def muon_placeholder(launch: Living) -> Iterator[Draft]:
    """Two options of the optimizer Muon are placeholders.

    What happens: a warning, and DeepSpeed's own values are used.

    Why: DeepSpeed's Muon makes 5 Newton-Schulz steps with Nesterov momentum, whatever is asked for
    (utils/deepspeed/deepspeed.py@0.10.2, @0.11.2).

    Example:
        # train_sft
        --optim muon --muon.ns_steps 10

    Use instead:
        # train_sft
        --optim muon
    """
    for group in ("actor.", "critic.") if launch.session.launch.program == PPO else ("",):
        steps, off = f"{group}muon.ns_steps", f"{group}muon.no_nesterov"
        for name, ignored in ((steps, launch.held(steps) != 5), (off, True)):
            if launch.session.setting(name) is not None and ignored:
                spelt = launch.session.spelling(name)
                yield launch.finding(
                    name,
                    message=f"DeepSpeed ignores {spelt}: Muon makes 5 steps with Nesterov momentum",
                    help=f"remove {spelt}",
                    proposal=Proposal(f"Remove {spelt}", SAFE, remove(launch, name)),
                )


@rule("OR132", "zero-stage-out-of-range", severity=ERROR, stage=STARTUP, programs=(*TRAINING, *ENDED))
def zero_stage_out_of_range(launch: Living | Ended) -> Iterator[Draft]:
    """ZeRO has the stages 0 to 3.

    What happens: the parser takes any whole number. DeepSpeed refuses it when the optimizer is built, after the model
    has been loaded: its configuration does not validate.

    Why: `--ds.zero_stage` has no choices, and the number goes into DeepSpeed's configuration as it is
    (utils/deepspeed/deepspeed.py@0.11.2), where a stage is one of four (ZeroStageEnum in runtime/zero/config.py
    @0.13.5, @0.19.8).

    Example:
        --ds.zero_stage 4

    Use instead:
        --ds.zero_stage 3
    """
    if not 0 <= launch.ds.zero_stage <= 3:
        name = launch.session.spelling("ds.zero_stage")
        yield launch.finding(
            "ds.zero_stage",
            message=f"{name} {launch.ds.zero_stage} is refused by DeepSpeed once the model is loaded: ZeRO has the "
            "stages 0 to 3",
            help=f"write {name} 2, which is the default, or {name} 3, which partitions the parameters as well",
        )
