"""How a simple command went on one way."""

from __future__ import annotations

from collections.abc import Callable

from rlhflint.readers.shell.state import State
from rlhflint.records import dataclass
from rlhflint.text import Traced


@dataclass(frozen=True, slots=True)
class Result:
    """`status` says whether it succeeded, None if that is not known; `output` is what it prints, None if not known.

    `then` is what remains to be done once its words are known on every way: the body of a function, a nested script.
    It gives the state behind, None where the way ends.
    """

    status: bool | None = None
    output: Traced | None = None
    then: Callable[[State], State | None] | None = None
