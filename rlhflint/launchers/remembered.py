"""What is asked of a script for each of its launches, worked out once."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TypeVar

from rlhflint.command import Script

T = TypeVar("T")


def remembered(function: Callable[[Script], T]) -> Callable[[Script], T]:
    """The same function, which keeps its answer for the script it was asked of last.

    A script of many launches would otherwise cost the square of their number. Scripts are told apart by identity: to
    compare them costs as much as the answer.
    """
    last: tuple[Script, T] | None = None

    @wraps(function)
    def answer(script: Script) -> T:
        nonlocal last
        if last is None or last[0] is not script:
            last = script, function(script)
        return last[1]

    return answer
