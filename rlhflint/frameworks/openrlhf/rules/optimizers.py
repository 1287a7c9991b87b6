"""Schedulers and optimizers: what they are given that they cannot take."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rlhflint.frameworks.openrlhf import roles
from rlhflint.frameworks.openrlhf.programs import KD, KTO, PRM, TRAINING
from rlhflint.frameworks.openrlhf.proposals import put
from rlhflint.frameworks.openrlhf.training import is_ppo
from rlhflint.proposal import UNSAFE, Proposal
from rlhflint.rule import ERROR, SILENT, STARTUP, WARNING, Draft, rule

if TYPE_CHECKING:
    from rlhflint.frameworks.openrlhf.models.train_kd import TrainKD
    from rlhflint.frameworks.openrlhf.models.train_kto import TrainKTO
    from rlhflint.frameworks.openrlhf.models.train_prm import TrainPRM
    from rlhflint.frameworks.openrlhf.training import Living

_WITHOUT_FLOOR = ("linear", "cosine", "cosine_with_restarts", "polynomial", "warmup_stable_decay")
"""Schedulers of transformers that are handed the floor of the learning rate and have no parameter for it."""


@rule(
    "OR244",
    "scheduler-rejects-min-lr",
    severity=ERROR,
    stage=STARTUP,
    programs=(*TRAINING, KTO, PRM, KD),
    applies="<0.10.4",
    fix="unsafe",
)
def scheduler_rejects_min_lr(launch: Living | TrainKTO | TrainPRM | TrainKD) -> Iterator[Draft]:
    """Up to 0.10.3 the scheduler has to be one that takes a floor of the learning rate, as the default does.

    What happens: a TypeError about `min_lr` (from 0.10.2 on `min_lr_rate`) where the scheduler is made, after the
    model is loaded.

    Why: the floor is always handed over (cli/train_sft.py@0.4.0, utils/deepspeed/deepspeed.py@0.10.3; put right in
    0.10.4), and get_scheduler of transformers passes it on to linear, cosine, cosine_with_restarts, polynomial and
    warmup_stable_decay, which do not know it. The constant ones never see it.

    Example:
        --actor.lr_scheduler cosine

    Use instead:
        --actor.lr_scheduler cosine_with_min_lr
    """
    for name, value in _schedulers(launch):
        refused = (*_WITHOUT_FLOOR, *(("reduce_lr_on_plateau",) if launch.session.since("0.10.2") else ()))
        if value in refused:
            flag = launch.session.spelling(name)
            yield launch.finding(
                name,
                message=f"{flag} {value}: OpenRLHF {launch.session.release} hands every scheduler a floor of the "
                f"learning rate, which {value} does not take: a TypeError once the model is loaded",
                help=f"write {flag} cosine_with_min_lr, the default, or constant_with_warmup, or use OpenRLHF 0.10.4 "
                "or newer",
                proposal=Proposal(f"Write {flag} cosine_with_min_lr", UNSAFE, put(launch, name, "cosine_with_min_lr")),
            )


def _schedulers(launch: Living | TrainKTO | TrainPRM | TrainKD) -> Iterator[tuple[str, str]]:
    """The schedulers that will be made, by setting; one flag sets both of PPO before 0.10.2."""
    if not is_ppo(launch):
        yield "lr_scheduler", launch.lr_scheduler
        return
    yield "actor.lr_scheduler", launch.actor.lr_scheduler
    if launch.session.since("0.10.2") and roles.has_critic(launch):
        yield "critic.lr_scheduler", launch.critic.lr_scheduler


@rule(
    "OR245",
    "muon-with-clipping",
    severity=WARNING,
    stage=SILENT,
    programs=TRAINING,
    applies=">=0.10.2",
    fix="unsafe",
)
def muon_with_clipping(launch: Living) -> Iterator[Draft]:
    """The optimizer muon goes without clipping of gradients, and with no weight decay.

    What happens: training hardly moves. With clipping at 1.0, the default, updates of a model of 1.5 billion
    parameters come out about 700 times too small; a weight decay also shrinks norms and biases.

    Why: DeepSpeed clips what muon has made of the gradients already, whose norm is in the hundreds, and applies one
    weight decay to all parameters; OpenRLHF warns of both (utils/deepspeed/deepspeed.py@0.10.2, @0.11.2).

    Example:
        --actor.optim muon

    Use instead:
        --actor.optim muon --actor.max_norm 0
    """
    for prefix, optim, max_norm, decay in _optimizers(launch):
        if optim != "muon":
            continue
        spelt = launch.session.spelling
        if max_norm > 0:
            flag, missing = spelt(f"{prefix}max_norm"), launch.session.setting(f"{prefix}max_norm") is None
            yield launch.finding(
                f"{prefix}optim",
                f"{prefix}max_norm",
                message=f"muon with {flag} {max_norm:g}{', the default' if missing else ''}: DeepSpeed clips what muon "
                "has made of the gradients, which makes updates hundreds of times too small",
                help=f"write {flag} 0: muon bounds its updates itself",
                proposal=Proposal(f"Write {flag} 0", UNSAFE, put(launch, f"{prefix}max_norm", 0)),
            )
        if decay > 0:
            flag = spelt(f"{prefix}adam.weight_decay")
            yield launch.finding(
                f"{prefix}adam.weight_decay",
                f"{prefix}optim",
                message=f"muon with {flag} {decay:g}: the decay is applied to norms and biases as well",
                help=f"write {flag} 0",
            )


def _optimizers(launch: Living) -> Iterator[tuple[str, str, float, float]]:
    """Optimizer, clipping and weight decay of every model that is trained, with the prefix of their settings."""
    if not is_ppo(launch):
        if launch.optim == "muon":
            yield "", launch.optim, launch.max_norm, launch.adam.weight_decay
        return
    if launch.actor.optim == "muon":
        yield "actor.", launch.actor.optim, launch.actor.max_norm, launch.actor.adam.weight_decay
    if launch.critic.optim == "muon" and roles.has_critic(launch):
        yield "critic.", launch.critic.optim, launch.critic.max_norm, launch.critic.adam.weight_decay
