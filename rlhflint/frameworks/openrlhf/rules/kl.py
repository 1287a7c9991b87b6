"""The distance to the reference model: as a loss or in the reward, how it is estimated, how it is weighed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rlhflint.frameworks.openrlhf import roles
from rlhflint.frameworks.openrlhf.programs import PPO
from rlhflint.frameworks.openrlhf.proposals import put, remove
from rlhflint.proposal import UNSAFE, Proposal
from rlhflint.rule import ADVICE, SILENT, WARNING, Draft, rule
from rlhflint.value import all_hold, if_known

if TYPE_CHECKING:
    from rlhflint.frameworks.openrlhf.models.train_ppo_ray import TrainPPORay

_FOR_LOSS = ("k2", "k3")


@rule(
    "OR227",
    "kl-loss-without-kl",
    severity=WARNING,
    stage=SILENT,
    programs=PPO,
    applies=">=0.6.0",
    fix="unsafe",
)
def kl_loss_without_kl(launch: TrainPPORay) -> Iterator[Draft]:
    """`algo.kl.use_loss` needs a coefficient above 0.

    What happens: the run goes on without any term of KL.

    Why: with `algo.kl.init_coef` 0 no reference model is built, and the distance to it is taken as 0
    (cli/train_ppo_ray.py@0.6.0, trainer/ray/ppo_actor.py@0.11.2).

    Example:
        --algo.kl.use_loss --algo.kl.estimator k2 --algo.kl.init_coef 0

    Use instead:
        --algo.kl.use_loss --algo.kl.estimator k2 --algo.kl.init_coef 1e-3
    """
    if all_hold(lambda: launch.algo.kl.use_loss, lambda: not roles.has_reference(launch)):
        spelt = launch.session.spelling
        use = spelt("algo.kl.use_loss")
        yield launch.finding(
            "algo.kl.use_loss",
            "algo.kl.init_coef",
            message=f"{use} has no effect with {spelt('algo.kl.init_coef')} {launch.algo.kl.init_coef:g}: there is no "
            "reference model, and the term is 0",
            help=f"remove {use}, or give a coefficient such as 1e-3",
            proposal=_without_loss(launch),
        )


def _without_loss(launch: TrainPPORay) -> Proposal:
    """The switch taken out, and with it an estimator that is meant for a loss."""
    spelt = launch.session.spelling
    names = ["algo.kl.use_loss"]
    if launch.session.setting("algo.kl.estimator") is not None and if_known(lambda: launch.algo.kl.estimator) != "k1":
        names.append("algo.kl.estimator")
    return Proposal(f"Remove {' and '.join(map(spelt, names))}", UNSAFE, remove(launch, *names))


@rule(
    "OR228",
    "kl-estimator-mismatch",
    severity=ADVICE,
    stage=SILENT,
    programs=PPO,
    applies=">=0.6.0.post1",
    fix="unsafe",
)
def kl_estimator_mismatch(launch: TrainPPORay) -> Iterator[Draft]:
    """KL as a loss is estimated by k2 or k3, KL in the reward by k1.

    What happens: upstream prints a recommendation and goes on.

    Why: the gradient of k1 is 0 on average when it is a loss, and k2 and k3 are no unbiased estimates of the reward's
    term (cli/train_ppo_ray.py@0.6.0.post1, @0.11.2). With `algo.kl.unbiased_gradient`, since 0.11.1, the estimator
    of the loss does not matter for the gradient.

    Example:
        --algo.kl.use_loss --algo.kl.estimator k1

    Use instead:
        --algo.kl.use_loss --algo.kl.estimator k2
    """
    if not all_hold(
        lambda: launch.algo.kl.use_loss != (launch.algo.kl.estimator in _FOR_LOSS),
        lambda: not launch.algo.kl.unbiased_gradient,
    ):
        return
    estimator, as_loss = launch.algo.kl.estimator, launch.algo.kl.use_loss
    spelt = launch.session.spelling
    flag, better = spelt("algo.kl.estimator"), "k2" if as_loss else "k1"
    use = spelt("algo.kl.use_loss")
    yield launch.finding(
        "algo.kl.estimator",
        "algo.kl.use_loss",
        message=f"{flag} {estimator} {'with' if as_loss else 'without'} {use}: upstream recommends "
        f"{'k2 or k3 for KL as a loss' if as_loss else 'k1 for KL in the reward'}",
        help=f"write {flag} {better}" + ("" if as_loss else f", or add {use}"),
        proposal=Proposal(f"Write {flag} {better}", UNSAFE, put(launch, "algo.kl.estimator", better)),
    )


@rule("OR229", "adaptive-kl", severity=WARNING, stage=SILENT, programs=PPO, fix="unsafe")
def adaptive_kl(launch: TrainPPORay) -> Iterator[Draft]:
    """The coefficient of KL should stay as it is set: `algo.kl.target` makes it move.

    What happens: the coefficient is changed after every step to bring the measured KL to the target.

    Why: giving a target is what selects the adaptive controller; there is no other switch. Upstream has marked it as
    incompatible with its trainer since 0.9.1 (trainer/ppo_trainer.py@0.9.1, @0.11.2).

    Example:
        --algo.kl.target 0.1

    Use instead:
        --algo.kl.init_coef 0.02
    """
    if launch.algo.kl.target is None:
        return
    session, target = launch.session, launch.session.spelling("algo.kl.target")
    since = "at this release" if session.since("0.9.1") else "from 0.9.1 on"
    yield launch.finding(
        "algo.kl.target",
        message=f"{target} selects the adaptive controller of the KL coefficient, which upstream marks as incompatible "
        f"with its trainer {since}",
        help=f"remove {target} and set {session.spelling('algo.kl.init_coef')} alone; raise it if KL grows too fast",
        proposal=Proposal(f"Remove {target}", UNSAFE, remove(launch, "algo.kl.target")),
    )
