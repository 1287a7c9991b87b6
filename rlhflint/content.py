"""Bytes as text, and texts as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rlhflint.disk import Unreadable


def decode(data: bytes) -> str:
    """The text of a file's bytes. Raises `Unreadable` where they are no UTF-8 text."""
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
