"""Which of several changes stand where not all of them do: they are tried together, and then in halves."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Generic, Protocol, TypeVar

from rlhflint.records import dataclass

MOST_TRIES = 100
"""How often the files of a group are read and judged again, all rounds together."""
UNTOLD = f"{MOST_TRIES} tries did not tell which of the changes of these files can be made"


class Trial(Protocol):
    """What came of trying changes: `reason` says what speaks against them, and is empty if nothing does."""

    @property
    def reason(self) -> str:
        """What speaks against the changes."""


T = TypeVar("T")
Tried = TypeVar("Tried", bound=Trial)


@dataclass(slots=True)
class Tries:
    """How many tries are left."""

    left: int = MOST_TRIES


@dataclass(frozen=True, slots=True)
class Standing(Generic[T, Tried]):
    """The last try that nothing spoke against, which made every change that stands; None where none does.

    `refused` are the other changes, each with the reason.
    """

    trial: Tried | None
    refused: tuple[tuple[T, str], ...]


def standing(changes: Sequence[T], attempt: Callable[[Sequence[T]], Tried], tries: Tries) -> Standing[T, Tried]:
    """Which changes can be made together, found with as many tries as are left at most.

    Those that come first count for more: what is refused is refused beside everything before it that stands. With all
    of them standing that is one try; each that does not stand takes two more for every time that their number can be
    halved.
    """
    stand: list[T] = []
    refused: list[tuple[T, str]] = []
    last: Tried | None = None
    waiting = [_Part(list(changes))]
    while waiting:
        part = waiting.pop()
        reason = part.reason if len(stand) == part.beside else ""
        if not reason and tries.left < 1:
            refused += [(one, UNTOLD) for one in part.changes]
            continue
        if not reason:
            tries.left -= 1
            trial = attempt([*stand, *part.changes])
            reason = trial.reason
            if not reason:
                stand += part.changes
                last = trial
                continue
        if len(part.changes) == 1:
            refused.append((part.changes[0], reason))
            continue
        half = (len(part.changes) + 1) // 2
        first, second = part.changes[:half], part.changes[half:]
        waiting += [_Part(second, reason, len(stand) + half), _Part(first)]
    return Standing(last, tuple(refused))


@dataclass(frozen=True, slots=True)
class _Part(Generic[T]):
    """Changes to try; beside `beside` others it is known already what speaks against them."""

    changes: list[T]
    reason: str = ""
    beside: int = -1
