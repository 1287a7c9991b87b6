"""Values named in messages, and the one that may be meant."""

from __future__ import annotations

import difflib
from collections.abc import Sequence

from rlhflint.wording import listed

_CLOSE = 0.6
_SHOWN = 12
_LONGEST = 64


def among(values: Sequence[str]) -> str:
    """The values as part of a sentence: `a, b or c`."""
    shown = [*values[:_SHOWN], *(["…"] if len(values) > _SHOWN else [])]
    return listed(shown) if shown else "nothing"


def nearest(text: str, values: Sequence[str]) -> str | None:
    """The value that a text is a slip of; None where none is alike."""
    if text.lower().replace("-", "_") in values:
        return text.lower().replace("-", "_")
    found = difflib.get_close_matches(text[:_LONGEST].lower(), values, n=1, cutoff=_CLOSE)
    return found[0] if found else None
