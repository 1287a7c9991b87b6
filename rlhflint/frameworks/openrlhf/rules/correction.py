"""The correction for probabilities of the rollout that differ from the trainer's."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rlhflint.frameworks.openrlhf.programs import PPO
from rlhflint.frameworks.openrlhf.proposals import put
from rlhflint.frameworks.openrlhf.training import correction_setting, corrects_rollouts, written
from rlhflint.proposal import UNSAFE, Proposal
from rlhflint.rule import ERROR, SILENT, STARTUP, WARNING, Draft, rule
from rlhflint.value import all_hold, any_holds, if_known

if TYPE_CHECKING:
    from rlhflint.frameworks.openrlhf.models.train_ppo_ray import TrainPPORay
    from rlhflint.launch import Setting

_LEVEL, _MODE, _GATING, _THRESHOLD, _SWITCH = (
    f"algo.advantage.is_correction_{name}" for name in ("level", "mode", "gating", "threshold", "enable")
)
_DELTA = 0.1
"""Upper bound of a divergence that a fix proposes where none is given."""


@rule(
    "OR236",
    "correction-with-gspo",
    severity=WARNING,
    stage=SILENT,
    programs=PPO,
    applies=">=0.9.1",
)
def correction_with_gspo(launch: TrainPPORay) -> Iterator[Draft]:
    """With the policy loss gspo the correction for rollout probabilities has no thresholds.

    What happens: the ratio of the loss is taken against the rollout's probabilities instead of the trainer's old ones;
    type, mode, gating and threshold are not used.

    Why: weights and masks are applied in the branch of the loss ppo alone (models/loss.py@0.9.1, @0.11.2). Up to
    0.9.0 they count for both.

    Example:
        --algo.advantage.is_correction_level token --actor.policy_loss_type gspo

    Use instead:
        --algo.advantage.is_correction_level token --actor.policy_loss_type ppo
    """
    if all_hold(lambda: launch.actor.policy_loss_type == "gspo", lambda: corrects_rollouts(launch)):
        spelt = launch.session.spelling
        name, _ = correction_setting(launch)
        yield launch.finding(
            name,
            "actor.policy_loss_type",
            message=f"{spelt(name)} with {spelt('actor.policy_loss_type')} gspo only takes the ratio against the "
            f"rollout's probabilities at OpenRLHF {launch.session.release}: nothing is weighed or masked, and the "
            "threshold is not used",
            help=f"leave {spelt(name)} out, or use {spelt('actor.policy_loss_type')} ppo",
        )


@rule(
    "OR237",
    "correction-clip-combination",
    severity=ERROR,
    stage=STARTUP,
    programs=PPO,
    applies=">=0.11.2",
    fix="unsafe",
)
def correction_clip_combination(launch: TrainPPORay) -> Iterator[Draft]:
    """`is_correction_mode clip` goes with level token and gating ratio only.

    What happens: a ValueError where the actor's trainer is built, after all models are loaded. A gating other than
    ratio counts even while the level is off.

    Why: only the ratio of a token is a weight that can be clamped; a mean over a sequence or a divergence decides
    about keeping and dropping (models/loss.py@0.11.2).

    Example:
        --algo.advantage.is_correction_level seq --algo.advantage.is_correction_mode clip

    Use instead:
        --algo.advantage.is_correction_level token --algo.advantage.is_correction_mode clip
    """
    advantage = launch.algo.advantage
    if advantage.is_correction_mode == "clip" and any_holds(
        lambda: advantage.is_correction_level == "seq", lambda: advantage.is_correction_gating != "ratio"
    ):
        whole = if_known(lambda: advantage.is_correction_level == "seq")
        spelt = launch.session.spelling
        other = _LEVEL if whole else _GATING
        value = "seq" if whole else advantage.is_correction_gating
        yield launch.finding(
            _MODE,
            other,
            message=f"{spelt(_MODE)} clip with {spelt(other)} {value} is a ValueError at OpenRLHF "
            f"{launch.session.release}, once the models are loaded",
            help=f"write {spelt(_MODE)} mask, or clip with level token and gating ratio",
            proposal=Proposal(f"Write {spelt(_MODE)} mask", UNSAFE, put(launch, _MODE, "mask")),
        )


@rule(
    "OR238",
    "correction-divergence-bound",
    severity=ERROR,
    stage=STARTUP,
    programs=PPO,
    applies=">=0.11.2",
    fix="unsafe",
)
def correction_divergence_bound(launch: TrainPPORay) -> Iterator[Draft]:
    """Gating by binary_kl or tv takes one threshold, the upper bound.

    What happens: a ValueError where the actor's trainer is built, after all models are loaded. The default threshold,
    0.5 5.0, has a lower bound and so brings it about.

    Why: a divergence is bounded from above only; a lower bound above 0 would drop what agrees best
    (models/loss.py@0.11.2).

    Example:
        --algo.advantage.is_correction_level seq --algo.advantage.is_correction_gating binary_kl

    Use instead:
        --algo.advantage.is_correction_level seq --algo.advantage.is_correction_gating binary_kl
        --algo.advantage.is_correction_threshold 0.1
    """
    advantage = launch.algo.advantage
    if not all_hold(
        lambda: advantage.is_correction_gating != "ratio",
        lambda: corrects_rollouts(launch),
        lambda: len(advantage.is_correction_threshold) == 2 and advantage.is_correction_threshold[0] > 0,
    ):
        return
    gating, bounds = advantage.is_correction_gating, advantage.is_correction_threshold
    spelt, threshold = launch.session.spelling, launch.session.spelling(_THRESHOLD)
    given = launch.session.setting(_THRESHOLD) is not None
    upper = f"{bounds[1] if given else _DELTA:g}"
    yield launch.finding(
        _THRESHOLD,
        _GATING,
        message=f"{spelt(_GATING)} {gating} takes an upper bound only, and {threshold} has the lower bound "
        f"{bounds[0]:g}{'' if given else ' by default'}: a ValueError at OpenRLHF {launch.session.release}, once the "
        "models are loaded",
        help=f"give one number, such as {threshold} {upper}",
        proposal=Proposal(f"Write {threshold} {upper}", UNSAFE, put(launch, _THRESHOLD, upper)),
    )


@rule(
    "OR239",
    "correction-options-while-off",
    severity=WARNING,
    stage=SILENT,
    programs=PPO,
    applies=">=0.8.9",
    fix="unsafe",
)
def correction_options_while_off(launch: TrainPPORay) -> Iterator[Draft]:
    """Options of the correction for rollout probabilities count only where the correction is on.

    What happens: type, mode, gating and threshold are not used, and nothing is corrected.

    Why: a switch of its own turns the correction on up to 0.11.1, since 0.11.2 a level other than off, which is the
    default (trainer/ray/ppo_actor.py@0.8.9, models/loss.py@0.11.2).

    Example:
        --algo.advantage.is_correction_threshold 0.5 2.0

    Use instead:
        --algo.advantage.is_correction_level token --algo.advantage.is_correction_threshold 0.5 2.0
    """
    given = [one for one in launch.session.launch.settings if _refines(one)]
    if not given or corrects_rollouts(launch):
        return
    names = ", ".join(dict.fromkeys(one.name for one in given))
    on = written(launch, correction_setting(launch))
    yield launch.finding(
        *(one.canonical[0] for one in given),
        correction_setting(launch)[0],
        message=f"{names}: not used, as the correction for rollout probabilities is off at OpenRLHF "
        f"{launch.session.release} without {on}",
        help=f"add {on}, or remove {names}",
        proposal=Proposal(f"Add {on}", UNSAFE, put(launch, *correction_setting(launch)))
        if if_known(lambda: launch.algo.advantage.is_correction_gating) == "ratio"  # another one wants more (OR238)
        else None,
    )


def _refines(setting: Setting) -> bool:
    """Whether a setting is one of the correction, but not the one that turns it on."""
    names = setting.canonical
    return any(name.startswith("algo.advantage.is_correction_") for name in names) and not {_SWITCH, _LEVEL} & {*names}
