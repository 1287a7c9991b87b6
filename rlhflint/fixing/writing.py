"""Files written so that at every moment each of them is either as it was or as it should be.

The new text goes to a temporary file in the same folder, reaches the disk, and takes the place of the old file in one
step. A crash or a full disk leaves the old file. Only files are replaced whose text is still the one that was fixed.
"""

from __future__ import annotations

import os
import secrets
import stat
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from rlhflint.content import encode
from rlhflint.disk import Unreadable, read_bytes
from rlhflint.records import dataclass

_MARK = ".rlhflint-"


class NotWritten(Exception):
    """A file is left as it was; the message says why."""

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(f"{path}: {reason}")
        self.path = path
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Writing:
    """A file and the text it should get in place of another one."""

    path: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class _Prepared:
    writing: Writing
    target: Path
    """The file itself, where `path` is a link to it."""
    temporary: Path


def write_together(writings: Sequence[Writing], root: str) -> None:
    """Write files that make sense only together.

    All new texts are on the disk before the first file is replaced.

    Args:
        writings: the files; paths relative to the working directory, or absolute.
        root: the folder that no link may lead out of.

    Raises:
        NotWritten: a file cannot be written or has changed since it was read. None of the files is changed then, unless
            the disk fails between the replacement of one and the next.
    """
    with ExitStack() as stack:
        targets = [_target(writing, root) for writing in writings]
        for folder in sorted({target.parent for target in targets}):
            stack.enter_context(_alone_in(folder))
        prepared: list[_Prepared] = []
        try:
            for writing, target in zip(writings, targets, strict=True):
                _unchanged(writing, target)
                prepared.append(_prepare(writing, target))
            for one in prepared:
                _unchanged(one.writing, one.target)
            for one in prepared:
                _replace(one)
        finally:
            for one in prepared:
                with suppress(OSError):
                    one.temporary.unlink()


def _target(writing: Writing, root: str) -> Path:
    """The file to replace. Raises `NotWritten` where it must not be."""
    try:
        target = Path(writing.path).resolve(strict=True)
        mode, folder = target.stat().st_mode, target.parent.stat().st_mode
    except (OSError, RuntimeError) as error:
        raise NotWritten(writing.path, getattr(error, "strerror", None) or str(error)) from None
    if not target.is_relative_to(Path(root).resolve()):
        raise NotWritten(writing.path, f"it is a link to {target}, which lies outside of {root}")
    if not stat.S_ISREG(mode):
        raise NotWritten(writing.path, "it is not a regular file")
    if not mode & 0o222 or not os.access(target, os.W_OK):
        raise NotWritten(writing.path, "it is read-only")
    if not folder & 0o222 or not os.access(target.parent, os.W_OK):
        raise NotWritten(writing.path, "its folder is read-only")
    return target


@contextmanager
def _alone_in(folder: Path) -> Iterator[None]:
    """Keep other runs from writing in a folder, where the system can; elsewhere the texts they find differ."""
    try:
        import fcntl
    except ImportError:
        yield
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        with suppress(OSError):
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            for left in folder.glob(f".*{_MARK}{'?' * 12}"):  # of a run that was killed: any other one holds the lock
                left.unlink(missing_ok=True)
        yield
    finally:
        os.close(descriptor)


def _unchanged(writing: Writing, target: Path) -> None:
    try:
        now = read_bytes(target)
    except Unreadable as error:
        raise NotWritten(writing.path, str(error)) from None
    if now != _bytes(writing, writing.before):
        raise NotWritten(writing.path, "it changed while it was being fixed; run again")


def _bytes(writing: Writing, text: str) -> bytes:
    try:
        return encode(text, writing.path)
    except Unreadable as error:
        raise NotWritten(writing.path, str(error)) from None


def _prepare(writing: Writing, target: Path) -> _Prepared:
    """The new text in a file beside the old one, on the disk, with the old one's mode and owner."""
    temporary = target.with_name(f".{target.name[:100]}{_MARK}{secrets.token_hex(6)}")
    try:
        old = target.stat()
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0), 0o600)
        try:
            with open(descriptor, "wb") as file:
                file.write(_bytes(writing, writing.after))
                file.flush()
                _keep(old, descriptor)
                os.fsync(descriptor)
        except BaseException:
            with suppress(OSError):
                temporary.unlink()
            raise
    except OSError as error:
        raise NotWritten(writing.path, error.strerror or str(error)) from None
    return _Prepared(writing, target, temporary)


def _keep(old: os.stat_result, descriptor: int) -> None:
    """Give a new file the owner, if that is allowed, and the mode of the old one."""
    if hasattr(os, "fchown"):
        new = os.fstat(descriptor)
        for user, group in ((old.st_uid, old.st_gid), (-1, old.st_gid)):
            if (new.st_uid, new.st_gid) == (old.st_uid, old.st_gid):
                break
            with suppress(OSError):
                os.fchown(descriptor, user, group)
                break
    if hasattr(os, "fchmod"):
        os.fchmod(descriptor, stat.S_IMODE(old.st_mode))


def _replace(one: _Prepared) -> None:
    try:
        os.replace(one.temporary, one.target)
    except OSError as error:
        raise NotWritten(one.writing.path, error.strerror or str(error)) from None
    with suppress(OSError):
        descriptor = os.open(one.target.parent, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
