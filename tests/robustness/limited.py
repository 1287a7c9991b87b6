"""Work done in a process of its own that may have only so much time and memory."""

from __future__ import annotations

import os
import pickle
import resource
import signal
from collections.abc import Callable
from typing import TypeVar

from tools.fuzz.worker import Hang, limits, restrict_memory

T = TypeVar("T")

SECONDS = 30
"""Processor time, as docs/bounds.md states it for one file."""


def limited(work: Callable[[], T]) -> T:
    """What `work` gives. Fails where it takes more than `SECONDS`, more memory than the bound, or ends the process."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        try:
            restrict_memory()
            # A loop in C does not let the first signal be heeded; it ends with the process.
            resource.setrlimit(resource.RLIMIT_CPU, (SECONDS * 2, SECONDS * 2 + 1))
            try:
                with limits(SECONDS):
                    told = True, work()
            except (Exception, Hang) as error:
                told = False, f"{type(error).__name__}: {error}"
            with os.fdopen(writer, "wb") as file:
                pickle.dump(told, file)
        finally:
            os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as file:
        data = file.read()
    _, status = os.waitpid(child, 0)
    if not data:
        signalled = os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0
        raise AssertionError(f"the process ended by signal {signal.Signals(signalled).name if signalled else status}")
    good, value = pickle.loads(data)
    assert good, value
    return value
