"""Advice on learning rates and gradient clipping, with the values of upstream's own scripts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, TypeAlias

from rlhflint.frameworks.openrlhf import roles
from rlhflint.frameworks.openrlhf.programs import DPO, KTO, PPO, RM, SFT, TRAINING
from rlhflint.frameworks.openrlhf.proposals import put
from rlhflint.frameworks.openrlhf.training import is_kto, is_ppo, is_sft
from rlhflint.proposal import UNSAFE, Proposal
from rlhflint.records import dataclass
from rlhflint.rule import ADVICE, SILENT, Draft, rule

if TYPE_CHECKING:
    from rlhflint.frameworks.openrlhf.models.train_kto import TrainKTO
    from rlhflint.frameworks.openrlhf.models.train_ppo_ray import TrainPPORay
    from rlhflint.frameworks.openrlhf.training import Living

    Rated: TypeAlias = Living | TrainKTO

_LEAST = 1e-8


@dataclass(frozen=True, slots=True)
class _Rate:
    """Learning rates of a program: from which on one is high, in full and with an adapter, and upstream's own."""

    high: float
    high_with_adapter: float
    usual: float


_RATES = {
    PPO: _Rate(1e-5, 1e-5, 5e-7),
    DPO: _Rate(1e-5, 5e-5, 5e-7),
    KTO: _Rate(1e-5, 5e-5, 5e-7),
    RM: _Rate(9e-5, 9e-5, 9e-6),
    SFT: _Rate(2e-4, 1e-3, 5e-6),
}


@rule(
    "OR701",
    "learning-rate-too-high",
    severity=ADVICE,
    stage=SILENT,
    programs=(*TRAINING, KTO),
    fix="unsafe",
)
def learning_rate_too_high(launch: Rated) -> Iterator[Draft]:
    """The learning rate should be of the order that the method takes.

    What happens: far too high, the model is destroyed within some steps: KL and loss run away, or answers become
    noise. Below 1e-8 nothing is learned.

    Why: upstream's scripts train actors with 5e-7, preferences with 5e-7, reward models with 9e-6 and SFT with 5e-6
    (examples/scripts@0.11.0); said is what is ten times that and more. The default of train_dpo, 1e-5, is among it.
    Adapters take more, and so does pre-training, of which nothing is said.

    Example:
        --actor.adam.lr 1e-4

    Use instead:
        --actor.adam.lr 1e-6
    """
    setting = "actor.adam.lr" if is_ppo(launch) else "adam.lr"
    rate = launch.actor.adam.lr if is_ppo(launch) else launch.adam.lr
    bounds = _RATES[launch.program]
    low = rate < _LEAST
    if not low and rate < min(bounds.high, bounds.high_with_adapter):
        return
    high = bounds.high_with_adapter if launch.ds.lora.rank > 0 else bounds.high
    if not low and rate < high:
        return
    if _optimizer(launch) != "adam" or (is_sft(launch) and launch.model.pretrain_mode_enable):
        return
    name = launch.session.spelling(setting)
    given = launch.session.setting(setting) is not None
    yield launch.finding(
        setting,
        message=(
            f"{name} {rate:g}{'' if given else ', the default,'} is {'next to nothing' if low else 'high'} for "
            f"{launch.program.partition(':')[2]}: upstream's scripts use {bounds.usual:g}"
        ),
        help=f"write {name} {bounds.usual:g}, or know why not",
        proposal=Proposal(f"Write {name} {bounds.usual:g}", UNSAFE, put(launch, setting, bounds.usual)),
    )


def _optimizer(launch: Rated) -> str:
    if is_ppo(launch):
        return launch.actor.optim
    return "adam" if is_kto(launch) else launch.optim


@rule("OR702", "critic-lr-not-above-actor", severity=ADVICE, stage=SILENT, programs=PPO, fix="unsafe")
def critic_lr_not_above_actor(launch: TrainPPORay) -> Iterator[Draft]:
    """The critic should learn faster than the actor.

    What happens: the value loss does not fall, and advantages are noise.

    Why: values have to follow the policy. Upstream trains the critic with 9e-6 and the actor with 5e-7
    (examples/scripts@0.11.0).

    Example:
        --algo.advantage.estimator gae --actor.adam.lr 1e-6 --critic.adam.lr 5e-7

    Use instead:
        --algo.advantage.estimator gae --actor.adam.lr 1e-6 --critic.adam.lr 9e-6
    """
    if not roles.has_critic(launch) or launch.critic.adam.lr > launch.actor.adam.lr:
        return
    spelt = launch.session.spelling
    name = spelt("critic.adam.lr")
    yield launch.finding(
        "critic.adam.lr",
        "actor.adam.lr",
        message=(
            f"{name} {launch.critic.adam.lr:g} is no more than {spelt('actor.adam.lr')} {launch.actor.adam.lr:g}: the "
            "critic does not keep up with the policy"
        ),
        help=f"upstream's scripts use 9e-06 for the critic, with {5e-7:g} for the actor",
        proposal=Proposal(f"Write {name} 9e-06", UNSAFE, put(launch, "critic.adam.lr", "9e-6"))
        if launch.actor.adam.lr < 9e-6
        else None,
    )


@rule("OR705", "gradient-clipping-off", severity=ADVICE, stage=SILENT, programs=TRAINING, fix="unsafe")
def gradient_clipping_off(launch: Living) -> Iterator[Draft]:
    """Gradients should be clipped to a norm of about 1.

    What happens: one bad batch can throw the model off.

    Why: the default is 1.0 in every release (cli/train_ppo_ray.py@0.11.2); 0 and less switches clipping off. With the
    optimizer muon clipping is wrong, and nothing is said.

    Example:
        --actor.max_norm 0

    Use instead:
        --actor.max_norm 1.0
    """
    for setting, norm, optimizer in _norms(launch):
        if norm > 10 or norm <= 0:
            if optimizer != "adam":
                continue
            name = launch.session.spelling(setting)
            yield launch.finding(
                setting,
                message=f"{name} {norm:g} {'switches gradient clipping off' if norm <= 0 else 'hardly clips'}",
                help="the default is 1.0",
                proposal=Proposal(f"Write {name} 1.0", UNSAFE, put(launch, setting, "1.0")),
            )


def _norms(launch: Living) -> Iterator[tuple[str, float, str]]:
    """The settings that clip gradients, with their values and the optimizer behind them."""
    if not is_ppo(launch):
        yield "max_norm", launch.max_norm, launch.optim
        return
    yield "actor.max_norm", launch.actor.max_norm, launch.actor.optim
    if launch.session.since("0.10.2") and roles.has_critic(launch):
        yield "critic.max_norm", launch.critic.max_norm, launch.critic.optim
