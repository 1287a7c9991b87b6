"""Options of the critic where none is built."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rlhflint.frameworks.openrlhf import roles
from rlhflint.frameworks.openrlhf.programs import PPO
from rlhflint.frameworks.openrlhf.proposals import remove
from rlhflint.proposal import SAFE, UNSAFE, Proposal, Remove
from rlhflint.rule import ADVICE, SILENT, WARNING, Draft, rule
from rlhflint.value import all_hold

if TYPE_CHECKING:
    from rlhflint.frameworks.openrlhf.models.train_ppo_ray import TrainPPORay
    from rlhflint.launch import Setting

_SAVE = "critic.save_value_network"
_FREEZE = "critic.freezing_steps"


@rule(
    "OR231",
    "critic-options-unused",
    severity=ADVICE,
    stage=SILENT,
    programs=PPO,
    applies=">=0.5.1",
    fix="unsafe",
)
def critic_options_unused(launch: TrainPPORay) -> Iterator[Draft]:
    """Options of the critic count only with the estimator gae.

    What happens: nothing of them is used; in particular no value network is saved, which is a warning.

    Why: any other estimator sets the critic's path to None before anything is built (cli/train_ppo_ray.py@0.5.1,
    @0.11.2).

    Example:
        --algo.advantage.estimator reinforce_baseline --critic.save_value_network

    Use instead:
        --algo.advantage.estimator gae --critic.save_value_network
    """
    unused = [one for one in launch.session.launch.settings if _of_critic_alone(one)]
    if not unused or roles.has_critic(launch):
        return
    estimator = launch.algo.advantage.estimator
    saved = [one for one in unused if _SAVE in one.canonical]
    others = [one for one in unused if one not in saved]
    for settings, severity in ((saved, WARNING), (others, ADVICE)):
        if settings:
            names = ", ".join(dict.fromkeys(one.name for one in settings))
            yield launch.finding(
                *(one.canonical[0] for one in settings),
                "algo.advantage.estimator",
                message=f"{names}: not used, as {estimator} has no critic"
                + (", so that no value network is saved" if settings is saved else ""),
                help=f"remove {names}; gae is the estimator with a critic",
                severity=severity,
                proposal=Proposal(f"Remove {names}", UNSAFE, tuple(Remove(one) for one in settings)),
            )


def _of_critic_alone(setting: Setting) -> bool:
    """Whether a setting speaks of the critic only, freezing apart; flags of actor and critic together do not."""
    names = setting.canonical
    return bool(names) and all(name.startswith("critic.") for name in names) and _FREEZE not in names


@rule(
    "OR232",
    "freezing-without-critic",
    severity=WARNING,
    stage=SILENT,
    programs=PPO,
    applies=">=0.5.1",
    fix="safe",
)
def freezing_without_critic(launch: TrainPPORay) -> Iterator[Draft]:
    """`critic.freezing_steps` keeps the actor still while the critic learns; without a critic nothing learns.

    What happens: for that many steps rollouts are made and no model is trained.

    Why: the actor is trained only after that many steps, whether there is a critic or not
    (trainer/ray/ppo_actor.py@0.5.1, trainer/ppo_trainer.py@0.11.2).

    Example:
        --algo.advantage.estimator reinforce_baseline --critic.freezing_steps 20

    Use instead:
        --algo.advantage.estimator gae --critic.freezing_steps 20
    """
    if all_hold(lambda: launch.critic.freezing_steps > 0, lambda: not roles.has_critic(launch)):
        flag = launch.session.spelling(_FREEZE)
        yield launch.finding(
            _FREEZE,
            "algo.advantage.estimator",
            message=f"nothing is trained for the first {launch.critic.freezing_steps} steps: {flag} holds the actor "
            f"back, and {launch.algo.advantage.estimator} has no critic to train meanwhile",
            help=f"remove {flag}",
            proposal=Proposal(f"Remove {flag}", SAFE, remove(launch, _FREEZE)),
        )
