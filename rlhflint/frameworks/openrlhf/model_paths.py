"""The models of a launch: which setting names each, and what is known of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from rlhflint.catalog.model_facts import ModelFacts, model_facts
from rlhflint.frameworks.openrlhf import roles
from rlhflint.frameworks.openrlhf.filled import filled
from rlhflint.frameworks.openrlhf.training import is_ppo
from rlhflint.records import dataclass
from rlhflint.value import Undetermined

if TYPE_CHECKING:
    from rlhflint.frameworks.openrlhf.models.train_ppo_ray import TrainPPORay
    from rlhflint.frameworks.openrlhf.training import Living


@dataclass(frozen=True, slots=True)
class NamedModel:
    """A model that a launch loads: its role (empty where there is one only), the setting that names it, its name."""

    role: str
    setting: str
    name: str


def trained(launch: Living) -> NamedModel:
    """The model that is trained, whose tokenizer renders the prompts. Raises `Undetermined` where none is named."""
    if is_ppo(launch):
        return _named("actor", "actor.model_name_or_path", launch.actor.model_name_or_path)
    return _named("", "model.model_name_or_path", launch.model.model_name_or_path)


def model_of(launch: TrainPPORay, role: str) -> NamedModel:
    """The model of a role of PPO.

    The reference is the actor's. A critic without a name of its own is made from the reward model, with a remote
    reward from the actor's (cli/train_ppo_ray.py@0.4.0.post2, @0.11.2).
    """
    if role == "reward":
        return _named(role, "reward.model_name_or_path", launch.reward.model_name_or_path)
    if role == "critic":
        if filled(launch, "critic.model_name_or_path"):
            return _named(role, "critic.model_name_or_path", launch.critic.model_name_or_path)
        return model_of(launch, "actor" if roles.has_remote_reward(launch) else "reward")
    return _named(role, "actor.model_name_or_path", launch.actor.model_name_or_path)


def all_models(launch: Living) -> Iterator[NamedModel]:
    """The models of a launch, one by one, the reference left out, which is the actor's.

    One that is not known is passed over; `Undetermined` is raised for the first such at the end.
    """
    asked: list[Callable[[], NamedModel | None]] = [lambda: trained(launch)]
    if is_ppo(launch):
        ppo = launch
        asked.append(lambda: model_of(ppo, "critic") if roles.has_critic(ppo) else None)
        asked.append(lambda: model_of(ppo, "reward") if roles.reward_groups(ppo) else None)
    missing: Undetermined | None = None
    for ask in asked:
        try:
            model = ask()
        except Undetermined as undetermined:
            missing = missing or undetermined
            continue
        if model is not None:
            yield model
    if missing is not None:
        raise missing


def facts(launch: Living, model: NamedModel, *, certain: bool = True) -> ModelFacts:
    """What is known of a model; with `certain` only what is known of this very one, not of one with a like name.

    Raises `Undetermined` where nothing is.
    """
    found = model_facts(model.name, launch.session.file)
    if found is None or (certain and not found.certain):
        raise Undetermined(model.setting, f"nothing is known for certain of the model {model.name!r}")
    return found


def _named(role: str, setting: str, name: str | None) -> NamedModel:
    if not name:
        raise Undetermined(setting, "no model is named")
    return NamedModel(role, setting, name)
