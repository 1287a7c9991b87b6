"""Advice on the updates of the policy: KL, clipping, passes over a rollout, how losses and critics begin."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rlhflint.frameworks.openrlhf import roles
from rlhflint.frameworks.openrlhf.filled import filled
from rlhflint.frameworks.openrlhf.programs import PPO
from rlhflint.frameworks.openrlhf.proposals import put
from rlhflint.proposal import UNSAFE, Proposal
from rlhflint.rule import ADVICE, SILENT, Draft, rule

if TYPE_CHECKING:
    from rlhflint.frameworks.openrlhf.models.train_ppo_ray import TrainPPORay


@rule("OR703", "kl-coefficient-high", severity=ADVICE, stage=SILENT, programs=PPO, fix="unsafe")
def kl_coefficient_high(launch: TrainPPORay) -> Iterator[Draft]:
    """`algo.kl.init_coef` should leave the reward a say.

    What happens: the policy stays where the reference is, and the reward hardly moves.

    Why: the default is 0.01, upstream's scripts use 1e-5 to 1e-2 (examples/scripts@0.11.0). 0 does without a reference
    model since 0.6.0.

    Example:
        --algo.kl.init_coef 0.5

    Use instead:
        --algo.kl.init_coef 0.01
    """
    coefficient = launch.algo.kl.init_coef
    if coefficient <= 0.1:
        return
    name = launch.session.spelling("algo.kl.init_coef")
    yield launch.finding(
        "algo.kl.init_coef",
        message=f"{name} {coefficient:g} is {coefficient / 0.01:.0f} times the default: the reward will hardly move",
        help=f"write {name} 0.01" + (", or 0 for no reference model" if launch.session.since("0.6.0") else ""),
        proposal=Proposal(f"Write {name} 0.01", UNSAFE, put(launch, "algo.kl.init_coef", "0.01")),
    )


@rule("OR704", "clip-range-unusual", severity=ADVICE, stage=SILENT, programs=PPO, fix="unsafe")
def clip_range_unusual(launch: TrainPPORay) -> Iterator[Draft]:
    """Policy ratios should be clipped to about 0.2 from 1.

    What happens: much tighter, most samples are clipped and little is learned; much wider, updates are unstable. With
    the lower bound above the upper one, good answers are held back more than bad ones.

    Why: the default is 0.2; clipping higher, as in DAPO, raises the second of the two numbers of
    `actor.eps_clip_low_high`, and upstream's script has 0.2 0.27 (examples/scripts@0.11.0). Losses over whole
    sequences (gspo) take other ranges, and nothing is said of them.

    Example:
        --actor.eps_clip_low_high 0.3 0.2

    Use instead:
        --actor.eps_clip_low_high 0.2 0.3
    """
    pair = launch.actor.eps_clip_low_high
    setting = "actor.eps_clip" if pair is None else "actor.eps_clip_low_high"
    bounds = [launch.actor.eps_clip] if pair is None else pair
    turned = len(bounds) == 2 and bounds[0] > bounds[1]
    odd = [bound for bound in bounds if not 0.1 <= bound <= 0.4]
    if not (turned or odd) or launch.actor.policy_loss_type != "ppo":
        return
    name = launch.session.spelling(setting)
    said = " ".join(f"{bound:g}" for bound in bounds)
    value: object = "0.2"
    if len(bounds) == 2:
        value = [f"{bounds[1]:g}", f"{bounds[0]:g}"] if turned and not odd else ["0.2", "0.27"]
    told = " ".join(value) if isinstance(value, list) else str(value)
    yield launch.finding(
        setting,
        message=f"{name} {said}: "
        + (
            "the lower bound is the larger one, which is clip-higher turned round"
            if turned
            else "ratios are clipped much " + ("tighter" if odd[0] < 0.1 else "wider") + " than 0.2, the default"
        ),
        help=f"write {name} {told}",
        proposal=Proposal(f"Write {name} {told}", UNSAFE, put(launch, setting, value)),
    )


@rule("OR709", "many-passes-per-rollout", severity=ADVICE, stage=SILENT, programs=PPO, fix="unsafe")
def many_passes_per_rollout(launch: TrainPPORay) -> Iterator[Draft]:
    """A rollout should be trained on once or twice.

    What happens: with each pass the policy moves further from the one that made the samples: more ratios are clipped,
    and rewards are learned by heart.

    Why: `train.max_epochs` is the number of passes over each rollout in PPO, not over the data, which is
    `train.num_episodes` (trainer/ray/ppo_actor.py@0.11.2).

    Example:
        --train.max_epochs 4

    Use instead:
        --train.num_episodes 4
    """
    passes = launch.train.max_epochs
    if passes <= 2:
        return
    spelt = launch.session.spelling
    name = spelt("train.max_epochs")
    yield launch.finding(
        "train.max_epochs",
        message=f"{name} {passes} trains on each rollout {passes} times",
        help=f"write {name} 1; {spelt('train.num_episodes')} is the number of passes over the prompts",
        proposal=Proposal(f"Write {name} 1", UNSAFE, put(launch, "train.max_epochs", 1)),
    )


@rule(
    "OR712",
    "per-sample-loss",
    severity=ADVICE,
    stage=SILENT,
    programs=PPO,
    applies=">=0.8.8",
    on=False,
)
def per_sample_loss(launch: TrainPPORay) -> Iterator[Draft]:
    """A loss averaged by sample weighs the tokens of long answers less.

    What happens: long bad answers are held back less than short ones, and answers grow.

    Why: the mean over all tokens is the default; `actor.loss_agg_mode seq-mean-token-mean` and the policy loss gspo
    average within each sample first (models/loss.py@0.11.2).

    Example:
        --actor.policy_loss_type gspo

    Use instead:
        --actor.policy_loss_type ppo
    """
    gspo = launch.actor.policy_loss_type == "gspo"
    if not gspo and launch.actor.loss_agg_mode != "seq-mean-token-mean":
        return
    setting = "actor.policy_loss_type" if gspo else "actor.loss_agg_mode"
    name = launch.session.spelling(setting)
    value = launch.actor.policy_loss_type if gspo else launch.actor.loss_agg_mode
    yield launch.finding(
        setting,
        message=f"with {name} {value} the tokens of long answers weigh less",
        help="the mean over all tokens is the default",
    )


@rule(
    "OR714",
    "critic-from-actor",
    severity=ADVICE,
    stage=SILENT,
    programs=PPO,
    applies=">=0.4.0",
    on=False,
)
def critic_from_actor(launch: TrainPPORay) -> Iterator[Draft]:
    """A critic without a model of its own starts from the actor where rewards come from elsewhere.

    What happens: the value model begins with a fresh head, and advantages are noise until it has learned.

    Why: without `critic.model_name_or_path` the reward model is taken, and with a remote reward the actor's
    (cli/train_ppo_ray.py@0.4.0.post2, @0.11.2); upstream's scripts with remote rewards do so.

    Example:
        --algo.advantage.estimator gae

    Use instead:
        --algo.advantage.estimator gae --critic.model_name_or_path models/rm
    """
    if (
        filled(launch, "critic.model_name_or_path")
        or not roles.has_critic(launch)
        or not filled(launch, "reward.remote_url")
    ):
        return
    name = launch.session.spelling("critic.model_name_or_path")
    yield launch.finding(
        "algo.advantage.estimator",
        "critic.model_name_or_path",
        "reward.remote_url",
        message="the critic starts from the actor's model, with a fresh value head",
        help=f"name a reward model in {name} if there is one",
    )
