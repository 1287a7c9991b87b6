"""The user's disk as a check sees it: each question is asked here, so that nothing a result rests on goes unnoted.

An answer is a value, also where there is nothing or nothing can be read. While a `Trail` is kept, it notes what was
asked and answered; `Trail.holds` asks again. What is looked at anew in every run is not asked here: the walk to the
files that are checked (`rlhflint/project/discovery.py`).
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from rlhflint.trail import Trail

LARGEST = 20 * 1024 * 1024
"""Bytes of the largest file that is read."""


class Entry(NamedTuple):
    """What a folder holds under a name. `folder`: it is one, or a link to one; `link`: it is a symbolic link."""

    name: str
    folder: bool
    link: bool


class Unreadable(Exception):
    """A file cannot be read as text.

    The message says why, `offset` where, in characters of what could be read; `remedy` is what can be done about it.
    """

    def __init__(self, message: str, offset: int = 0, remedy: str = "") -> None:
        super().__init__(message)
        self.offset = offset
        self.remedy = remedy


NOT_THERE = "check how the path is written, and from which folder"
NO_FILE = "name a file, or a folder to search; - is standard input"
NOT_ALLOWED = "make it readable for the user who runs the check, or exclude it"
"""What can be done about paths that cannot be read."""


def unreadable(error: Exception) -> Unreadable:
    """What an error of the system says of a path that was to be read."""
    if isinstance(error, (FileNotFoundError, NotADirectoryError)) or not isinstance(error, OSError):
        return Unreadable("there is no such file", remedy=NOT_THERE)
    remedy = NOT_ALLOWED if isinstance(error, PermissionError) else ""
    return Unreadable(error.strerror or str(error), remedy=remedy)


Answer = bytes | bool | str | tuple[Entry, ...] | tuple[str, ...] | Unreadable | None

_trail: ContextVar[Trail | None] = ContextVar("_trail", default=None)


@contextmanager
def noting(trail: Trail | None) -> Iterator[None]:
    """Have a trail note what is asked from here on; None for no trail."""
    before = _trail.set(trail)
    try:
        yield
    finally:
        _trail.reset(before)


def is_file(path: str) -> bool:
    """Whether there is a regular file; links are followed."""
    return ask("file", path) is True


def is_folder(path: str) -> bool:
    """Whether there is a folder; links are followed."""
    return ask("folder", path) is True


def exists(path: str) -> bool:
    """Whether there is anything; links are followed."""
    return ask("there", path) is True


def has_entry(path: str) -> bool:
    """Whether a folder holds a name, be it that of a link that leads nowhere."""
    return ask("entry", path) is True


def real(path: str) -> str | None:
    """The path once links are followed, as far as it exists; None for what cannot be a path."""
    answer = ask("real", path)
    return answer if isinstance(answer, str) else None


def entries(folder: str) -> tuple[Entry, ...] | None:
    """What a folder holds, by name; None where it cannot be listed."""
    answer: Answer = ask("entries", folder)
    return answer if isinstance(answer, tuple) else None  # type: ignore[return-value]


def matching(folder: str, pattern: str) -> tuple[str, ...]:
    """The paths below a folder that fit a glob, sorted."""
    answer: Answer = ask(f"matching {pattern}", folder)
    return answer if isinstance(answer, tuple) else ()  # type: ignore[return-value]


def walk(top: str) -> Iterator[tuple[str, list[str], list[str]]]:
    """Each folder below `top` with the names of folders and others in it; see `os.walk`. Links are not entered."""
    waiting = [top]
    while waiting:
        folder = waiting.pop()
        held = entries(folder) or ()
        below, links = [one.name for one in held if one.folder], {one.name for one in held if one.link}
        yield folder, below, [one.name for one in held if not one.folder]
        waiting += [os.path.join(folder, name) for name in reversed(below) if name not in links]


def read_bytes(path: str | os.PathLike[str]) -> bytes:
    """The content of a regular file. Raises `Unreadable` for anything else, and for one that is too large."""
    answer = ask("content", os.fspath(path))
    if isinstance(answer, bytes):
        return answer
    raise answer if isinstance(answer, Unreadable) else Unreadable("there is no such file", remedy=NOT_THERE)


def read_regular(path: str, *, most: int, links: bool = True) -> bytes | None:
    """The first `most` bytes of the regular file at `path`.

    None for everything that cannot be read as one: nothing there, no permission, a folder, a pipe, a device. It never
    waits for a writer. `links`: whether a symbolic link is followed.
    """
    answer = ask(f"{'start' if links else 'start-itself'} {most}", path)
    return answer if isinstance(answer, bytes) else None


def ask(question: str, path: str) -> Answer:
    """The answer to a question, which is a word and, for some, what it takes besides: `folder`, `start 4096`."""
    word, _, more = question.partition(" ")
    try:
        answer = _QUESTIONS[word](path, more)
    except (OSError, ValueError):
        answer = None
    if (trail := _trail.get()) is not None:
        trail.note(question, path, answer)
    return answer


def _entries(folder: str, _: str) -> tuple[Entry, ...]:
    with os.scandir(folder) as scan:
        return tuple(sorted(Entry(entry.name, _leads_to_folder(entry), entry.is_symlink()) for entry in scan))


def _leads_to_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:
        return False


def _matching(folder: str, pattern: str) -> tuple[str, ...]:
    import glob

    return tuple(sorted(glob.glob(os.path.join(glob.escape(folder), pattern))))


def _content(path: str, _: str) -> bytes | Unreadable:
    try:
        found = os.stat(path)
        if not stat.S_ISREG(found.st_mode):
            return Unreadable("it is not a regular file", remedy=NO_FILE)
        if found.st_size > LARGEST:
            return Unreadable(f"it is larger than {LARGEST // 1024 // 1024} MiB", remedy="exclude it")
        with open(path, "rb") as file:
            return file.read()
    except (OSError, ValueError) as error:
        return unreadable(error)


def _start(path: str, most: str, more_flags: int = 0) -> bytes | None:
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
    descriptor = os.open(path, flags | more_flags)
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            return None
        chunks: list[bytes] = []
        left = int(most)
        while left > 0 and (chunk := os.read(descriptor, min(left, 1 << 20))):
            chunks.append(chunk)
            left -= len(chunk)
        return b"".join(chunks)
    finally:
        os.close(descriptor)


_QUESTIONS: dict[str, Callable[[str, str], Answer]] = {
    "content": _content,
    "entries": _entries,
    "entry": lambda path, _: os.path.lexists(path),
    "file": lambda path, _: os.path.isfile(path),
    "folder": lambda path, _: os.path.isdir(path),
    "matching": _matching,
    "real": lambda path, _: os.path.realpath(path),
    "start": _start,
    "start-itself": lambda path, most: _start(path, most, getattr(os, "O_NOFOLLOW", 0)),
    "there": lambda path, _: os.path.exists(path),
}
