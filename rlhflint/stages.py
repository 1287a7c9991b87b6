"""How long the stages of a run take, where somebody asks.

Up to where they are counted the processor time of the process is that of its start; from there on time counts for the
innermost stage. Those that are shared out to processes are summed up over the processes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from time import perf_counter, process_time
from typing import TypeVar

T = TypeVar("T")

STAGES = {
    "start": "starting",
    "files": "finding files",
    "names": "searching for names",
    "memory": "remembering",
    "reading": "reading",
    "launches": "launches",
    "rules": "rules",
    "report": "report",
}
"""The stages in the order of a run, and how they are told."""


class Stages:
    """Seconds by stage."""

    def __init__(self) -> None:
        self.seconds = dict.fromkeys(STAGES, 0.0) | {"start": process_time()}
        self._within: list[str] = []
        self._since = 0.0

    def add(self, seconds: Mapping[str, float]) -> None:
        """Add what another process needed."""
        for name, more in seconds.items():
            self.seconds[name] += more

    def taken(self) -> dict[str, float]:
        """The seconds so far, which begin anew."""
        taken = {name: seconds for name, seconds in self.seconds.items() if seconds}
        self.seconds = dict.fromkeys(STAGES, 0.0)
        return taken

    def enter(self, name: str) -> None:
        """A stage begins, maybe within another one."""
        self._count()
        self._within.append(name)

    def leave(self) -> None:
        """The innermost stage ends."""
        self._count()
        self._within.pop()

    def __str__(self) -> str:
        return ", ".join(f"{told} {self.seconds[name]:.3f} s" for name, told in STAGES.items() if self.seconds[name])

    def _count(self) -> None:
        now = perf_counter()
        if self._within:
            self.seconds[self._within[-1]] += now - self._since
        self._since = now


_stages: ContextVar[Stages | None] = ContextVar("_stages", default=None)


def counting() -> Stages | None:
    """The stages that are counted, if somebody asked."""
    return _stages.get()


@contextmanager
def counted() -> Iterator[Stages]:
    """Count stages meanwhile."""
    stages = Stages()
    before = _stages.set(stages)
    try:
        yield stages
    finally:
        _stages.reset(before)


class Stage:
    """A stage, for a `with` statement."""

    __slots__ = ("name", "stages")

    def __init__(self, name: str) -> None:
        self.name = name
        self.stages = _stages.get()

    def __enter__(self) -> None:
        if self.stages is not None:
            self.stages.enter(self.name)

    def __exit__(self, *_: object) -> None:
        if self.stages is not None:
            self.stages.leave()


def each(name: str, things: Iterator[T]) -> Iterator[T]:
    """The things, each got in a stage."""
    while True:
        with Stage(name):
            try:
                thing = next(things)
            except StopIteration:
                return
        yield thing
