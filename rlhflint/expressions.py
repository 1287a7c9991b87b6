"""Regular expressions that are compiled when one is first used.

The modules that a run loads hold some two hundred, of which it uses a fifth; to compile all of them is a tenth of what
a short run takes. To the type checker `expression` is `re.compile`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from re import compile as expression
else:
    import re

    class expression:  # noqa: N801
        """What `re.compile` gives for the same arguments, from the first use of a method on."""

        def __init__(self, pattern: str | bytes, flags: int = 0) -> None:
            self._arguments = pattern, flags

        def __getattr__(self, name: str) -> Any:
            found = getattr(re.compile(*self._arguments), name)
            setattr(self, name, found)  # so that the next use finds it at once
            return found


__all__ = ["expression"]
