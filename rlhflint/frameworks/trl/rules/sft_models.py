"""Tokenizers and models of SFT: padding, chat templates, images."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from packaging.version import Version as Release

from rlhflint.frameworks.trl.conflicts import Conflict, conflicts
from rlhflint.frameworks.trl.datasets import has_images
from rlhflint.frameworks.trl.policy import facts_of, makers, model_name, shipped
from rlhflint.frameworks.trl.programs import SFT
from rlhflint.frameworks.trl.session import Present
from rlhflint.rule import ERROR, SILENT, STARTUP, WARNING, Draft, rule
from rlhflint.value import Undetermined, if_known

if TYPE_CHECKING:
    from rlhflint.call import Argument
    from rlhflint.frameworks.trl.models.sft import SFTModel

_PACKED = "ConstantLengthDataset"
_VISION = ("AutoModelForImageTextToText", "AutoModelForVision2Seq")


@rule("TR258", "pad-equals-eos", severity=WARNING, stage=SILENT, programs=SFT, applies="<0.16.1")
def pad_equals_eos(launch: SFTModel) -> Iterator[Draft]:
    """The end of a sequence is another token than padding, in releases that mask padding by its token.

    What happens: the end of every answer is masked together with the padding and is never learned: the model does not
    stop.

    Why: the collator of transformers masks each token that is the padding token; TRL has a collator of its own from
    0.16.1 on (trainer/sft_trainer.py@0.16.0, @0.16.1).

    Example:
        # trl 0.16.0, transformers 4.50.3
        from transformers import AutoTokenizer
        from trl import SFTConfig, SFTTrainer

        tokenizer = AutoTokenizer.from_pretrained("m")
        tokenizer.pad_token = tokenizer.eos_token
        trainer = SFTTrainer("m", SFTConfig(output_dir="out"), train_dataset=None, processing_class=tokenizer)

    Use instead:
        # trl 0.16.0, transformers 4.50.3
        from transformers import AutoTokenizer
        from trl import SFTConfig, SFTTrainer

        tokenizer = AutoTokenizer.from_pretrained("m")
        tokenizer.pad_token = "<|padding|>"
        trainer = SFTTrainer("m", SFTConfig(output_dir="out"), train_dataset=None, processing_class=tokenizer)
    """
    if shipped(launch) or launch.packing or launch.data_collator is not None:
        return
    assigned = _assigned(launch.processing_class, "pad_token")
    if assigned is None:
        return
    if _PACKED in (launch.session.file(launch.session.launch.path) or ""):
        return  # its rows are full, there is no padding
    if "eos_token" in getattr(assigned.value, "because", ""):
        yield launch.finding(
            "processing_class",
            at=assigned.span,
            message=f"the padding token is the end-of-sequence token: TRL {launch.session.release} masks both, and the "
            "model never learns to stop",
            help="pad with another token, or use TRL 0.16.1 or later",
        )


def _assigned(given: object, name: str) -> Argument | None:
    """The attribute that is set on an object handed over, on its way to the trainer."""
    argument = given.argument if isinstance(given, Present) else None
    if argument is None or argument.made is None:
        return None
    return next((one for one in reversed(argument.made.assigned) if one.name == name), None)


@rule("TR257", "conversation-without-template", severity=ERROR, stage=STARTUP, programs=SFT)
def conversation_without_template(launch: SFTModel) -> Iterator[Draft]:
    """Conversations need a chat template, which base models often lack.

    What happens: transformers raises "Cannot use chat template functions because tokenizer.chat_template is not set"
    when the data is prepared, or the first prompt rendered.

    Why: messages are put together by the template (trainer/sft_trainer.py@0.24.0). Said only where the model is known
    to have none and assistant_only_loss says that the data are conversations.

    Example:
        # trl 1.9.0
        from trl import SFTConfig, SFTTrainer

        args = SFTConfig(output_dir="out", assistant_only_loss=True)
        trainer = SFTTrainer("meta-llama/Llama-3.1-8B", args, train_dataset=None)

    Use instead:
        # trl 1.9.0
        from trl import SFTConfig, SFTTrainer

        args = SFTConfig(output_dir="out", assistant_only_loss=True)
        trainer = SFTTrainer("meta-llama/Llama-3.1-8B-Instruct", args, train_dataset=None)
    """
    if not launch.assistant_only_loss or launch.chat_template_path is not None:
        return
    known = if_known(lambda: facts_of(launch))
    if known is None or not known.certain or known.chat_template is None:
        raise Undetermined("model", "whether it has a chat template is not known")
    if known.chat_template:
        return
    if not shipped(launch):
        tokenizer = launch.processing_class
        if tokenizer is not None and (not makers(tokenizer) or _assigned(tokenizer, "chat_template") is not None):
            return
    yield launch.finding(
        "chat_template_path",
        "model_name_or_path" if shipped(launch) else "model",
        message=f"{model_name(launch)} has no chat template, and assistant_only_loss wants conversations",
        help="give chat_template_path (0.19 and later), set tokenizer.chat_template, or take a model that has one",
    )


def _vision(launch: SFTModel) -> bool:
    """Whether the model is known to be one of images and text."""
    return any(call.target.rpartition(".")[0].endswith(_VISION) for call in makers(launch.model))


def _turns(launch: SFTModel) -> bool:
    """Whether the loss is to be taken on turns that the release cannot find in data with images."""
    if not launch.assistant_only_loss or not launch.session.since("1.15.0"):
        return launch.assistant_only_loss
    return launch.session.stated("transformers") < Release("5.18.0")


_IMAGES = (
    Conflict("packing", lambda one: bool(one.packing), "packing", "0.22.0"),
    Conflict("padding_free", lambda one: one.padding_free, "padding_free", "0.22.0"),
    Conflict("assistant_only_loss", _turns, "assistant_only_loss", "0.22.0"),
    Conflict("truncation_mode", lambda one: one.truncation_mode == "keep_end", "truncation_mode keep_end", "1.0.0"),
)


@rule("TR226", "vision-data-with-packing", severity=ERROR, stage=STARTUP, programs=SFT, applies=">=0.22.0")
def vision_data_with_packing(launch: SFTModel) -> Iterator[Draft]:
    """Samples with images are not packed, nor their turns masked.

    What happens: ValueError when the trainer is built.

    Why: images belong to places of their sample (trainer/sft_trainer.py@0.22.0). Up to 1.9 the model decides, from
    1.10 on the data. From 1.15 on the loss can be taken on assistants' turns, with transformers 5.18 or later.

    Example:
        # trl 1.0.0
        from transformers import AutoModelForImageTextToText
        from trl import SFTConfig, SFTTrainer

        model = AutoModelForImageTextToText.from_pretrained("m")
        trainer = SFTTrainer(model, SFTConfig(output_dir="out", packing=True), train_dataset=None)

    Use instead:
        # trl 1.0.0
        from transformers import AutoModelForImageTextToText
        from trl import SFTConfig, SFTTrainer

        model = AutoModelForImageTextToText.from_pretrained("m")
        trainer = SFTTrainer(model, SFTConfig(output_dir="out"), train_dataset=None)
    """
    if shipped(launch):
        return
    by_data = launch.session.since("1.10.0")
    if not (has_images(launch.train_dataset) if by_data else _vision(launch)):
        return
    what = "data that have images" if by_data else "a model of images and text"
    for one in conflicts(launch, _IMAGES):
        yield launch.finding(
            one.setting,
            "train_dataset" if by_data else "model",
            message=f"{one.says} with {what}: TRL {launch.session.release} refuses that",
            help=f"leave {one.setting} out",
        )
