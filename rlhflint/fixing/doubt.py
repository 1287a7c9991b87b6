"""The reason why something is not edited."""

from __future__ import annotations


class Doubt(Exception):
    """It is not certain what an edit would do; nothing is changed then. The message is a clause without its end."""
