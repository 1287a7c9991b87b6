"""Packing and padding-free batches of SFT: samples that see each other, lengths that are not kept."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rlhflint.frameworks.trl.policy import ATTENTION, attention, is_flash
from rlhflint.frameworks.trl.programs import SFT
from rlhflint.frameworks.trl.proposals import put
from rlhflint.frameworks.trl.session import details_of
from rlhflint.proposal import SAFE
from rlhflint.rule import ADVICE, ERROR, SILENT, STARTUP, WARNING, Draft, rule

if TYPE_CHECKING:
    from rlhflint.frameworks.trl.models.sft import SFTModel

PACKING, FREE, STRATEGY = "packing", "padding_free", "packing_strategy"


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
    used = attention(launch)
    if is_flash(used):
        return
    what = PACKING if packed else FREE
    yield launch.finding(
        what,
        ATTENTION,
        message=f"{what} with {ATTENTION} {used!r}: the samples of a row attend to each other at TRL "
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
