"""Where the parts of a launch will run, and what they take there: what a framework works out for `rlhflint plan`."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import field
from typing import TYPE_CHECKING, TypeVar

from rlhflint.records import dataclass
from rlhflint.value import Undetermined

if TYPE_CHECKING:
    from rlhflint.machines import Machines
    from rlhflint.memory import Engine, Stage

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Group:
    """Parts of a launch that share GPUs: names in words, and on how many GPUs each has a process.

    `first` is the number of the group's first GPU, counted over all machines in the order in which groups are placed;
    `names` are the GPUs as CUDA_VISIBLE_DEVICES of each machine has them, where that is known.
    """

    parts: tuple[str, ...]
    gpus: int
    first: int
    names: tuple[str, ...] = ()
    note: str = ""


@dataclass(slots=True)
class Plan:
    """What is known of a launch's placement and memory.

    `asked` is how many GPUs it needs, None where that is not known. `stages` are estimates for one GPU of the group
    that trains. `card` is the memory of a GPU in bytes. `undecided` says what is not known and why.
    """

    groups: list[Group] = field(default_factory=list)
    asked: int | None = None
    machines: Machines | None = None
    blocked: str = ""
    """The first group that finds too few GPUs, in words."""
    stages: list[Stage] = field(default_factory=list)
    card: float | None = None
    tokens: int | None = None
    """Tokens of the longest sample, which the estimates are for."""
    engine: Engine | None = None
    """What vLLM takes on each of its GPUs."""
    undecided: list[tuple[str, str]] = field(default_factory=list)

    @property
    def offered(self) -> int | None:
        """How many GPUs there are, None where nothing says so."""
        return self.machines.gpus.number if self.machines is not None else None

    @property
    def fits(self) -> bool | None:
        """Whether there are as many GPUs as are asked for; None where that is not known."""
        if self.asked is None or self.offered is None:
            return None
        return self.asked <= self.offered and not self.blocked

    def try_(self, read: Callable[[], T]) -> T | None:
        """What `read` gives; None where it asks for something that is not known, which is noted."""
        try:
            return read()
        except Undetermined as missing:
            self.unknown(missing)
            return None

    def unknown(self, missing: Undetermined) -> None:
        """Note once what is not known."""
        if (missing.what, missing.because) not in self.undecided:
            self.undecided.append((missing.what, missing.because))

    def estimate(self, stages: Iterable[Stage]) -> None:
        """Take over stages, those before the first that is not known."""
        try:
            for stage in stages:
                self.stages.append(stage)
        except Undetermined as missing:
            self.unknown(missing)
