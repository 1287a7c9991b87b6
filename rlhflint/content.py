"""Files as bytes and text, and why one cannot be had as such."""

from __future__ import annotations

import os
import stat

LARGEST = 20 * 1024 * 1024
"""Bytes of the largest file that is read."""


class Unreadable(Exception):
    """A file cannot be read as text; the message says why, `offset` where, in characters of what could be read."""

    def __init__(self, message: str, offset: int = 0) -> None:
        super().__init__(message)
        self.offset = offset


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


def read_bytes(path: str | os.PathLike[str]) -> bytes:
    """The content of a regular file. Raises `Unreadable` for anything else, and for one that is too large."""
    try:
        found = os.stat(path)
        if not stat.S_ISREG(found.st_mode):
            raise Unreadable("it is not a regular file")
        if found.st_size > LARGEST:
            raise Unreadable(f"it is larger than {LARGEST // 1024 // 1024} MiB")
        with open(path, "rb") as file:
            return file.read()
    except (FileNotFoundError, NotADirectoryError, ValueError):
        raise Unreadable("there is no such file") from None
    except OSError as error:
        raise Unreadable(error.strerror or str(error)) from None
