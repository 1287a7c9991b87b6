"""Learning rates and coefficients that run as written, and experience says go badly."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rlhflint.frameworks.trl.policy import adapted
from rlhflint.frameworks.trl.programs import (
    BCO,
    CPO,
    DPO,
    GRPO,
    KTO,
    ONLINE_DPO,
    ORPO,
    PPO,
    RLOO,
    SFT,
)
from rlhflint.frameworks.trl.proposals import put
from rlhflint.rule import ADVICE, SILENT, Draft, rule

if TYPE_CHECKING:
    from rlhflint.frameworks.trl.models.shared import TrainerModel

RATE = "learning_rate"
_WITH_LORA = {SFT: 2e-4, DPO: 5e-6, KTO: 5e-6, GRPO: 1e-5, RLOO: 1e-5}
"""What TRL's documentation takes with LoRA (docs/peft_integration.md@1.9.0)."""
_OTHER_SCALE = ("ipo", "simpo", "alphapo", "sigmoid_norm")
"""Losses whose beta has another scale."""


def _too_high(launch: TrainerModel, full: float, lora: float, instead: str) -> Iterator[Draft]:
    rate = launch.learning_rate
    if rate < full or (rate < lora and adapted(launch)):
        return
    given = "" if launch.session.setting(RATE) is not None else ", the default of this release,"
    yield launch.finding(
        RATE,
        message=f"learning_rate {rate:g}{given} is that of supervised training, and too high here",
        help=instead,
    )


@rule(
    "TR701",
    "preference-learning-rate-too-high",
    severity=ADVICE,
    stage=SILENT,
    programs=(DPO, KTO, CPO, ORPO, BCO),
)
def preference_learning_rate_too_high(launch: TrainerModel) -> Iterator[Draft]:
    """Learning from preferences wants a small learning rate.

    What happens: the text falls apart within a few hundred steps, while margins and accuracy still rise.

    Why: TRL's documentation takes 5e-7 for full training and 5e-6 with LoRA; the default was 5e-5 up to 0.11
    (docs/peft_integration.md@1.9.0, trainer/dpo_config.py@0.11.0).

    Example:
        # trl 1.9.0
        from trl import DPOConfig

        args = DPOConfig(output_dir="out", learning_rate=1e-4)

    Use instead:
        # trl 1.9.0
        from trl import DPOConfig

        args = DPOConfig(output_dir="out", learning_rate=1e-6)
    """
    yield from _too_high(launch, 1e-5, 5e-5, "5e-7 to 1e-6 is usual for full training, 5e-6 with LoRA")


@rule(
    "TR702",
    "rl-learning-rate-too-high",
    severity=ADVICE,
    stage=SILENT,
    programs=(GRPO, RLOO, PPO, ONLINE_DPO),
)
def rl_learning_rate_too_high(launch: TrainerModel) -> Iterator[Draft]:
    """Reinforcement learning wants a small learning rate.

    What happens: rewards rise and fall again, and the policy collapses.

    Why: the defaults are 1e-6 for GRPO and RLOO, and TRL's documentation takes 1e-5 with LoRA; that of PPO was 5e-5 up
    to 0.28 (docs/peft_integration.md@1.9.0).

    Example:
        # trl 1.9.0
        from trl import GRPOConfig

        args = GRPOConfig(output_dir="out", learning_rate=2e-4)

    Use instead:
        # trl 1.9.0
        from trl import GRPOConfig

        args = GRPOConfig(output_dir="out", learning_rate=1e-6)
    """
    yield from _too_high(launch, 1e-5, 1e-4, "1e-6 is usual for full training, 1e-5 with LoRA")


@rule(
    "TR703",
    "lora-with-full-tuning-rate",
    severity=ADVICE,
    stage=SILENT,
    programs=(SFT, DPO, KTO, GRPO, RLOO),
    applies=">=0.12.0",
    fix="unsafe",
)
def lora_with_full_tuning_rate(launch: TrainerModel) -> Iterator[Draft]:
    """LoRA wants about ten times the learning rate of full training.

    What happens: hardly anything is learnt; the other way round, full training diverges.

    Why: the defaults are for full training: 2e-5 for SFT, 1e-6 for DPO, KTO and GRPO. TRL's documentation takes 2e-4,
    5e-6 and 1e-5 with LoRA (docs/peft_integration.md@1.9.0).

    Example:
        # trl 1.9.0
        --- run.sh
        trl sft --model_name_or_path m --dataset_name d --use_peft

    Use instead:
        # trl 1.9.0
        --- run.sh
        trl sft --model_name_or_path m --dataset_name d --use_peft --learning_rate 2e-4
    """
    program = launch.session.launch.program
    usual = _WITH_LORA[program]
    if launch.given(RATE):
        if program == SFT and launch.learning_rate >= usual and not adapted(launch):
            yield launch.finding(
                RATE,
                message=f"learning_rate {launch.learning_rate:g} is one for LoRA, and all weights are trained",
                help="2e-5 is usual for full training",
                proposal=put(launch, RATE, 2e-5),
            )
    elif adapted(launch) and launch.learning_rate < usual:
        yield launch.finding(
            RATE,
            message=f"an adapter is trained with learning_rate {launch.learning_rate:g}, the default for full training",
            help=f"TRL's documentation takes {usual:g} with LoRA",
            proposal=put(launch, RATE, usual),
        )


@rule("TR704", "beta-unusual", severity=ADVICE, stage=SILENT, programs=(DPO, KTO, CPO, ONLINE_DPO), fix="unsafe")
def beta_unusual(launch: TrainerModel) -> Iterator[Draft]:
    """Beta is about 0.1.

    What happens: a large beta keeps the model at its reference; none at all leaves nothing to learn.

    Why: beta scales the log-ratio of policy and reference in the loss; ipo and simpo have scales of their own
    (trainer/dpo_trainer.py@1.9.0).

    Example:
        # trl 1.9.0
        from trl import DPOConfig

        args = DPOConfig(output_dir="out", beta=1.0)

    Use instead:
        # trl 1.9.0
        from trl import DPOConfig

        args = DPOConfig(output_dir="out", beta=0.1)
    """
    beta: float | list[float] = getattr(launch, "beta")  # noqa: B009
    betas = beta if isinstance(beta, list) else [beta]
    if not betas or (max(betas) < 0.5 and min(betas) > 0):
        return
    loss: str | list[str] = getattr(launch, "loss_type")  # noqa: B009
    losses = loss if isinstance(loss, list) else [loss]
    if any(one in _OTHER_SCALE for one in losses):
        return
    large = max(betas) >= 0.5
    yield launch.finding(
        "beta",
        message=f"beta {max(betas) if large else min(betas):g} "
        + ("keeps the model at its reference" if large else "takes preferences out of the loss"),
        help="0.1 is the default",
        proposal=put(launch, "beta", 0.1) if len(betas) == 1 else None,
    )
