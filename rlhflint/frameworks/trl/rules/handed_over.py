"""What trainers are handed besides their configuration: models, data, judges."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from rlhflint.catalog.model_facts import model_facts
from rlhflint.frameworks.trl.policy import argument_of, load_option, makers, model_name, shipped
from rlhflint.frameworks.trl.programs import DPO, EVERY, GRPO, ONLINE_DPO, REWARD, RLOO, SFT
from rlhflint.frameworks.trl.proposals import put, remove
from rlhflint.frameworks.trl.session import details_of
from rlhflint.rule import ADVICE, ERROR, SILENT, STARTUP, WARNING, Draft, rule
from rlhflint.value import Known, Undetermined

if TYPE_CHECKING:
    from rlhflint.frameworks.trl.models.grpo import GRPOModel
    from rlhflint.frameworks.trl.models.online_dpo import OnlineDPOModel
    from rlhflint.frameworks.trl.models.reward import RewardModel
    from rlhflint.frameworks.trl.models.sft import SFTModel
    from rlhflint.frameworks.trl.models.shared import TrainerModel

INIT, ROUTER, DATA = "model_init_kwargs", "router_aux_loss_coef", "train_dataset"
_REFUSED_BEFORE = {DPO: "0.19.0", GRPO: "0.22.0"}
_QUANTISED_ERROR = "1.8.0"


def streams(given: object) -> bool:
    """Whether a data set is known to be streamed."""
    return any(one.name == "streaming" and one.value == Known(True) for call in makers(given) for one in call.arguments)


@rule(
    "TR231",
    "iterable-dataset",
    severity=ERROR,
    stage=STARTUP,
    programs=(GRPO, SFT),
    applies=">=0.17.0",
    fix="unsafe",
)
def iterable_dataset(launch: GRPOModel | SFTModel) -> Iterator[Draft]:
    """Data that is streamed is divided among the processes by each of them.

    What happens: GRPO refuses streamed data from 0.17 to 1.8 (NotImplementedError); from 1.9 on it refuses
    dispatch_batches=True for them, and training without data where max_steps is not given. SFT switches
    dispatch_batches off, with a warning.

    Why: with dispatch_batches the first process makes the batches and sends tensors, which prompts are not
    (trainer/grpo_trainer.py@0.17.0, @1.9.0, trainer/sft_trainer.py@0.27.0).

    Example:
        # trl 1.0.0
        from datasets import load_dataset
        from trl import GRPOConfig, GRPOTrainer

        data = load_dataset("d", split="train", streaming=True)
        trainer = GRPOTrainer("m", reward_funcs=len, args=GRPOConfig(output_dir="out"), train_dataset=data)

    Use instead:
        # trl 1.0.0
        from datasets import load_dataset
        from trl import GRPOConfig, GRPOTrainer

        data = load_dataset("d", split="train")
        trainer = GRPOTrainer("m", reward_funcs=len, args=GRPOConfig(output_dir="out"), train_dataset=data)
    """
    streamed = launch.dataset_streaming if shipped(launch) else streams(launch.train_dataset)
    setting = "dataset_streaming" if shipped(launch) else DATA
    if not streamed:
        return
    release, since = launch.session.release, launch.session.since
    if launch.session.launch.program == GRPO and not since("1.9.0"):
        yield launch.finding(
            setting,
            message=f"the data is streamed: GRPO of TRL {release} refuses that",
            help="load it without streaming, or use TRL 1.9 or later",
        )
        return
    options = launch.accelerator_config
    dispatched = options.get("dispatch_batches") if isinstance(options, Mapping) else None
    if dispatched and (since("1.9.0") or since("0.27.0")):
        refused = launch.session.launch.program == GRPO
        yield launch.finding(
            "accelerator_config",
            setting,
            message="dispatch_batches is True for data that is streamed: TRL "
            f"{release} {'refuses that' if refused else 'sets it to False, with a warning'}",
            help="set it to False",
            severity=ERROR if refused else WARNING,
            stage=STARTUP if refused else SILENT,
            proposal=put(launch, "accelerator_config", {**options, "dispatch_batches": False})
            if isinstance(options, Mapping) and details_of(launch).form == "python"
            else None,
        )


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
    name = model_name(launch)
    known = model_facts(name, launch.session.file) if name is not None else None
    if known is None or not known.certain:
        raise Undetermined("model", "whether it has experts is not known")
    given = launch.given(ROUTER)
    if launch.session.since("1.14.0"):
        if not known.moe:
            yield launch.finding(
                ROUTER,
                "model",
                message=f"{ROUTER} {launch.router_aux_loss_coef} for {name}, which has no experts: TRL "
                f"{launch.session.release} refuses that",
                help="leave it out",
                proposal=remove(launch, ROUTER),
            )
    elif known.moe and not given:
        yield launch.finding(
            ROUTER,
            "model",
            message=f"{ROUTER} is 0.001 by default at TRL {launch.session.release} and takes the place of the "
            f"coefficient of {name}",
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


def _on(call: object, name: str) -> bool:
    found = argument_of(call, name)  # type: ignore[arg-type]
    return found is not None and found.value == Known(True)


@rule("TR246", "reward-head", severity=ERROR, stage=STARTUP, programs=REWARD, applies=">=0.29.0")
def reward_head(launch: RewardModel) -> Iterator[Draft]:
    """A reward model has one output.

    What happens: ValueError when the trainer is built.

    Why: the reward is a number; a classifier with two labels has two (trainer/reward_trainer.py@0.29.0).

    Example:
        # trl 1.9.0
        from transformers import AutoModelForSequenceClassification
        from trl import RewardConfig, RewardTrainer

        model = AutoModelForSequenceClassification.from_pretrained("m", num_labels=2)
        trainer = RewardTrainer(model, RewardConfig(output_dir="out"), train_dataset=None)

    Use instead:
        # trl 1.9.0
        from transformers import AutoModelForSequenceClassification
        from trl import RewardConfig, RewardTrainer

        model = AutoModelForSequenceClassification.from_pretrained("m", num_labels=1)
        trainer = RewardTrainer(model, RewardConfig(output_dir="out"), train_dataset=None)
    """
    if shipped(launch) or isinstance(launch.model, str):
        return
    labels = load_option(launch, "num_labels")
    if labels is not None and labels != 1:
        yield launch.finding(
            "model",
            message=f"the model is loaded with num_labels {labels}: TRL {launch.session.release} refuses a reward "
            "model with another number than 1",
            help="load it with num_labels=1",
        )


@rule("TR248", "online-dpo-reward-source", severity=ERROR, stage=STARTUP, programs=ONLINE_DPO, applies=">=0.23.0")
def online_dpo_reward_source(launch: OnlineDPOModel) -> Iterator[Draft]:
    """Online DPO has a judge or reward functions.

    What happens: ValueError where neither is given; with both, the reward functions are ignored with a warning.

    Why: one of them ranks the two answers (trainer/online_dpo_trainer.py@0.23.0).

    Example:
        # trl 0.24.0, transformers 4.56.2
        from trl import OnlineDPOConfig, OnlineDPOTrainer

        trainer = OnlineDPOTrainer("m", args=OnlineDPOConfig(output_dir="out"), train_dataset=None)

    Use instead:
        # trl 0.24.0, transformers 4.56.2
        from trl import OnlineDPOConfig, OnlineDPOTrainer

        args = OnlineDPOConfig(output_dir="out")
        trainer = OnlineDPOTrainer("m", reward_funcs=len, args=args, train_dataset=None)
    """
    call = details_of(launch).trainer_call
    if call is None or call.more or launch.session.launch.more:
        return
    given = [name for name in ("judge", "reward_funcs") if _handed(launch, name)]
    release = launch.session.release
    if not given:
        yield launch.finding(
            "reward_funcs",
            "judge",
            at=call.name_span,
            message=f"neither judge nor reward_funcs: TRL {release} refuses that",
            help="pass reward_funcs",
        )
    elif len(given) == 2:
        yield launch.finding(
            *given,
            message=f"judge and reward_funcs are both given: TRL {release} ignores reward_funcs, with a warning",
            help="leave one of them out",
            severity=WARNING,
            stage=SILENT,
        )


def _handed(launch: OnlineDPOModel, name: str) -> bool:
    """Whether the trainer is given something, known or not."""
    setting = launch.session.setting(name)
    return setting is not None and setting.value != Known(None)
