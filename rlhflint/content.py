"""Bytes as text."""

from __future__ import annotations

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
