"""Where rewards come from: a model, a server or function, or an agent; one of them, and one only."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rlhflint.finding import Stage
from rlhflint.frameworks.openrlhf import roles
from rlhflint.frameworks.openrlhf.filled import filled
from rlhflint.frameworks.openrlhf.programs import PPO
from rlhflint.frameworks.openrlhf.proposals import remove
from rlhflint.proposal import UNSAFE, Proposal
from rlhflint.rule import ERROR, FIRST_STEP, PARSE, SILENT, STARTUP, WARNING, Draft, rule
from rlhflint.value import all_hold, any_holds
from rlhflint.wording import listed

if TYPE_CHECKING:
    from rlhflint.frameworks.openrlhf.models.train_ppo_ray import TrainPPORay


@rule("OR201", "reward-source-missing", severity=ERROR, stage=PARSE, programs=PPO)
def reward_source_missing(launch: TrainPPORay) -> Iterator[Draft]:
    """PPO needs a source of rewards: a reward model, a remote one or a function, or an agent.

    What happens: with estimator gae and no path for the critic the launch ends with an AttributeError while its
    arguments are checked. Otherwise it fails later: up to 0.9.0 where the reward model is built, from 0.9.1 on when
    the first rewards are wanted, after GPUs were taken for a reward group that holds no model.

    Why: without a path the critic starts from the reward model's, whose absence nothing tests; the reward group is
    made wherever there is no remote reward (cli/train_ppo_ray.py@0.5.1, @0.9.1, @0.11.2).

    Example:
        # train_ppo_ray, without reward.remote_url
        --algo.advantage.estimator reinforce_baseline

    Use instead:
        --algo.advantage.estimator reinforce_baseline --reward.remote_url http://localhost:5000/get_reward
    """
    if any_holds(lambda: filled(launch, "reward.model_name_or_path"), lambda: roles.has_remote_reward(launch)):
        return
    launch.session.as_upstream("reward.model_name_or_path")
    spelt, since = launch.session.spelling, launch.session.since
    sources = ["reward.model_name_or_path", "reward.remote_url"] + ["train.agent_func_path"] * since("0.8.0")
    stage, then = _without_source(launch)
    yield launch.finding(
        *sources,
        message=f"nothing gives rewards: {listed(map(spelt, sources), 'and')} are missing, and {then}",
        help=f"give {' or '.join(map(spelt, sources))}",
        stage=stage,
    )


def _without_source(launch: TrainPPORay) -> tuple[Stage, str]:
    """When a launch without rewards fails, and with what."""
    since = launch.session.since
    critic = "critic.model_name_or_path"
    if roles.has_critic(launch) and not filled(launch, critic) and launch.critic.model_name_or_path is None:
        return PARSE, "the launch ends with an AttributeError where the critic's path is taken from the reward model's"
    if not since("0.7.1"):
        return STARTUP, "the launch ends with an AttributeError before the reward model is built"
    if not since("0.9.1"):
        return STARTUP, "the reward model cannot be built without a name"
    return FIRST_STEP, (
        f"the reward group of {roles.role(launch, 'reward').gpus} GPUs holds no model: the first rewards fail"
    )


@rule(
    "OR230",
    "agent-overrides-reward",
    severity=WARNING,
    stage=SILENT,
    programs=PPO,
    applies=">=0.8.0",
    fix="unsafe",
)
def agent_overrides_reward(launch: TrainPPORay) -> Iterator[Draft]:
    """With an agent, the rewards are the agent's; another source of rewards is not used.

    What happens: the run goes on without the reward model or remote reward that is given.

    Why: `train.agent_func_path` sets `reward.remote_url` to "agent" before anything else is looked at
    (cli/train_ppo_ray.py@0.8.0, @0.11.2), so that no reward model is built.

    Example:
        --train.agent_func_path agents/search.py --reward.remote_url http://localhost:5000/get_reward

    Use instead:
        # train_ppo_ray, without reward.remote_url
        --train.agent_func_path agents/search.py
    """
    if not filled(launch, "train.agent_func_path"):
        return
    given = [name for name in ("reward.remote_url", "reward.model_name_or_path") if filled(launch, name)]
    if given:
        spelt = launch.session.spelling
        names = " and ".join(map(spelt, given))
        yield launch.finding(
            *given,
            "train.agent_func_path",
            message=f"{names} {'are' if len(given) > 1 else 'is'} not used: with {spelt('train.agent_func_path')} "
            "the agent gives the rewards",
            help=f"remove {names}; an agent that needs a reward model has to call it itself",
            proposal=Proposal(f"Remove {names}", UNSAFE, remove(launch, *given)),
        )


@rule(
    "OR252",
    "several-reward-models",
    severity=ERROR,
    stage=STARTUP,
    programs=PPO,
    applies=">=0.6.3",
)
def several_reward_models(launch: TrainPPORay) -> Iterator[Draft]:
    """`reward.model_name_or_path` names one model.

    What happens: up to 0.7.0.post1 an assertion ends the launch; from 0.7.1 on the whole list is taken as the name of
    one model, which cannot be loaded. Either way the GPUs of some groups are taken by then.

    Why: several reward models, separated by commas, are supported up to 0.6.2 only (cli/train_ppo_ray.py@0.6.3,
    @0.7.1).

    Example:
        # train_ppo_ray, without reward.remote_url
        --reward.model_name_or_path models/helpful,models/harmless

    Use instead:
        # train_ppo_ray, without reward.remote_url
        --reward.model_name_or_path models/helpful
    """
    if all_hold(lambda: "," in (launch.reward.model_name_or_path or ""), lambda: not roles.has_remote_reward(launch)):
        session, models = launch.session, launch.reward.model_name_or_path or ""
        then = "takes it as the name of one model" if session.since("0.7.1") else "refuses it with an assertion"
        yield launch.finding(
            "reward.model_name_or_path",
            message=f"{session.spelling('reward.model_name_or_path')} lists {models.count(',') + 1} models; "
            f"OpenRLHF {session.release} {then}",
            help="give one model, or serve several behind one remote reward or reward function",
        )


@rule(
    "OR257",
    "reward-model-shadowed",
    severity=WARNING,
    stage=SILENT,
    programs=PPO,
    applies=">=0.4.0",
    fix="unsafe",
)
def reward_model_shadowed(launch: TrainPPORay) -> Iterator[Draft]:
    """A remote reward takes the place of the reward model.

    What happens: the model is never loaded, neither for rewards nor as the start of the critic.

    Why: with `reward.remote_url` no reward group is made, and a critic without a path of its own starts from the
    actor's (cli/train_ppo_ray.py@0.4.1, @0.11.2).

    Example:
        --reward.remote_url http://localhost:5000/get_reward --reward.model_name_or_path models/reward

    Use instead:
        --reward.remote_url http://localhost:5000/get_reward
    """
    if all_hold(
        lambda: filled(launch, "reward.remote_url"),
        lambda: filled(launch, "reward.model_name_or_path"),
        lambda: not filled(launch, "train.agent_func_path"),
    ):
        spelt = launch.session.spelling
        model, remote = spelt("reward.model_name_or_path"), spelt("reward.remote_url")
        yield launch.finding(
            "reward.model_name_or_path",
            "reward.remote_url",
            message=f"{model} is never loaded: {remote} gives the rewards",
            help=f"remove one of them; to start a critic from it, write {spelt('critic.model_name_or_path')}",
            proposal=Proposal(f"Remove {model}", UNSAFE, remove(launch, "reward.model_name_or_path")),
        )
