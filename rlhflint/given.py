"""Values on their way into a typed model: before conversion, and those that are not let in."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rlhflint.records import dataclass


@dataclass(frozen=True, slots=True)
class Given:
    """A value before conversion, with the converter of the release in force.

    `convert` gets `raw` and returns what the program would hold; it raises `ValueError` with a message that fits
    behind the name of the setting ("takes a whole number, not '1e5'").
    """

    raw: object
    convert: Callable[[Any], object]


@dataclass(frozen=True, slots=True)
class Refused:
    """A value that the program would not take. `message` fits behind the name of the setting."""

    canonical: str
    message: str
    cause: Exception | None = None
