"""Flags of toyrl: unknown ones, and batches that do not divide."""

from __future__ import annotations

from collections.abc import Iterator

from rlhflint.frameworks.toyrl.framework import Train

from rlhflint.likeness import alike
from rlhflint.proposal import UNSAFE, Proposal, Rename, SetValue
from rlhflint.rule import ERROR, PARSE, STARTUP, Draft, rule


@rule("TY101", "unknown-flag", severity=ERROR, stage=PARSE, programs="toyrl:train", fix="unsafe")
def unknown_flag(launch: Train) -> Iterator[Draft]:
    """A flag has to be one that the program has.

    What happens: argparse ends with exit status 2.

    Why: toyrl/train.py@1.1.0.

    Example:
        python -m toyrl.train --model m --bacth 4

    Use instead:
        python -m toyrl.train --model m --batch 4
    """
    for setting in launch.session.launch.refused:
        meant = alike(setting.name, ["--model", "--lr", "--batch", "--micro"])
        yield launch.finding(
            at=setting.name_span,
            message=f"toyrl {launch.session.release} has no flag {setting.name}",
            help=f"did you mean {meant[0]}?" if meant else "leave it out",
            proposal=Proposal(f"Write {meant[0]}", UNSAFE, (Rename(setting, meant[:1]),)) if meant else None,
        )


@rule(
    "TY201", "batch-not-divided", severity=ERROR, stage=STARTUP, programs="toyrl:train", applies=">=1.1.0", fix="unsafe"
)
def batch_not_divided(launch: Train) -> Iterator[Draft]:
    """A batch is a whole number of micro batches.

    What happens: an assertion.

    Why: toyrl/train.py@1.1.0.

    Example:
        python -m toyrl.train --model m --batch 5 --micro 2

    Use instead:
        python -m toyrl.train --model m --batch 6 --micro 2
    """
    if launch.batch % launch.micro:
        setting = launch.session.setting("micro")
        yield launch.finding(
            "batch",
            "micro",
            message=f"--batch {launch.batch} is no multiple of --micro {launch.micro}",
            help="write --micro 1",
            proposal=Proposal("Write --micro 1", UNSAFE, (SetValue(setting, 1),)) if setting else None,
        )
