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


def read_regular(path: str, *, most: int, links: bool = True) -> bytes | None:
    """The first `most` bytes of the regular file at `path`.

    None for everything that cannot be read as one: nothing there, no permission, a folder, a pipe, a device. It never
    waits for a writer. `links`: whether a symbolic link is followed.
    """
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
    if not links:
        flags |= getattr(os, "O_NOFOLLOW", 0)
    try:
        descriptor = os.open(path, flags)
    except (OSError, ValueError):
        return None
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            return None
        chunks: list[bytes] = []
        while most > 0 and (chunk := os.read(descriptor, min(most, 1 << 20))):
            chunks.append(chunk)
            most -= len(chunk)
        return b"".join(chunks)
    except OSError:
        return None
    finally:
        os.close(descriptor)
