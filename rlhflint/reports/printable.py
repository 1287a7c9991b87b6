"""User text made harmless for a terminal."""

from __future__ import annotations

import unicodedata


def printable(text: str) -> str:
    """`text` with control and formatting characters written as escapes, so that it cannot steer a terminal."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(_shown(character) for character in text)


def _shown(character: str) -> str:
    if character == "\t" or character.isprintable():
        return character
    if unicodedata.category(character) == "Zs":
        return " "
    return character.encode("unicode_escape").decode("ascii")
