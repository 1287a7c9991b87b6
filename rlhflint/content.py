"""Bytes as text, and texts as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rlhflint.disk import Unreadable

_UTF16 = (b"\xff\xfe", b"\xfe\xff")
"""What a UTF-16 text begins with, as editors and redirections of Windows write it."""


def searched(data: bytes) -> bytes:
    """The bytes to search for words: of a UTF-16 text those that it has in UTF-8, of any other text its own."""
    return data.decode("utf-16", "replace").encode("utf-8", "replace") if data.startswith(_UTF16) else data


def decode(data: bytes) -> str:
    """The text of a file's bytes. Raises `Unreadable` where they are no UTF-8 text."""
    if data.startswith(_UTF16):
        raise Unreadable("it is UTF-16 text: no shell, Python or trainer reads it as it is")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        readable = data[: error.start].decode("utf-8")
        raise Unreadable(f"byte 0x{data[error.start]:02x} is not UTF-8 text", len(readable)) from None
    if "\0" in text:
        raise Unreadable("a NUL character: this is no text file", text.index("\0"))
    return text


def json_object(text: str | None, *, most: int) -> Mapping[str, Any] | None:
    """The object in a JSON text; None for no text, for one of more than `most` characters, and for anything else."""
    import json

    if text is None or len(text) > most:
        return None
    try:
        content = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return content if isinstance(content, dict) else None
