"""Which tokens of SFT the loss is taken on, and the data and templates that this needs."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from rlhflint.frameworks.trl.conflicts import Conflict, conflicts
from rlhflint.frameworks.trl.policy import adapted
from rlhflint.frameworks.trl.programs import REWARD, SFT
from rlhflint.frameworks.trl.sharding import parallel_size, zero_stage
from rlhflint.rule import ADVICE, ERROR, STARTUP, WARNING, Draft, rule
from rlhflint.value import Undetermined

if TYPE_CHECKING:
    from rlhflint.frameworks.trl.models.reward import RewardModel
    from rlhflint.frameworks.trl.models.sft import SFTModel

_TEMPLATES = (".jinja", ".j2")


@rule("TR223", "completion-only-with-formatting", severity=ERROR, stage=STARTUP, programs=SFT, applies=">=0.18.0")
def completion_only_with_formatting(launch: SFTModel) -> Iterator[Draft]:
    """Loss on completions needs prompts and completions apart, which a formatting function joins.

    What happens: ValueError "A formatting function was provided while `completion_only_loss=True`" when the trainer is
    built.

    Why: formatting_func turns a sample into one text (trainer/sft_trainer.py@0.18.0).

    Example:
        # trl 0.24.0, transformers 4.56.2
        from trl import SFTConfig, SFTTrainer

        def text(row):
            return row["question"] + row["answer"]

        args = SFTConfig(output_dir="out", completion_only_loss=True)
        trainer = SFTTrainer("m", args, train_dataset=None, formatting_func=text)

    Use instead:
        # trl 0.24.0, transformers 4.56.2
        from trl import SFTConfig, SFTTrainer

        args = SFTConfig(output_dir="out", completion_only_loss=True)
        trainer = SFTTrainer("m", args, train_dataset=None)
    """
    if launch.completion_only_loss and launch.formatting_func is not None:
        yield launch.finding(
            "completion_only_loss",
            "formatting_func",
            message=f"completion_only_loss with a formatting_func: TRL {launch.session.release} refuses that",
            help="give the data as the columns prompt and completion, and leave formatting_func out",
        )


@rule("TR224", "assistant-only-loss-data", severity=ERROR, stage=STARTUP, programs=SFT, applies=">=0.19.0")
def assistant_only_loss_data(launch: SFTModel) -> Iterator[Draft]:
    """Loss on the assistant's turns needs conversations.

    What happens: ValueError "`assistant_only_loss=True`, but the dataset is not conversational" when the trainer is
    built.

    Why: the mask comes from the chat template, which is applied to messages; a formatting function or a text column
    gives plain text (trainer/sft_trainer.py@0.19.0).

    Example:
        # trl 0.24.0, transformers 4.56.2
        from trl import SFTConfig

        args = SFTConfig(output_dir="out", assistant_only_loss=True, dataset_text_field="text")

    Use instead:
        # trl 0.24.0, transformers 4.56.2
        from trl import SFTConfig

        args = SFTConfig(output_dir="out", assistant_only_loss=True)
    """
    if not launch.assistant_only_loss:
        return
    given = None
    if launch.given("dataset_text_field") and launch.dataset_text_field not in (None, "messages", "conversations"):
        given = "dataset_text_field"
    elif launch.formatting_func is not None:
        given = "formatting_func"
    if given is not None:
        yield launch.finding(
            "assistant_only_loss",
            given,
            message=f"assistant_only_loss with {given}: plain text has no turns, and TRL {launch.session.release} "
            "refuses it",
            help=f"give conversations in the column messages, and leave {given} out",
        )


def _selective(launch: Any) -> bool:
    options = launch.activation_checkpointing_kwargs
    return isinstance(options, dict) and bool(options.get("selective"))


def _context_parallel(launch: SFTModel) -> bool:
    return parallel_size(launch.parallelism_config, "cp_size") > 1


_COMBINATIONS = (
    Conflict(
        "loss_type",
        lambda one: one.loss_type == "dft" and one.compute_loss_func is not None,
        "the loss dft and a compute_loss_func of your own",
        "0.23.0",
    ),
    Conflict(
        "packing",
        lambda one: bool(one.packing) and _context_parallel(one),
        "packing and context parallelism (cp_size above 1)",
        "1.11.0",
    ),
    Conflict(
        "activation_checkpointing_kwargs",
        lambda one: _selective(one) and adapted(one) and zero_stage(one) == 3,
        "selective checkpointing of an adapter under ZeRO-3",
        "1.15.0",
    ),
)


@rule("TR227", "sft-loss-combination", severity=ERROR, stage=STARTUP, programs=SFT, applies=">=0.23.0")
def sft_loss_combination(launch: SFTModel) -> Iterator[Draft]:
    """Some options of SFT exclude each other.

    What happens: ValueError when the trainer is built.

    Why: the loss dft is computed by the trainer, packed rows cannot be cut over context-parallel ranks
    (trainer/sft_trainer.py@0.23.0, @1.11.0, @1.15.0).

    Example:
        # trl 0.24.0, transformers 4.56.2
        from trl import SFTConfig, SFTTrainer

        def loss(outputs, labels, num_items_in_batch=None):
            return outputs.loss

        args = SFTConfig(output_dir="out", loss_type="dft")
        trainer = SFTTrainer("m", args, train_dataset=None, compute_loss_func=loss)

    Use instead:
        # trl 0.24.0, transformers 4.56.2
        from trl import SFTConfig, SFTTrainer

        trainer = SFTTrainer("m", SFTConfig(output_dir="out", loss_type="dft"), train_dataset=None)
    """
    for one in conflicts(launch, _COMBINATIONS):
        yield launch.finding(
            one.setting,
            message=f"{one.says} do not go together: TRL {launch.session.release} refuses that",
            help="leave one of them out",
        )


@rule("TR263", "template-path-missing", severity=WARNING, stage=STARTUP, programs=(SFT, REWARD), applies=">=0.19.0")
def template_path_missing(launch: SFTModel | RewardModel) -> Iterator[Draft]:
    """A chat template is given by a path that exists.

    What happens: the name is taken for a tokenizer on the hub, and is not found there.

    Why: the templates that come with TRL are chosen by TRL itself and are not found by name
    (trainer/sft_trainer.py@0.19.0, @1.1.0).

    Example:
        # trl 1.9.0
        from trl import SFTConfig

        args = SFTConfig(output_dir="out", chat_template_path="qwen3_training.jinja")

    Use instead:
        # trl 1.9.0
        from trl import SFTConfig

        args = SFTConfig(output_dir="out", chat_template_path="templates/qwen3_training.jinja")
    """
    path = launch.chat_template_path
    if path is None or not path.endswith(_TEMPLATES) or os.path.dirname(path):
        return
    if launch.session.file(path) is None:
        text = launch.session.file(launch.session.launch.path) or ""
        if text.count(path) > 1:
            raise Undetermined("chat_template_path", "the script may write the file itself")
        yield launch.finding(
            "chat_template_path",
            message=f"{path} is not here, and the templates that come with TRL are not found by their names",
            help="write the path of the file; for answers alone assistant_only_loss takes the right template itself",
        )


@rule("TR259", "prepared-data-without-labels", severity=ERROR, stage=STARTUP, programs=SFT, applies=">=1.7.0")
def prepared_data_without_labels(launch: SFTModel) -> Iterator[Draft]:
    """Data that is prepared already has labels where the loss is not taken on all tokens.

    What happens: ValueError when the trainer is built.

    Why: with skip_prepare_dataset TRL does not turn the columns of masks into labels (trainer/sft_trainer.py@1.7.0).

    Example:
        # trl 1.9.0
        from trl import SFTConfig

        args = SFTConfig(
            output_dir="out", dataset_kwargs={"skip_prepare_dataset": True}, assistant_only_loss=True
        )

    Use instead:
        # trl 1.9.0
        from trl import SFTConfig

        args = SFTConfig(output_dir="out", assistant_only_loss=True)
    """
    options = launch.dataset_kwargs
    if not isinstance(options, dict) or not options.get("skip_prepare_dataset"):
        return
    asked = next((name for name in ("assistant_only_loss", "completion_only_loss") if getattr(launch, name)), None)
    if asked is not None:
        yield launch.finding(
            asked,
            "dataset_kwargs",
            message=f"{asked} with skip_prepare_dataset: TRL {launch.session.release} makes no labels of the mask "
            "then, and refuses data that has a mask and no labels",
            help="put labels into the data, -100 where no loss is taken",
            severity=ADVICE,
        )
