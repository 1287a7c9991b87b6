"""Adapters: where they may be put, how they are handed over, and what they need under ZeRO-3."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from rlhflint.frameworks.trl.policy import adapted, known_adapted, lora_targets, shipped
from rlhflint.frameworks.trl.programs import DISTILLATION, DPO, EVERY, GRPO, KTO, RLOO, SFT
from rlhflint.frameworks.trl.proposals import put
from rlhflint.frameworks.trl.session import Present, details_of
from rlhflint.frameworks.trl.sharding import zero_stage
from rlhflint.proposal import SAFE
from rlhflint.rule import ADVICE, ERROR, FIRST_STEP, SILENT, STARTUP, Draft, rule
from rlhflint.value import Undetermined

if TYPE_CHECKING:
    from rlhflint.frameworks.trl.models.shared import TrainerModel
    from rlhflint.model import ProgramModel

REENTRANT = "use_reentrant"
_KWARGS = "gradient_checkpointing_kwargs"
_STABLE = (SFT, DPO, GRPO, RLOO, KTO)


@rule(
    "TR233",
    "lora-on-lm-head",
    severity=ERROR,
    stage=STARTUP,
    programs=(SFT, DPO, GRPO, RLOO, KTO, DISTILLATION),
    applies=">=1.4.0",
)
def lora_on_lm_head(launch: TrainerModel) -> Iterator[Draft]:
    """The adapter is not put on lm_head, whose weights the loss reads directly.

    What happens: ValueError when the trainer is built.

    Why: a loss that is computed in chunks multiplies by the weights of lm_head, so that an adapter on it would never
    be trained: SFT with chunked_nll from 1.4 on (the default loss of 1.7 to 1.14), every trainer from 1.15 on
    (trainer/sft_trainer.py@1.4.0, @1.15.0, trainer/dpo_trainer.py@1.15.0).

    Example:
        # trl 1.16.0
        from peft import LoraConfig
        from trl import DPOConfig, DPOTrainer

        lora = LoraConfig(target_modules=["q_proj", "lm_head"])
        trainer = DPOTrainer("m", args=DPOConfig(output_dir="out"), train_dataset=None, peft_config=lora)

    Use instead:
        # trl 1.16.0
        from peft import LoraConfig
        from trl import DPOConfig, DPOTrainer

        lora = LoraConfig(target_modules=["q_proj", "v_proj"])
        trainer = DPOTrainer("m", args=DPOConfig(output_dir="out"), train_dataset=None, peft_config=lora)
    """
    program = launch.session.launch.program
    if not launch.session.since("1.15.0") and program not in (SFT, DISTILLATION):
        return
    if not adapted(launch) or "lm_head" not in lora_targets(launch):
        return
    if not launch.session.since("1.15.0") and program == SFT and _loss(launch) != "chunked_nll":
        return
    yield launch.finding(
        "lora_target_modules" if shipped(launch) else "peft_config",
        message=f"the adapter is put on lm_head: TRL {launch.session.release} refuses that, its loss would never train "
        "it",
        help="leave lm_head out of target_modules",
    )


def _loss(launch: TrainerModel) -> object:
    """The loss of SFT in force."""
    return getattr(launch, "loss_type", None)


@rule("TR234", "peft-config-misused", severity=ERROR, stage=STARTUP, programs=EVERY, applies=">=0.27.0")
def peft_config_misused(launch: TrainerModel) -> Iterator[Draft]:
    """peft_config is a configuration of PEFT, for a model that carries no adapter yet.

    What happens: TypeError for something else (1.4 and later), ValueError for a model that is a PeftModel already
    (0.27 and later), when the trainer is built.

    Why: the trainer wraps the model itself (trainer/sft_trainer.py@0.27.0, @1.4.0).

    Example:
        # trl 1.9.0
        from peft import LoraConfig, get_peft_model
        from transformers import AutoModelForCausalLM
        from trl import SFTConfig, SFTTrainer

        lora = LoraConfig(r=16)
        model = get_peft_model(AutoModelForCausalLM.from_pretrained("m"), lora)
        trainer = SFTTrainer(model, SFTConfig(output_dir="out"), train_dataset=None, peft_config=lora)

    Use instead:
        # trl 1.9.0
        from peft import LoraConfig
        from transformers import AutoModelForCausalLM
        from trl import SFTConfig, SFTTrainer

        model = AutoModelForCausalLM.from_pretrained("m")
        trainer = SFTTrainer(model, SFTConfig(output_dir="out"), train_dataset=None, peft_config=LoraConfig(r=16))
    """
    if not _takes_adapters(launch) or shipped(launch) or launch.session.launch.program not in _STABLE:
        return
    given = launch.peft_config
    if given is None:
        return
    release = launch.session.release
    if launch.session.since("1.4.0") and not isinstance(given, Present):
        kind = type(given).__name__
        yield launch.finding(
            "peft_config",
            message=f"peft_config is a {kind}: TRL {release} takes a configuration of PEFT only",
            help="write LoraConfig(**…)" if isinstance(given, Mapping) else "write LoraConfig(…)",
        )
    elif known_adapted(launch):
        yield launch.finding(
            "peft_config",
            "model",
            message=f"peft_config with a model that carries an adapter already: TRL {release} refuses that",
            help="leave peft_config out, or hand over the model without its adapter",
        )


def _takes_adapters(launch: ProgramModel) -> bool:
    """Whether the model of the program has the settings of a trainer."""
    return "peft_config" in type(launch).model_fields


@rule("TR237", "reentrant-with-peft-zero3", severity=ERROR, stage=FIRST_STEP, programs=EVERY, fix="safe")
def reentrant_with_peft_zero3(launch: TrainerModel) -> Iterator[Draft]:
    """Checkpointing of an adapter under ZeRO-3 is the re-entrant one.

    What happens: CheckpointError in the first backward pass: tensors are saved with another shape than they are
    recomputed with. Later releases force use_reentrant to True, with a warning.

    Why: ZeRO-3 gathers parameters differently when they are recomputed. use_reentrant is False by default from 0.27
    (the options) and 0.28 (the trainers) on; SFT forces it from 0.28 on, other trainers from 1.9 on
    (trainer/sft_trainer.py@0.28.0, trainer/dpo_trainer.py@1.9.0).

    Example:
        # trl 1.0.0
        --- run.sh
        accelerate launch --use_deepspeed --zero_stage 3 --num_processes 8 dpo.py
        --- dpo.py
        from peft import LoraConfig
        from trl import DPOConfig, DPOTrainer

        args = DPOConfig(output_dir="out", gradient_checkpointing_kwargs={"use_reentrant": False})
        trainer = DPOTrainer("m", args=args, train_dataset=None, peft_config=LoraConfig())

    Use instead:
        # trl 1.0.0
        --- run.sh
        accelerate launch --use_deepspeed --zero_stage 3 --num_processes 8 dpo.py
        --- dpo.py
        from peft import LoraConfig
        from trl import DPOConfig, DPOTrainer

        args = DPOConfig(output_dir="out", gradient_checkpointing_kwargs={"use_reentrant": True})
        trainer = DPOTrainer("m", args=args, train_dataset=None, peft_config=LoraConfig())
    """
    if not _takes_adapters(launch):
        return
    if not launch.gradient_checkpointing or _reentrant(launch) or not adapted(launch) or zero_stage(launch) != 3:
        return
    release, sft = launch.session.release, launch.session.launch.program == SFT
    forced = launch.session.since("0.28.0" if sft else "1.9.0")
    given = launch.given(_KWARGS)
    if forced and not given:
        return
    which = "given as False" if given else "False by default"
    does = "it is forced to True, with a warning" if forced else "the first backward pass breaks off"
    yield launch.finding(
        _KWARGS,
        "gradient_checkpointing",
        message=f"use_reentrant is {which} for an adapter under ZeRO-3: at TRL {release} {does}",
        help='set gradient_checkpointing_kwargs={"use_reentrant": True}',
        severity=ADVICE if forced else ERROR,
        stage=SILENT if forced else FIRST_STEP,
        proposal=put(launch, _KWARGS, {**_options(launch), REENTRANT: True}, SAFE)
        if details_of(launch).form == "python"
        else None,
    )


def _options(launch: TrainerModel) -> dict[str, object]:
    given = launch.gradient_checkpointing_kwargs if launch.given(_KWARGS) else None
    return dict(given) if isinstance(given, Mapping) else {}


def _reentrant(launch: TrainerModel) -> bool:
    """Whether checkpointing is re-entrant, given so or by default."""
    if launch.given(_KWARGS):
        given = launch.gradient_checkpointing_kwargs
        if isinstance(given, Mapping):
            value = given.get(REENTRANT)
            if value is not None:
                return bool(value)
        elif given is not None:
            raise Undetermined(_KWARGS, "what it holds is not known")
    return not launch.session.since("0.28.0")
