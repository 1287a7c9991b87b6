"""Inputs given to targets under limits of time and memory, in a process that may die of them."""

from __future__ import annotations

import os
import resource
import signal
import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from mmap import mmap
from types import FrameType

from tools.fuzz.mutation import made
from tools.fuzz.seeds import seeds
from tools.fuzz.targets import Target

SECONDS = 20
"""Processor time that one input may take: a bound for hangs, a hundred times what the slowest one is meant to take."""
MEMORY = 2 << 30
"""Bytes of address space beyond those in use at the start."""
_STUCK = 90
"""Seconds without a new input after which the process is taken to hang outside of Python."""


class Hang(BaseException):
    """An input took more processor time than it may; no `except Exception` on the way catches it."""


@dataclass(frozen=True)
class Fault:
    """An input that a target failed on, and how."""

    target: str
    number: int
    text: str
    what: str


@contextmanager
def limits(seconds: float = SECONDS) -> Iterator[None]:
    """Raises `Hang` inside after so much processor time."""
    before = signal.signal(signal.SIGPROF, _late)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def _late(_signal: int, _frame: FrameType | None) -> None:
    raise Hang


def fault_of(target: Target, text: str) -> str | None:
    """How a target fails on a text, in a line that is the same for the same fault; None if it does not."""
    try:
        with limits():
            target.run(text)
    except (Exception, Hang) as error:
        frames = traceback.extract_tb(error.__traceback__)
        ours = [frame for frame in frames if "rlhflint" in frame.filename] or frames
        last = ours[-1]
        return f"{type(error).__name__} at {os.path.basename(last.filename)}:{last.lineno}: {str(error)[:200]}"
    return None


def restrict_memory() -> None:
    """Let this process have `MEMORY` more than it has: what grows without bound ends in a `MemoryError`."""
    with open("/proc/self/statm") as file:
        used = int(file.read().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + MEMORY, resource.RLIM_INFINITY))


def run(target: Target, campaign: int, numbers: range, tell: Callable[[Fault], None]) -> None:
    """Give a target these inputs of a campaign. One that kills the process is told as any other."""
    at = numbers.start
    while at < numbers.stop:
        at = _until_it_dies(target, campaign, range(at, numbers.stop), tell)


def _until_it_dies(target: Target, campaign: int, numbers: range, tell: Callable[[Fault], None]) -> int:
    """The number to go on with."""
    shared = mmap(-1, 8)
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        _in_child(target, campaign, numbers, shared, writer)
    os.close(writer)
    with os.fdopen(reader, "rb") as told:
        status = _wait(child, shared)
        for line in told.read().splitlines():
            number, _, what = line.decode("utf-8", "replace").partition(" ")
            text = made(target.kind, seeds(target.kind), campaign, int(number))
            tell(Fault(target.name, int(number), text, what))
    if status == 0:
        return numbers.stop
    number = int.from_bytes(shared[:8], "little")
    how = f"the process ended by signal {os.WTERMSIG(status)}" if os.WIFSIGNALED(status) else f"status {status}"
    tell(Fault(target.name, number, made(target.kind, seeds(target.kind), campaign, number), how))
    return number + 1


def _in_child(target: Target, campaign: int, numbers: range, shared: mmap, writer: int) -> None:
    status = 1
    try:
        restrict_memory()
        texts = seeds(target.kind)
        known: set[str] = set()
        for number in numbers:
            shared[:8] = number.to_bytes(8, "little")
            what = fault_of(target, made(target.kind, texts, campaign, number))
            if what is not None and what not in known and len(known) < 50:
                known.add(what)
                os.write(writer, f"{number} {' '.join(what.split())}\n".encode("utf-8", "replace")[:1000])
        status = 0
    except BaseException:
        traceback.print_exc(file=sys.stderr)
    finally:
        os._exit(status)


def _wait(child: int, shared: mmap) -> int:
    """The status a child ends with; one that stands still is ended."""
    import time

    last, since = b"", time.monotonic()
    pause = 0.01
    while True:
        pid, status = os.waitpid(child, os.WNOHANG)
        if pid:
            return status
        now = bytes(shared[:8])
        if now != last:
            last, since = now, time.monotonic()
        elif time.monotonic() - since > _STUCK:
            os.kill(child, signal.SIGKILL)
        time.sleep(pause)
        pause = min(pause * 2, 1.0)


def smaller(target: Target, text: str, attempts: int = 400) -> str:
    """A shorter text on which the target fails in the same way, found by leaving out parts."""
    wanted = (fault_of(target, text) or "").partition(":")[0]
    if not wanted or wanted.startswith("Hang"):
        return text
    size = max(len(text) // 2, 1)
    while size and attempts > 0:
        at = 0
        while at < len(text) and attempts > 0:
            attempts -= 1
            tried = text[:at] + text[at + size :]
            if (fault_of(target, tried) or "").partition(":")[0] == wanted:
                text = tried
            else:
                at += size
        size //= 2
    return text
