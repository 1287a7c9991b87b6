"""Reading a file that may turn out to be something else."""

from __future__ import annotations

import os
import stat


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
