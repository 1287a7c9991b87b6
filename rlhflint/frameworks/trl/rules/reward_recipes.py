"""What keeps rewards meaningful: KL terms, temperatures, centred rewards."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rlhflint.frameworks.trl.programs import GRPO, ONLINE_DPO, PPO, REWARD, RLOO
from rlhflint.frameworks.trl.proposals import put
from rlhflint.rule import ADVICE, SILENT, WARNING, Draft, rule
from rlhflint.value import Known

if TYPE_CHECKING:
    from rlhflint.frameworks.trl.models.grpo import GRPOModel
    from rlhflint.frameworks.trl.models.ppo import PPOModel
    from rlhflint.frameworks.trl.models.reward import RewardModel

_KL_METRICS = ("kl", "eval_kl")


@rule("TR705", "no-kl-term", severity=ADVICE, stage=SILENT, programs=GRPO, applies=">=0.19.0", on=False, fix="unsafe")
def no_kl_term(launch: GRPOModel) -> Iterator[Draft]:
    """Without a KL term nothing holds the policy near the model it started from.

    What happens: no reference model is loaded, and no metric `kl` is logged.

    Why: beta is 0.0 by default since 0.19; it was 0.04 before (trainer/grpo_config.py@0.18.2, @0.19.0).

    Example:
        # trl 1.9.0
        from trl import GRPOConfig

        args = GRPOConfig(output_dir="out")

    Use instead:
        # trl 1.9.0
        from trl import GRPOConfig

        args = GRPOConfig(output_dir="out", beta=0.04)
    """
    if launch.beta == 0:
        yield launch.finding(
            "beta",
            message="beta is 0: there is no reference model, no KL term and no metric kl",
            help="0.04 was the default before 0.19",
            proposal=put(launch, "beta", 0.04),
        )


@rule("TR706", "kl-coefficient-unusual", severity=ADVICE, stage=SILENT, programs=(PPO, RLOO, GRPO))
def kl_coefficient_unusual(launch: PPOModel | GRPOModel) -> Iterator[Draft]:
    """The coefficient of the KL term is about 0.05.

    What happens: a large one freezes the policy; with PPO a very small one lets rewards be hacked.

    Why: the defaults are 0.05 for PPO and RLOO and 0.0 for GRPO (trainer/ppo_config.py@0.12.0,
    trainer/rloo_config.py@0.22.0).

    Example:
        # trl 1.9.0
        from trl import GRPOConfig

        args = GRPOConfig(output_dir="out", beta=1.0)

    Use instead:
        # trl 1.9.0
        from trl import GRPOConfig

        args = GRPOConfig(output_dir="out", beta=0.04)
    """
    ppo = launch.session.launch.program == PPO
    if ppo and not launch.session.since("0.12.0"):
        return
    name = "kl_coef" if ppo else "beta"
    value = getattr(launch, name)
    if value > 0.5 or (ppo and value < 0.01):
        shown = launch.session.spelling(name)
        yield launch.finding(
            name,
            message=f"{shown} {value:g} "
            + ("keeps the policy at its reference" if value > 0.5 else "hardly holds the policy to its reference"),
            help="the defaults are 0.05 for PPO and RLOO, 0.0 for GRPO, where 0.04 was usual",
        )


@rule("TR707", "sampling-too-greedy", severity=ADVICE, stage=SILENT, programs=(GRPO, RLOO, ONLINE_DPO), fix="unsafe")
def sampling_too_greedy(launch: GRPOModel) -> Iterator[Draft]:
    """Answers of a group have to differ.

    What happens: equal answers get equal rewards and zero advantage, and nothing is learnt from them.

    Why: advantages are taken within a group of answers to one prompt (trainer/grpo_trainer.py@1.9.0).

    Example:
        # trl 1.9.0
        from trl import GRPOConfig

        args = GRPOConfig(output_dir="out", temperature=0.3)

    Use instead:
        # trl 1.9.0
        from trl import GRPOConfig

        args = GRPOConfig(output_dir="out", temperature=1.0)
    """
    temperature = launch.temperature
    if temperature is not None and temperature < 0.7:
        none = temperature == 0
        yield launch.finding(
            "temperature",
            message=f"temperature {temperature:g} "
            + ("makes all answers to a prompt the same" if none else "makes the answers to a prompt much alike"),
            help="0.9 to 1.0 is usual",
            severity=WARNING if none else ADVICE,
            proposal=put(launch, "temperature", 1.0),
        )


@rule("TR708", "metric-needs-option", severity=ADVICE, stage=SILENT, programs=GRPO, applies=">=0.19.0")
def metric_needs_option(launch: GRPOModel) -> Iterator[Draft]:
    """The metric kl is there only with a KL term.

    What happens: the best checkpoint is chosen by a metric that is not logged.

    Why: kl is logged if beta is not zero, which it is by default since 0.19 (trainer/grpo_trainer.py@0.19.0).

    Example:
        # trl 1.9.0
        from trl import GRPOConfig

        args = GRPOConfig(output_dir="out", metric_for_best_model="kl")

    Use instead:
        # trl 1.9.0
        from trl import GRPOConfig

        args = GRPOConfig(output_dir="out", metric_for_best_model="kl", beta=0.04)
    """
    setting = launch.session.setting("metric_for_best_model")
    if setting is None or not isinstance(setting.value, Known) or setting.value.value not in _KL_METRICS:
        return
    if launch.beta == 0:
        yield launch.finding(
            "metric_for_best_model",
            "beta",
            message=f"metric_for_best_model is {setting.value.value}, which is not logged while beta is 0",
            help="give beta a value, or choose by the reward",
        )


@rule("TR709", "rewards-not-centred", severity=ADVICE, stage=SILENT, programs=REWARD, applies=">=0.10.1", on=False)
def rewards_not_centred(launch: RewardModel) -> Iterator[Draft]:
    """Rewards are best held near zero while the reward model is trained.

    What happens: the range of its rewards drifts, and a later PPO has a hard time.

    Why: center_rewards_coefficient adds a squared penalty on the sum of both rewards; it is off by default, and TRL's
    documentation takes 0.01 (trainer/reward_config.py@0.10.1).

    Example:
        # trl 1.9.0
        from trl import RewardConfig

        args = RewardConfig(output_dir="out")

    Use instead:
        # trl 1.9.0
        from trl import RewardConfig

        args = RewardConfig(output_dir="out", center_rewards_coefficient=0.01)
    """
    if launch.center_rewards_coefficient is None:
        yield launch.finding(
            "center_rewards_coefficient",
            message="center_rewards_coefficient is not given: nothing bounds the rewards of the model",
            help="write center_rewards_coefficient=0.01",
        )
