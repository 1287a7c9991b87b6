"""Moving the reference model after the policy (TR-DPO), and computing what it says beforehand."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rlhflint.frameworks.trl.policy import adapted, shipped
from rlhflint.frameworks.trl.programs import DPO, GRPO, KTO
from rlhflint.frameworks.trl.proposals import remove
from rlhflint.rule import ERROR, SILENT, STARTUP, WARNING, Draft, rule

if TYPE_CHECKING:
    from rlhflint.frameworks.trl.models.dpo import DPOModel
    from rlhflint.frameworks.trl.models.grpo import GRPOModel
    from rlhflint.frameworks.trl.models.kto import KTOModel

SYNC, PRECOMPUTE = "sync_ref_model", "precompute_ref_log_probs"


@rule("TR205", "sync-without-kl", severity=ERROR, stage=STARTUP, programs=GRPO, applies=">=0.19.0", fix="unsafe")
def sync_without_kl(launch: GRPOModel) -> Iterator[Draft]:
    """A reference model is kept in step only where there is one, which takes a beta above 0.

    What happens: ValueError when the trainer is built, from 0.28 on; before, nothing is synchronised, without a word.

    Why: with beta 0.0, the default since 0.19, no reference model is loaded (trainer/grpo_trainer.py@0.28.0).

    Example:
        # trl 0.29.1
        from trl import GRPOConfig

        args = GRPOConfig(output_dir="out", sync_ref_model=True)

    Use instead:
        # trl 0.29.1
        from trl import GRPOConfig

        args = GRPOConfig(output_dir="out", sync_ref_model=True, beta=0.04)
    """
    if not launch.sync_ref_model or launch.beta != 0:
        return
    refused = launch.session.since("0.28.0")
    given = "" if launch.given("beta") else ", the default"
    does = "refuses that" if refused else "has no reference model to synchronise, and says nothing"
    yield launch.finding(
        SYNC,
        "beta",
        message=f"{SYNC} with beta {launch.beta}{given}: TRL {launch.session.release} {does}",
        help="set beta above 0, or leave sync_ref_model out",
        severity=ERROR if refused else WARNING,
        stage=STARTUP if refused else SILENT,
        proposal=remove(launch, SYNC),
    )


@rule("TR206", "sync-with-peft", severity=ERROR, stage=STARTUP, programs=(GRPO, DPO, KTO), applies=">=0.28.0")
def sync_with_peft(launch: GRPOModel | DPOModel | KTOModel) -> Iterator[Draft]:
    """With an adapter there is no reference model to keep in step.

    What happens: NotImplementedError when the trainer is built.

    Why: the policy with its adapter switched off is the reference (trainer/grpo_trainer.py@0.28.0,
    trainer/dpo_trainer.py@0.29.0, trainer/kto_trainer.py@1.8.0).

    Example:
        # trl 1.0.0
        from peft import LoraConfig
        from trl import DPOConfig, DPOTrainer

        args = DPOConfig(output_dir="out", sync_ref_model=True)
        trainer = DPOTrainer("m", args=args, train_dataset=None, peft_config=LoraConfig())

    Use instead:
        # trl 1.0.0
        from peft import LoraConfig
        from trl import DPOConfig, DPOTrainer

        args = DPOConfig(output_dir="out")
        trainer = DPOTrainer("m", args=args, train_dataset=None, peft_config=LoraConfig())
    """
    if launch.session.launch.program == DPO and not launch.session.since("0.29.0"):
        return
    if launch.sync_ref_model and adapted(launch):
        yield launch.finding(
            SYNC,
            "use_peft" if shipped(launch) else "peft_config",
            message=f"{SYNC} with an adapter: TRL {launch.session.release} does not implement that",
            help="leave sync_ref_model out, or train without an adapter",
        )


@rule("TR207", "sync-without-reference", severity=ERROR, stage=STARTUP, programs=DPO, applies=">=0.9.3,<0.29.0")
def sync_without_reference(launch: DPOModel) -> Iterator[Draft]:
    """To be kept in step DPO's reference is a model of its own, which an adapter makes do without.

    What happens: ValueError "You currently cannot use `ref_model=None` with TR-DPO method" when the trainer is built.

    Why: with an adapter and no ref_model, the model with its adapter switched off is the reference, and cannot follow
    (trainer/dpo_trainer.py@0.9.3). Without an adapter the policy is copied; from 0.29 on TR206 speaks of adapters.

    Example:
        # trl 0.24.0, transformers 4.56.2
        from peft import LoraConfig
        from trl import DPOConfig, DPOTrainer

        args = DPOConfig(output_dir="out", sync_ref_model=True)
        trainer = DPOTrainer("m", args=args, train_dataset=None, peft_config=LoraConfig(r=16))

    Use instead:
        # trl 0.24.0, transformers 4.56.2
        from trl import DPOConfig, DPOTrainer

        args = DPOConfig(output_dir="out", sync_ref_model=True)
        trainer = DPOTrainer("m", args=args, train_dataset=None)
    """
    if not launch.sync_ref_model or launch.precompute_ref_log_probs:
        return
    if (shipped(launch) or launch.ref_model is None) and adapted(launch):
        yield launch.finding(
            SYNC,
            "use_peft" if shipped(launch) else "peft_config",
            message=f"{SYNC} with an adapter and no ref_model: the reference is the model without its adapter, and TRL "
            f"{launch.session.release} refuses to move it",
            help="train without an adapter, or leave sync_ref_model out",
        )


@rule(
    "TR208", "sync-with-precompute", severity=ERROR, stage=STARTUP, programs=(DPO, KTO), applies=">=0.9.3", fix="unsafe"
)
def sync_with_precompute(launch: DPOModel | KTOModel) -> Iterator[Draft]:
    """What is computed beforehand cannot follow the policy.

    What happens: ValueError when the trainer is built.

    Why: precomputed log-probabilities are those of a reference that does not change (trainer/dpo_trainer.py@0.9.3,
    @1.9.0).

    Example:
        # trl 1.9.0
        from trl import DPOConfig

        args = DPOConfig(output_dir="out", sync_ref_model=True, precompute_ref_log_probs=True)

    Use instead:
        # trl 1.9.0
        from trl import DPOConfig

        args = DPOConfig(output_dir="out", sync_ref_model=True)
    """
    if launch.sync_ref_model and launch.precompute_ref_log_probs:
        yield launch.finding(
            PRECOMPUTE,
            SYNC,
            message=f"{SYNC} and {PRECOMPUTE} are both on: TRL {launch.session.release} refuses that",
            help="leave one of them out",
            proposal=remove(launch, PRECOMPUTE),
        )
