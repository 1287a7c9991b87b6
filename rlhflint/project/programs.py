"""Names of programs that a user writes down: each has to be one that a framework has."""

from __future__ import annotations

from rlhflint.registry import names, programs
from rlhflint.wording import did_you_mean


def known_program(text: str) -> str:
    """The text, which has to be the name of a program: `trl:grpo`. Raises `ValueError` with the nearest one."""
    if text not in programs():
        raise ValueError(f"{text!r} is no program{near(text) or ', such as openrlhf:train_sft or trl:grpo'}")
    return text


def known_target(text: str) -> str:
    """The text, which has to be the name of a program or of a framework. Raises `ValueError` with the nearest one."""
    if text not in programs() and text not in names():
        nearest = near(text) or did_you_mean(text, names())
        raise ValueError(f"{text!r} is neither a program (openrlhf:train_sft) nor a framework (openrlhf){nearest}")
    return text


def near(text: str) -> str:
    """`; did you mean 'trl:sft'?` for the program that a text may be a slip of; nothing if none is near."""
    by_name = [one for one in programs() if one.partition(":")[2] == text.replace("-", "_")]
    return f"; did you mean {by_name[0]!r}?" if by_name else did_you_mean(text, programs())
