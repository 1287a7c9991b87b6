"""Padding-free batches, and collators beside packing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rlhflint.frameworks.trl.policy import ATTENTION, attention, is_flash
from rlhflint.frameworks.trl.programs import DPO, SFT
from rlhflint.frameworks.trl.proposals import remove
from rlhflint.frameworks.trl.session import Present
from rlhflint.proposal import SAFE
from rlhflint.rule import ADVICE, ERROR, SILENT, STARTUP, WARNING, Draft, rule

if TYPE_CHECKING:
    from rlhflint.frameworks.trl.models.dpo import DPOModel
    from rlhflint.frameworks.trl.models.sft import SFTModel

PACKING, FREE = "packing", "padding_free"


@rule("TR221", "padding-free-with-collator", severity=ERROR, stage=STARTUP, programs=SFT, applies=">=0.16.0")
def padding_free_with_collator(launch: SFTModel) -> Iterator[Draft]:
    """Padding-free batches are made by TRL's own collator.

    What happens: ValueError "Passing a custom data collator is not supported when using padding-free" when the trainer
    is built.

    Why: another collator would pad (trainer/sft_trainer.py@0.16.0).

    Example:
        # trl 0.24.0, transformers 4.56.2
        from trl import SFTConfig, SFTTrainer

        def collate(rows):
            return rows

        args = SFTConfig(output_dir="out", padding_free=True, max_length=None)
        trainer = SFTTrainer("m", args, data_collator=collate, train_dataset=None)

    Use instead:
        # trl 0.24.0, transformers 4.56.2
        from trl import SFTConfig, SFTTrainer

        args = SFTConfig(output_dir="out", padding_free=True, max_length=None)
        trainer = SFTTrainer("m", args, train_dataset=None)
    """
    if launch.padding_free and launch.data_collator is not None:
        yield launch.finding(
            "data_collator",
            FREE,
            message=f"{FREE} with a data collator of your own: TRL {launch.session.release} refuses that",
            help=f"leave data_collator out, or {FREE}",
        )


@rule("TR264", "completion-collator-with-packing", severity=ERROR, stage=STARTUP, programs=SFT, applies="<0.15.0")
def completion_collator_with_packing(launch: SFTModel) -> Iterator[Draft]:
    """Loss on completions by a collator does not go with packing.

    What happens: ValueError "You passed a `DataCollatorForCompletionOnlyLM` to the SFTTrainer. This is not compatible
    with the `packing` argument" when the trainer is built.

    Why: the collator looks for one response in each row (trainer/sft_trainer.py@0.14.0).

    Example:
        # trl 0.14.0, transformers 4.48.3
        from trl import DataCollatorForCompletionOnlyLM, SFTConfig, SFTTrainer

        collator = DataCollatorForCompletionOnlyLM("### Answer:", tokenizer="t")
        args = SFTConfig(output_dir="out", packing=True)
        trainer = SFTTrainer("m", args, data_collator=collator, train_dataset=None)

    Use instead:
        # trl 0.14.0, transformers 4.48.3
        from trl import DataCollatorForCompletionOnlyLM, SFTConfig, SFTTrainer

        collator = DataCollatorForCompletionOnlyLM("### Answer:", tokenizer="t")
        args = SFTConfig(output_dir="out", packing=False)
        trainer = SFTTrainer("m", args, data_collator=collator, train_dataset=None)
    """
    if not launch.packing:
        return
    given = launch.data_collator
    argument = given.argument if isinstance(given, Present) else None
    made = argument.made if argument is not None else None
    if made is not None and made.call.target.endswith(".DataCollatorForCompletionOnlyLM"):
        yield launch.finding(
            PACKING,
            "data_collator",
            message=f"DataCollatorForCompletionOnlyLM with packing: TRL {launch.session.release} refuses that",
            help="set packing=False",
        )


@rule("TR266", "padding-free-alone", severity=ADVICE, stage=SILENT, programs=SFT, applies=">=0.16.0", fix="unsafe")
def padding_free_alone(launch: SFTModel) -> Iterator[Draft]:
    """padding_free is of use for batches of several samples that are not packed.

    What happens: upstream warns; a batch of one has no padding to save, and packed rows have none either.

    Why: it joins the samples of one batch into one row (trainer/sft_trainer.py@0.16.0, @0.19.0).

    Example:
        # trl 0.24.0, transformers 4.56.2
        from trl import SFTConfig, SFTTrainer

        args = SFTConfig(output_dir="out", padding_free=True, max_length=None, per_device_train_batch_size=1)
        trainer = SFTTrainer("m", args, train_dataset=None)

    Use instead:
        # trl 0.24.0, transformers 4.56.2
        from trl import SFTConfig, SFTTrainer

        args = SFTConfig(output_dir="out", padding_free=True, max_length=None, per_device_train_batch_size=8)
        trainer = SFTTrainer("m", args, train_dataset=None)
    """
    if not launch.padding_free:
        return
    if not launch.packing:
        if launch.per_device_train_batch_size == 1:
            yield launch.finding(
                FREE,
                "per_device_train_batch_size",
                message=f"{FREE} with per_device_train_batch_size 1: there is no padding to save",
                help="raise per_device_train_batch_size, or pack",
                proposal=remove(launch, FREE),
            )
    elif not launch.session.since("0.19.0") or launch.packing_strategy == "wrapped":
        yield launch.finding(
            FREE,
            PACKING,
            message=f"{FREE} together with packing: TRL {launch.session.release} advises against it",
            help='packing with packing_strategy="bfd" does both, from 0.20 on',
            proposal=remove(launch, FREE),
        )


@rule("TR217", "dpo-padding-free-off", severity=WARNING, stage=SILENT, programs=DPO, applies=">=0.14.0", fix="safe")
def dpo_padding_free_off(launch: DPOModel) -> Iterator[Draft]:
    """padding_free of DPO works with flash attention 2 up to 0.28, and not at all from 0.29 on.

    What happens: from 0.29 on it is switched off with a warning; before, without flash attention 2, samples of a batch
    attend to each other, with a warning in the log.

    Why: trainer/dpo_trainer.py@0.28.0, @0.29.0.

    Example:
        # trl 1.0.0
        from trl import DPOConfig

        args = DPOConfig(output_dir="out", padding_free=True)

    Use instead:
        # trl 1.0.0
        from trl import DPOConfig

        args = DPOConfig(output_dir="out")
    """
    if not launch.padding_free:
        return
    release = launch.session.release
    if launch.session.since("0.29.0"):
        yield launch.finding(
            FREE,
            message=f"TRL {release} switches {FREE} of DPO off, with a warning in the log",
            help="leave it out: batches are padded either way",
            proposal=remove(launch, FREE, SAFE),
        )
        return
    if not is_flash(attention(launch)):
        yield launch.finding(
            FREE,
            ATTENTION,
            message=f"{FREE} without flash attention 2: the samples of a batch attend to each other at TRL {release}",
            help='load the model with attn_implementation="flash_attention_2"',
        )
