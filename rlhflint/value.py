"""Values that are known, one of several, or not known."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias, TypeVar

from rlhflint.records import dataclass


@dataclass(frozen=True, slots=True)
class Known:
    """Exactly this value: text from a command line; text, number, list, mapping or None from Python and YAML."""

    value: object


@dataclass(frozen=True, slots=True)
class OneOf:
    """`default` unless something outside the file gives another one, as `${N:-8}` and `$1` with a default do."""

    default: object
    because: str


@dataclass(frozen=True, slots=True)
class Unknown:
    """Nothing is known of it. `because` names the variable or expression in the way."""

    because: str


Value: TypeAlias = Known | OneOf | Unknown


class Undetermined(Exception):
    """A rule asked for something that is not known; the engine counts its check as undecided.

    `what` is the canonical name of the setting, or the fact (`cluster`, `vllm`); `because` says what is in the way.
    """

    def __init__(self, what: str, because: str) -> None:
        super().__init__(f"{what}: {because}")
        self.what = what
        self.because = because


T = TypeVar("T")


def if_known(read: Callable[[], T]) -> T | None:
    """What `read` gives; None if it asks for something that is not known.

    For what a rule would like to say besides, where its finding is certain without it.
    """
    try:
        return read()
    except Undetermined:
        return None


def all_hold(*conditions: Callable[[], object]) -> bool:
    """Whether all conditions are true: not if one is known to be false, whatever is not known of the others.

    Raises `Undetermined` for the first that is not known if none is false.
    """
    missing: Undetermined | None = None
    for condition in conditions:
        try:
            if not condition():
                return False
        except Undetermined as undetermined:
            missing = missing or undetermined
    if missing is not None:
        raise missing
    return True


def any_holds(*conditions: Callable[[], object]) -> bool:
    """Whether one of the conditions is true, whatever is not known of the others.

    Raises `Undetermined` for the first that is not known if none is true.
    """
    missing: Undetermined | None = None
    for condition in conditions:
        try:
            if condition():
                return True
        except Undetermined as undetermined:
            missing = missing or undetermined
    if missing is not None:
        raise missing
    return False
