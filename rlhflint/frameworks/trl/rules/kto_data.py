"""Batches, order and balance of the data of KTO."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rlhflint.frameworks.trl.datasets import labels
from rlhflint.frameworks.trl.policy import shipped
from rlhflint.frameworks.trl.programs import KTO
from rlhflint.frameworks.trl.proposals import put
from rlhflint.rule import ERROR, SILENT, STARTUP, WARNING, Draft, rule

if TYPE_CHECKING:
    from rlhflint.frameworks.trl.models.kto import KTOModel

LOSS = "loss_type"


@rule("TR244", "kto-batch-of-one", severity=ERROR, stage=STARTUP, programs=KTO, applies=">=0.12.0", fix="unsafe")
def kto_batch_of_one(launch: KTOModel) -> Iterator[Draft]:
    """The loss of KTO needs batches of at least two on each device.

    What happens: ValueError "Actual (not effective) batch size must be > 1" when the trainer is built.

    Why: its KL is estimated with prompts and answers of one batch, mismatched; accumulation does not help
    (trainer/kto_trainer.py@0.12.0).

    Example:
        # trl 0.24.0, transformers 4.56.2
        from trl import KTOConfig

        args = KTOConfig(output_dir="out", per_device_train_batch_size=1, gradient_accumulation_steps=32)

    Use instead:
        # trl 0.24.0, transformers 4.56.2
        from trl import KTOConfig

        args = KTOConfig(output_dir="out", per_device_train_batch_size=2, gradient_accumulation_steps=16)
    """
    if launch.per_device_train_batch_size <= 1 and launch.loss_type == "kto":
        yield launch.finding(
            "per_device_train_batch_size",
            LOSS,
            message=f"per_device_train_batch_size is {launch.per_device_train_batch_size}: the loss kto needs at least "
            f"2 samples in a batch, whatever gradient_accumulation_steps is; TRL {launch.session.release} refuses to "
            "start",
            help="set it to 2 or more, and gradient_accumulation_steps to half",
            proposal=put(launch, "per_device_train_batch_size", 2),
        )


@rule("TR245", "kto-sampling", severity=ERROR, stage=STARTUP, programs=KTO, applies=">=0.8.0", fix="unsafe")
def kto_sampling(launch: KTOModel) -> Iterator[Draft]:
    """The loss of KTO needs its data in the order in which it prepared them, and both kinds of samples in balance.

    What happens: ValueError for another order when the trainer is built, from 1.6 on. Where the weighted numbers of
    desirable and undesirable samples are not between 1:1 and 4:3, a warning in the log.

    Why: prompts are paired with answers of their neighbours, which stay neighbours only where the order is kept
    (experimental/kto/kto_trainer.py@1.6.0); the balance is that of the paper (trainer/kto_trainer.py@0.24.0). Samples
    are counted where the script writes their labels down.

    Example:
        # trl 1.9.0
        from trl import KTOConfig

        args = KTOConfig(output_dir="out", train_sampling_strategy="random")

    Use instead:
        # trl 1.9.0
        from trl import KTOConfig

        args = KTOConfig(output_dir="out", train_sampling_strategy="sequential")
    """
    since = launch.session.since
    if since("1.6.0") and launch.train_sampling_strategy != "sequential" and launch.loss_type == "kto":
        yield launch.finding(
            "train_sampling_strategy",
            LOSS,
            message=f"train_sampling_strategy {launch.train_sampling_strategy} with the loss kto: TRL "
            f"{launch.session.release} refuses that",
            help='set it to "sequential"',
            proposal=put(launch, "train_sampling_strategy", "sequential"),
        )
    counts = None if shipped(launch) else labels(launch.train_dataset)
    if counts is not None and counts[0] != counts[1] and launch.session.has("desirable_weight"):
        yield from _balance(launch, *(max(count, 1) for count in counts))


def _balance(launch: KTOModel, desirable: int, undesirable: int) -> Iterator[Draft]:
    """Weights that leave the two kinds of samples out of balance."""
    weight, other = launch.desirable_weight, launch.undesirable_weight
    if weight is None or other is None:
        return
    low, high = (round(undesirable * other / desirable * bound, 2) for bound in (1, 1.33))
    least, most = (round(desirable * weight / undesirable / bound, 2) for bound in (1.33, 1))
    if low <= weight <= high or least <= other <= most:
        return
    yield launch.finding(
        "desirable_weight",
        "undesirable_weight",
        "train_dataset",
        message=f"{desirable} desirable samples of weight {weight} and {undesirable} undesirable ones of weight "
        f"{other}: their ratio is not between 1:1 and 4:3",
        help=f"set desirable_weight between {low} and {high}",
        severity=WARNING,
        stage=SILENT,
        proposal=put(launch, "desirable_weight", high),
    )
