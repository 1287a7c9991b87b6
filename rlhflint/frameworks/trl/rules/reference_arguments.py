"""Reference models that are passed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rlhflint.frameworks.trl.policy import model_name, name_of, shipped
from rlhflint.frameworks.trl.programs import DPO, KTO, PPO
from rlhflint.frameworks.trl.proposals import remove
from rlhflint.frameworks.trl.session import Present
from rlhflint.rule import ADVICE, ERROR, SILENT, STARTUP, Draft, rule

if TYPE_CHECKING:
    from rlhflint.frameworks.trl.models.dpo import DPOModel
    from rlhflint.frameworks.trl.models.kto import KTOModel
    from rlhflint.frameworks.trl.models.ppo import PPOModel

REF, PEFT = "ref_model", "peft_config"


@rule(
    "TR202",
    "reference-with-peft",
    severity=ERROR,
    stage=STARTUP,
    programs=DPO,
    applies="<0.29.0",
    fix="unsafe",
)
def reference_with_peft(launch: DPOModel) -> Iterator[Draft]:
    """With an adapter no reference model is passed: without the adapter the policy is the reference.

    What happens: ValueError "You passed both a ref_model and a peft_config" when the trainer is built.

    Why: the trainer switches the adapter off for the reference (trainer/dpo_trainer.py@0.28.0). From 0.29 on both may
    be given; before, force_use_ref_model of DPOConfig allows it.

    Example:
        # trl 0.24.0, transformers 4.56.2
        from peft import LoraConfig
        from transformers import AutoModelForCausalLM
        from trl import DPOConfig, DPOTrainer

        reference = AutoModelForCausalLM.from_pretrained("m")
        trainer = DPOTrainer("m", reference, DPOConfig(output_dir="out"), train_dataset=None, peft_config=LoraConfig())

    Use instead:
        # trl 0.24.0, transformers 4.56.2
        from peft import LoraConfig
        from trl import DPOConfig, DPOTrainer

        trainer = DPOTrainer("m", args=DPOConfig(output_dir="out"), train_dataset=None, peft_config=LoraConfig())
    """
    if shipped(launch) or launch.peft_config is None or launch.ref_model is None:
        return
    if _forced(launch):
        return
    yield launch.finding(
        REF,
        PEFT,
        message=f"ref_model and peft_config are both given: TRL {launch.session.release} refuses that",
        help="leave ref_model out: with the adapter switched off the policy is the reference; both are allowed from "
        "0.29 on",
        proposal=remove(launch, REF),
    )


def _forced(launch: DPOModel) -> bool:
    forced = launch.force_use_ref_model
    # Unset it means "where it makes sense" in 0.28, which allows both.
    return bool(forced) or (forced is None and launch.session.since("0.28.0"))


@rule("TR203", "reference-is-policy", severity=ERROR, stage=STARTUP, programs=(DPO, KTO, PPO), applies=">=0.11.0")
def reference_is_policy(launch: DPOModel | KTOModel | PPOModel) -> Iterator[Draft]:
    """The reference model is another object than the model that is trained.

    What happens: ValueError "`model` and `ref_model` cannot be the same object" when the trainer is built.

    Why: the reference would be trained along (trainer/dpo_trainer.py@0.11.0, trainer/kto_trainer.py@0.11.0).

    Example:
        # trl 0.24.0, transformers 4.56.2
        from transformers import AutoModelForCausalLM
        from trl import DPOConfig, DPOTrainer

        model = AutoModelForCausalLM.from_pretrained("m")
        trainer = DPOTrainer(model, model, DPOConfig(output_dir="out"), train_dataset=None)

    Use instead:
        # trl 0.24.0, transformers 4.56.2
        from transformers import AutoModelForCausalLM
        from trl import DPOConfig, DPOTrainer

        model = AutoModelForCausalLM.from_pretrained("m")
        reference = AutoModelForCausalLM.from_pretrained("m")
        trainer = DPOTrainer(model, reference, DPOConfig(output_dir="out"), train_dataset=None)
    """
    if shipped(launch):
        return
    reference = launch.ref_model
    if reference is None:
        return
    policy = launch.model
    if _site(policy) is not None and _site(policy) == _site(reference):
        yield launch.finding(
            REF,
            message=f"ref_model is the very object that is trained: TRL {launch.session.release} refuses that",
            help="load the reference by a call of its own, or leave it out",
        )


def _site(given: object) -> tuple[int, int | None] | None:
    """The evaluation that made an object."""
    argument = given.argument if isinstance(given, Present) else None
    made = argument.made if argument is not None else None
    return (made.call.site, made.index) if made is not None else None


@rule("TR261", "reference-from-another-model", severity=ADVICE, stage=SILENT, programs=(PPO, DPO, KTO))
def reference_from_another_model(launch: DPOModel | KTOModel | PPOModel) -> Iterator[Draft]:
    """Policy and reference start from the same checkpoint, unless something else is meant.

    What happens: the KL is measured against another model: the chat format may drift towards it, or the KL is large
    from the first step on.

    Why: the loss compares log-probabilities of both models token by token (trainer/dpo_trainer.py@1.9.0).

    Example:
        from transformers import AutoModelForCausalLM
        from trl import DPOConfig, DPOTrainer

        policy = AutoModelForCausalLM.from_pretrained("org/base-sft")
        reference = AutoModelForCausalLM.from_pretrained("org/base")
        trainer = DPOTrainer(policy, reference, DPOConfig(output_dir="out"), train_dataset=None)

    Use instead:
        from transformers import AutoModelForCausalLM
        from trl import DPOConfig, DPOTrainer

        policy = AutoModelForCausalLM.from_pretrained("org/base-sft")
        reference = AutoModelForCausalLM.from_pretrained("org/base-sft")
        trainer = DPOTrainer(policy, reference, DPOConfig(output_dir="out"), train_dataset=None)
    """
    if shipped(launch):
        return
    reference = name_of(launch.ref_model)
    policy = model_name(launch) if reference is not None else None
    if reference is not None and policy is not None and reference != policy:
        yield launch.finding(
            REF,
            message=f"the reference is {reference}, the policy starts from {policy}: the KL is measured against "
            "another model",
            help=f"load {policy} for both, unless this is meant",
        )
