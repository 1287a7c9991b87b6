"""The reference model of DPO, KTO and PPO."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rlhflint.frameworks.trl.policy import known_adapted, model_name, shipped
from rlhflint.frameworks.trl.programs import DPO, KTO, PPO
from rlhflint.frameworks.trl.session import details_of
from rlhflint.frameworks.trl.sharding import under_zero3, zero_stage
from rlhflint.rule import ADVICE, ERROR, STARTUP, WARNING, Draft, rule
from rlhflint.value import if_known

if TYPE_CHECKING:
    from rlhflint.frameworks.trl.models.dpo import DPOModel
    from rlhflint.frameworks.trl.models.kto import KTOModel
    from rlhflint.frameworks.trl.models.ppo import PPOModel
    from rlhflint.text import Span

REF, PEFT, PRECOMPUTE = "ref_model", "peft_config", "precompute_ref_log_probs"
_HELP = (
    "with LoRA pass peft_config and leave ref_model out; else pass ref_model, or set precompute_ref_log_probs=True; "
    "where the second model is wanted, silence this line. The first loss is ln 2 either way: look for the cause of NaN "
    "in fp16, the learning rate, and completions that truncation empties"
)


@rule("TR201", "dpo-without-reference-or-peft", severity=WARNING, stage=STARTUP, programs=DPO)
def dpo_without_reference_or_peft(launch: DPOModel) -> Iterator[Draft]:
    """DPO is given a reference model, or an adapter that can be switched off to have one.

    What happens: with neither, the trainer makes the reference itself: a second whole model in memory. Up to 0.28 it
    is a frozen copy of the policy; from 0.29 on it is loaded again by the policy's name, so that merged adapters,
    resized embeddings and edited weights are missing in it. The first loss is ln 2 = 0.693 in every release, never NaN
    for this reason.

    Why: create_reference_model copies (trainer/dpo_trainer.py@0.28.0), later releases reload
    model.config._name_or_path with args.model_init_kwargs (trainer/dpo_trainer.py@0.29.0, @1.9.0). The scripts of TRL
    pass a reference themselves up to 0.28 (scripts/dpo.py@0.28.0).

    Example:
        # trl 1.0.0
        from trl import DPOConfig, DPOTrainer

        trainer = DPOTrainer("m", args=DPOConfig(output_dir="out"), train_dataset=None)

    Use instead:
        # trl 1.0.0
        from peft import LoraConfig
        from trl import DPOConfig, DPOTrainer

        trainer = DPOTrainer("m", args=DPOConfig(output_dir="out"), train_dataset=None, peft_config=LoraConfig())
    """
    if shipped(launch):
        yield from _of_the_script(launch)
        return
    if launch.ref_model is not None or launch.peft_config is not None or known_adapted(launch):
        return
    release = launch.session.release
    copies = not launch.session.since("0.29.0")
    precomputed = if_known(lambda: launch.precompute_ref_log_probs)
    if copies and not precomputed and under_zero3(launch):
        return  # TR204 says it
    name = model_name(launch)
    if precomputed:
        makes = f"TRL {release} takes the reference log-probabilities from the policy before training"
        if copies or launch.session.since("1.2.0"):
            makes += ", and no second model stays in memory"
        else:
            makes += f", and loads {name or 'the model'} a second time all the same"
    elif copies:
        makes = f"TRL {release} copies the policy as the reference (a second model in memory)"
    else:
        makes = f"TRL {release} reloads {name or 'the model by its name'} as the reference (a second model in memory)"
        if not isinstance(if_known(lambda: launch.model), str):
            makes += (
                "; what was changed in the policy after loading is missing there, and so are its dtype and attention"
            )
    yield launch.finding(
        REF,
        PEFT,
        at=_trainer(launch),
        message=f"neither ref_model nor peft_config: {makes}",
        help="as it is, nothing has to be done" if precomputed else _HELP,
        severity=ADVICE if precomputed else WARNING,
    )


def _of_the_script(launch: DPOModel) -> Iterator[Draft]:
    if launch.use_peft:
        return
    release, name = launch.session.release, model_name(launch) or "the model"
    if launch.session.since("0.29.0"):
        makes = f"the script passes no ref_model, and TRL {release} reloads {name} as the reference"
    else:
        makes = f"the script of TRL {release} loads {name} a second time as ref_model"
    yield launch.finding(
        "use_peft",
        message=f"neither ref_model nor peft_config: {makes} (a second model in memory)",
        help="a full run wants just that; use_peft needs no second model",
        severity=ADVICE,
    )


def _trainer(launch: DPOModel | KTOModel | PPOModel) -> Span | None:
    call = details_of(launch).trainer_call
    return call.name_span if call is not None else None


@rule(
    "TR204",
    "reference-copy-under-zero3",
    severity=ERROR,
    stage=STARTUP,
    programs=(DPO, KTO, PPO),
    applies="<1.13.0",
)
def reference_copy_under_zero3(launch: DPOModel | KTOModel | PPOModel) -> Iterator[Draft]:
    """Under ZeRO-3 the reference model is passed, because the trainer cannot copy a sharded model.

    What happens: ValueError "DeepSpeed ZeRO-3 is enabled and is not compatible with create_reference_model()" when the
    trainer is built.

    Why: without ref_model and without an adapter DPO (up to 0.28), KTO (up to 1.1) and PPO (0.12 to 1.12) copy the
    policy (models/modeling_base.py@0.24.0, trainer/dpo_trainer.py@0.28.0).

    Example:
        # trl 0.24.0, transformers 4.56.2
        --- run.sh
        accelerate launch --use_deepspeed --zero_stage 3 --num_processes 8 dpo.py
        --- dpo.py
        from trl import DPOConfig, DPOTrainer

        trainer = DPOTrainer("m", args=DPOConfig(output_dir="out"), train_dataset=None)

    Use instead:
        # trl 0.24.0, transformers 4.56.2
        --- run.sh
        accelerate launch --use_deepspeed --zero_stage 3 --num_processes 8 dpo.py
        --- dpo.py
        from transformers import AutoModelForCausalLM
        from trl import DPOConfig, DPOTrainer

        reference = AutoModelForCausalLM.from_pretrained("m")
        trainer = DPOTrainer("m", reference, DPOConfig(output_dir="out"), train_dataset=None)
    """
    if shipped(launch) or not _copies(launch):
        return
    if launch.ref_model is not None or launch.peft_config is not None or known_adapted(launch):
        return
    if zero_stage(launch) != 3:
        return
    yield launch.finding(
        REF,
        PEFT,
        at=_trainer(launch),
        message=f"neither ref_model nor peft_config under ZeRO-3: TRL {launch.session.release} would have to copy the "
        "policy as the reference, and refuses that with a ValueError",
        help="pass ref_model, loaded by its own call; or peft_config",
    )


def _copies(launch: DPOModel | KTOModel | PPOModel) -> bool:
    """Whether the trainer of this release copies the policy where no reference is given."""
    program, since = launch.session.launch.program, launch.session.since
    if program == PPO:
        return since("0.12.0")
    if since("0.29.0" if program == DPO else "1.2.0"):
        return False
    return not getattr(launch, PRECOMPUTE, False)
