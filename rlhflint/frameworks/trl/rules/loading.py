"""How the model is loaded, and what does not fit it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rlhflint.frameworks.trl.policy import argument_of, facts_of, load_option, makers, model_name, shipped
from rlhflint.frameworks.trl.programs import DPO, EVERY, GRPO, REWARD, RLOO, SFT
from rlhflint.frameworks.trl.proposals import remove
from rlhflint.rule import ADVICE, ERROR, SILENT, STARTUP, WARNING, Draft, rule
from rlhflint.value import Known, Undetermined, if_known

if TYPE_CHECKING:
    from rlhflint.call import Call
    from rlhflint.frameworks.trl.models.sft import SFTModel
    from rlhflint.frameworks.trl.models.shared import TrainerModel

INIT, ROUTER = "model_init_kwargs", "router_aux_loss_coef"
_REFUSED_BEFORE = {DPO: "0.19.0", GRPO: "0.22.0"}
_QUANTISED_ERROR = "1.8.0"


@rule(
    "TR235",
    "init-kwargs-unused",
    severity=WARNING,
    stage=SILENT,
    programs=(SFT, DPO, GRPO, RLOO, REWARD),
    applies=">=0.16.0",
    fix="unsafe",
)
def init_kwargs_unused(launch: TrainerModel) -> Iterator[Draft]:
    """What is said of how to load a model is for a model that is given by its name.

    What happens: model_init_kwargs have no effect on a model that is loaded already, which the log says; DPO up to 0.18
    and GRPO up to 0.21 refuse them. So with quantization_config of a trainer, which DPO refuses from 1.8 on.

    Why: the trainer loads nothing then (trainer/dpo_trainer.py@0.18.2, @0.19.0, trainer/sft_trainer.py@1.16.0).

    Example:
        # trl 1.9.0
        from transformers import AutoModelForCausalLM
        from trl import SFTConfig, SFTTrainer

        model = AutoModelForCausalLM.from_pretrained("m")
        args = SFTConfig(output_dir="out", model_init_kwargs={"attn_implementation": "flash_attention_2"})
        trainer = SFTTrainer(model, args, train_dataset=None)

    Use instead:
        # trl 1.9.0
        from transformers import AutoModelForCausalLM
        from trl import SFTConfig, SFTTrainer

        model = AutoModelForCausalLM.from_pretrained("m", attn_implementation="flash_attention_2")
        trainer = SFTTrainer(model, SFTConfig(output_dir="out"), train_dataset=None)
    """
    if shipped(launch):
        return
    given = [name for name in (INIT, "quantization_config") if launch.session.setting(name) is not None]
    program, release = launch.session.launch.program, launch.session.release
    for name in given:
        if getattr(launch, name) is None or not makers(launch.model):
            continue
        before = _REFUSED_BEFORE.get(program) if name == INIT else None
        refused = (before is not None and not launch.session.since(before)) or (
            name != INIT and program == DPO and launch.session.since(_QUANTISED_ERROR)
        )
        does = "refuses that" if refused else "ignores it, and a line of the log says so"
        yield launch.finding(
            name,
            "model",
            message=f"{name} with a model that is loaded already: TRL {release} {does}",
            help="give it to from_pretrained, or hand the name of the model to the trainer",
            severity=ERROR if refused else WARNING,
            stage=STARTUP if refused else SILENT,
            proposal=remove(launch, name),
        )


@rule("TR236", "router-loss-on-dense", severity=ERROR, stage=STARTUP, programs=EVERY, applies=">=1.7.0", fix="unsafe")
def router_loss_on_dense(launch: SFTModel) -> Iterator[Draft]:
    """The loss of the router is for models that have experts.

    What happens: ValueError for another model when the trainer is built, from 1.14 on. From 1.7 to 1.13 the default of
    0.001 takes the place of the coefficient that a model of experts brings along.

    Why: trainer/sft_trainer.py@1.7.0, @1.14.0.

    Example:
        # trl 1.16.0
        from trl import SFTConfig, SFTTrainer

        args = SFTConfig(output_dir="out", router_aux_loss_coef=0.001)
        trainer = SFTTrainer("Qwen/Qwen2.5-7B", args, train_dataset=None)

    Use instead:
        # trl 1.16.0
        from trl import SFTConfig, SFTTrainer

        args = SFTConfig(output_dir="out", router_aux_loss_coef=0.001)
        trainer = SFTTrainer("Qwen/Qwen3-30B-A3B", args, train_dataset=None)
    """
    if ROUTER not in type(launch).model_fields or not launch.router_aux_loss_coef:
        return
    known = if_known(lambda: facts_of(launch))
    if known is None or not known.certain:
        raise Undetermined("model", "whether it has experts is not known")
    given = launch.given(ROUTER)
    if launch.session.since("1.14.0"):
        if not known.moe:
            yield launch.finding(
                ROUTER,
                "model",
                message=f"{ROUTER} {launch.router_aux_loss_coef} for {model_name(launch)}, which has no experts: TRL "
                f"{launch.session.release} refuses that",
                help="leave it out",
                proposal=remove(launch, ROUTER),
            )
    elif known.moe and not given:
        yield launch.finding(
            ROUTER,
            "model",
            message=f"{ROUTER} is 0.001 by default at TRL {launch.session.release} and takes the place of the "
            f"coefficient of {model_name(launch)}",
            help="write the coefficient you mean; from 1.14 on the model's own holds",
            severity=ADVICE,
            stage=SILENT,
        )


@rule("TR243", "two-quantisations", severity=ERROR, stage=STARTUP, programs=EVERY)
def two_quantisations(launch: TrainerModel) -> Iterator[Draft]:
    """A model is loaded in 8 bits or in 4.

    What happens: ValueError "You can't use 8 bit and 4 bit precision at the same time" when the options are built.

    Why: trainer/model_config.py@0.24.0, transformers/utils/quantization_config.py@4.56.2.

    Example:
        # trl 1.9.0
        --- run.sh
        trl sft --model_name_or_path m --dataset_name d --load_in_8bit --load_in_4bit

    Use instead:
        # trl 1.9.0
        --- run.sh
        trl sft --model_name_or_path m --dataset_name d --load_in_4bit
    """
    if shipped(launch):
        both = "load_in_8bit" in type(launch).model_fields and launch.load_in_8bit and launch.load_in_4bit
        place = None
    else:
        quantised = [call for call in makers(_quantisation(launch)) if call.target.endswith("BitsAndBytesConfig")]
        both = any(_on(call, "load_in_8bit") and _on(call, "load_in_4bit") for call in quantised)
        place = quantised[0].name_span if quantised else None
    if both:
        yield launch.finding(
            *(("load_in_8bit", "load_in_4bit") if shipped(launch) else ("model",)),
            at=place,
            message="load_in_8bit and load_in_4bit are both true, which is refused",
            help="leave one of them out",
        )


def _quantisation(launch: TrainerModel) -> object:
    """What says how many bits a weight has; None where nothing is known to."""
    try:
        return load_option(launch, "quantization_config")
    except Undetermined:
        return None


def _on(call: Call, name: str) -> bool:
    found = argument_of(call, name)
    return found is not None and found.value == Known(True)
