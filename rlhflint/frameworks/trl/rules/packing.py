"""Packing and padding-free batches of SFT: samples that see each other, lengths that are not kept."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rlhflint.frameworks.trl.policy import load_option
from rlhflint.frameworks.trl.programs import DPO, SFT
from rlhflint.frameworks.trl.proposals import put, remove
from rlhflint.frameworks.trl.session import Present, details_of
from rlhflint.proposal import SAFE
from rlhflint.rule import ADVICE, ERROR, SILENT, STARTUP, WARNING, Draft, rule
from rlhflint.value import Undetermined

if TYPE_CHECKING:
    from rlhflint.frameworks.trl.models.dpo import DPOModel
    from rlhflint.frameworks.trl.models.sft import SFTModel

PACKING, FREE, STRATEGY, ATTENTION = "packing", "padding_free", "packing_strategy", "attn_implementation"


def _is_flash(name: object) -> bool:
    """Whether an implementation of attention keeps the samples of one row apart. An own kernel is taken to do so."""
    return not isinstance(name, str) or "flash" in name.lower() or "/" in name


def _attention(launch: SFTModel | DPOModel) -> object:
    """The implementation of attention that is asked for. Raises `Undetermined` where none is."""
    attention = load_option(launch, ATTENTION)
    if attention is None:
        raise Undetermined(ATTENTION, "it is not given: the model's own configuration decides")
    return attention


def _strategy(launch: SFTModel) -> str:
    """The packing strategy in force: before 0.19 there was one only, which cuts."""
    return launch.packing_strategy if launch.session.since("0.19.0") else "wrapped"


def _attention_written(launch: SFTModel) -> str:
    return "attn_implementation" if details_of(launch).form != "python" else 'model_init_kwargs["attn_implementation"]'


@rule(
    "TR219",
    "packing-without-flash-kernel",
    severity=WARNING,
    stage=SILENT,
    programs=SFT,
    applies=">=0.16.0,<1.16.0",
    fix="unsafe",
)
def packing_without_flash_kernel(launch: SFTModel) -> Iterator[Draft]:
    """Samples that share a row need an attention that keeps them apart.

    What happens: with another attention than flash attention the tokens of one sample attend to those before it in the
    row. The loss looks low, and the model learns from text it never sees again. TRL prints a warning at most.

    Why: where samples end is told to flash attention alone, up to 1.15; from 1.16 on TRL relies on the position ids,
    which every attention of transformers understands (trainer/sft_trainer.py@0.16.0, @1.15.0, @1.16.0).

    Example:
        # trl 0.24.0, transformers 4.56.2
        from transformers import AutoModelForCausalLM
        from trl import SFTConfig, SFTTrainer

        model = AutoModelForCausalLM.from_pretrained("m", attn_implementation="eager")
        trainer = SFTTrainer(model, SFTConfig(output_dir="out", packing=True), train_dataset=None)

    Use instead:
        # trl 0.24.0, transformers 4.56.2
        from transformers import AutoModelForCausalLM
        from trl import SFTConfig, SFTTrainer

        model = AutoModelForCausalLM.from_pretrained("m", attn_implementation="flash_attention_2")
        trainer = SFTTrainer(model, SFTConfig(output_dir="out", packing=True), train_dataset=None)
    """
    packed = launch.packing and _strategy(launch) in ("bfd", "bfd_split", "ffd")
    if not packed and not launch.padding_free:
        return
    attention = _attention(launch)
    if _is_flash(attention):
        return
    what = PACKING if packed else FREE
    yield launch.finding(
        what,
        ATTENTION,
        message=f"{what} with {ATTENTION} {attention!r}: the samples of a row attend to each other at TRL "
        f"{launch.session.release}, and nothing but a warning in the log says so",
        help=f'set {_attention_written(launch)} to "flash_attention_2", on the model itself, or do without {what}',
        proposal=put(launch, what, False),
    )


@rule(
    "TR220",
    "padding-free-with-max-length",
    severity=ERROR,
    stage=STARTUP,
    programs=SFT,
    applies=">=0.16.0",
    fix="unsafe",
)
def padding_free_with_max_length(launch: SFTModel) -> Iterator[Draft]:
    """Padding-free batches without packing do not cut samples to max_length.

    What happens: ValueError when the trainer is built, from 1.0 on; before, samples longer than max_length go through
    uncut, and memory is what the longest one takes.

    Why: the collator joins the samples as they are; 1024 is the default of max_length (trainer/sft_trainer.py@1.0.0).

    Example:
        # trl 1.0.0
        from trl import SFTConfig, SFTTrainer

        args = SFTConfig(output_dir="out", padding_free=True, max_length=4096)
        trainer = SFTTrainer("m", args, train_dataset=None)

    Use instead:
        # trl 1.0.0
        from trl import SFTConfig, SFTTrainer

        args = SFTConfig(output_dir="out", packing=True, max_length=4096)
        trainer = SFTTrainer("m", args, train_dataset=None)
    """
    if not launch.padding_free or launch.packing or launch.max_length is None:
        return
    refused = launch.session.since("1.0.0")
    given = "" if launch.given("max_length") else " (the default)"
    does = "refuses that" if refused else "does not cut longer samples, without a word"
    length = launch.session.spelling("max_length")
    yield launch.finding(
        FREE,
        "max_length",
        message=f"{FREE} without packing, and {length} {launch.max_length}{given}: TRL {launch.session.release} {does}",
        help=f"set {length}=None, or packing=True",
        severity=ERROR if refused else WARNING,
        stage=STARTUP if refused else SILENT,
        proposal=put(launch, PACKING, True),
    )


@rule("TR218", "packing-without-length", severity=ERROR, stage=STARTUP, programs=SFT, applies=">=0.15.0")
def packing_without_length(launch: SFTModel) -> Iterator[Draft]:
    """Packing needs the length of a row.

    What happens: ValueError "When packing is enabled, `max_length` can't be `None`" when the trainer is built.

    Why: rows are filled up to max_length (max_seq_length in 0.15) (trainer/sft_trainer.py@0.15.0).

    Example:
        # trl 0.24.0, transformers 4.56.2
        from trl import SFTConfig, SFTTrainer

        trainer = SFTTrainer("m", SFTConfig(output_dir="out", packing=True, max_length=None), train_dataset=None)

    Use instead:
        # trl 0.24.0, transformers 4.56.2
        from trl import SFTConfig, SFTTrainer

        trainer = SFTTrainer("m", SFTConfig(output_dir="out", packing=True, max_length=4096), train_dataset=None)
    """
    if launch.packing and launch.max_length is None:
        name = launch.session.spelling("max_length")
        yield launch.finding(
            PACKING,
            "max_length",
            message=f"{PACKING} without a length: {name} is None, and TRL {launch.session.release} refuses that",
            help=f"set {name} to the length of a packed row",
        )


@rule(
    "TR222",
    "requeue-does-not-isolate",
    severity=WARNING,
    stage=SILENT,
    programs=SFT,
    applies=">=0.29.0,<1.0.0",
    fix="safe",
)
def requeue_does_not_isolate(launch: SFTModel) -> Iterator[Draft]:
    """The strategy bfd-requeue needs padding_free set beside it.

    What happens: samples of one row attend to each other, without a word.

    Why: padding_free is switched on for the strategy "bfd" alone (trainer/sft_trainer.py@0.29.0).

    Example:
        # trl 0.29.1
        from trl import SFTConfig, SFTTrainer

        args = SFTConfig(output_dir="out", packing=True, packing_strategy="bfd-requeue")
        trainer = SFTTrainer("m", args, train_dataset=None)

    Use instead:
        # trl 0.29.1
        from trl import SFTConfig, SFTTrainer

        args = SFTConfig(output_dir="out", packing=True, packing_strategy="bfd-requeue", padding_free=True)
        trainer = SFTTrainer("m", args, train_dataset=None)
    """
    if launch.packing and launch.packing_strategy == "bfd-requeue" and not launch.padding_free:
        yield launch.finding(
            STRATEGY,
            FREE,
            message=f'{STRATEGY} "bfd-requeue" does not switch {FREE} on at TRL {launch.session.release}: the samples '
            "of a row attend to each other",
            help=f"set {FREE}=True",
            proposal=put(launch, FREE, True, SAFE),
        )


@rule("TR260", "wrapped-packing", severity=ADVICE, stage=SILENT, programs=SFT, fix="unsafe")
def wrapped_packing(launch: SFTModel) -> Iterator[Draft]:
    """Wrapped packing cuts samples anywhere and mixes them.

    What happens: rows begin and end in the middle of samples, and samples of one row see each other; that is how this
    strategy works.

    Why: up to 0.18 it is the only one; later "bfd" keeps samples whole and apart (data_utils.py@0.19.0).

    Example:
        # trl 0.24.0, transformers 4.56.2
        from trl import SFTConfig, SFTTrainer

        args = SFTConfig(output_dir="out", packing=True, packing_strategy="wrapped")
        trainer = SFTTrainer("m", args, train_dataset=None)

    Use instead:
        # trl 0.24.0, transformers 4.56.2
        from trl import SFTConfig, SFTTrainer

        args = SFTConfig(output_dir="out", packing=True, packing_strategy="bfd")
        trainer = SFTTrainer("m", args, train_dataset=None)
    """
    if not launch.packing or _strategy(launch) != "wrapped":
        return
    chosen = launch.session.since("0.19.0")
    yield launch.finding(
        *((STRATEGY, PACKING) if chosen else (PACKING,)),
        message=f"packing of TRL {launch.session.release}"
        + (' with packing_strategy "wrapped"' if chosen else "")
        + " cuts samples anywhere and lets those of one row see each other",
        help='packing_strategy="bfd" keeps samples whole' + ("" if chosen else ", from 0.20 on"),
        proposal=put(launch, STRATEGY, "bfd") if launch.session.since("0.20.0") else None,
    )


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
    if not _is_flash(_attention(launch)):
        yield launch.finding(
            FREE,
            ATTENTION,
            message=f"{FREE} without flash attention 2: the samples of a batch attend to each other at TRL {release}",
            help='load the model with attn_implementation="flash_attention_2"',
        )
