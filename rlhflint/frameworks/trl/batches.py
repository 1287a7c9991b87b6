"""The batches from which groups of answers are made, by release of TRL.

Letters as in upstream's messages: B per_device_train_batch_size, W processes, A gradient_accumulation_steps, S
steps_per_generation, G num_generations. All sizes count completions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rlhflint.frameworks.trl.programs import RLOO
from rlhflint.records import dataclass

if TYPE_CHECKING:
    from rlhflint.frameworks.trl.models.grpo import GRPOModel
    from rlhflint.frameworks.trl.models.rloo import RLOOModel


@dataclass(frozen=True, slots=True)
class Batch:
    """A number of completions that has to hold whole groups.

    `local` are those of one process, None where the whole batch was given as one number; `factors` are what `local` is
    made of, by setting.
    """

    total: int
    local: int | None
    factors: tuple[tuple[str, int], ...]
    processes: int | None = None

    @property
    def settings(self) -> tuple[str, ...]:
        """The settings it follows from."""
        return tuple(name for name, _ in self.factors)

    @property
    def written(self) -> str:
        """How it is worked out: `3 processes × per_device_train_batch_size 4 = 12`."""
        parts = [f"{name} {value}" for name, value in self.factors]
        if self.processes is not None:
            parts.insert(0, f"{self.processes} process{'es' if self.processes != 1 else ''}")
        return " × ".join(parts) + (f" = {self.total}" if len(parts) > 1 else "")


def grouped(launch: GRPOModel | RLOOModel) -> bool:
    """Whether the release samples groups: RLOO does so since 0.22."""
    return launch.session.launch.program != RLOO or launch.session.since("0.22.0")


def processes(launch: GRPOModel | RLOOModel) -> int:
    """The number of processes, W. Raises `Undetermined` where nothing says it."""
    return launch.session.world.total.need("the number of processes")


def generation_factors(launch: GRPOModel | RLOOModel) -> tuple[tuple[str, int], ...]:
    """What one process contributes to the batch that has to hold whole groups, in completions.

    0.15 and 0.16: B. 0.17: B·A. From 0.18: B·S, S being A where it is not given (trainer/grpo_trainer.py@0.15.0,
    @0.17.0, trainer/grpo_config.py@0.18.0).
    """
    size = ("per_device_train_batch_size", launch.per_device_train_batch_size)
    if not launch.session.since("0.17.0"):
        return (size,)
    steps = steps_given(launch) if launch.session.since("0.18.0") else None
    if steps is not None:
        return (size, ("steps_per_generation", steps))
    return (size, ("gradient_accumulation_steps", launch.gradient_accumulation_steps))


def steps_given(launch: GRPOModel | RLOOModel) -> int | None:
    """S as it is given; None where it is not, and follows from A or from generation_batch_size."""
    return launch.steps_per_generation if launch.given("steps_per_generation") else None


def generation_batch(launch: GRPOModel | RLOOModel) -> Batch | None:
    """The batch of completions that is generated at once and has to be a multiple of G; None where it surely is.

    A given generation_batch_size is that batch. Else it is what each process contributes times W, and W does not
    matter where one process alone fills whole groups. Raises `Undetermined` where a number is not known.
    """
    group = launch.num_generations or 0
    if launch.session.since("0.18.0") and launch.generation_batch_size is not None:
        total = launch.generation_batch_size
        return Batch(total, None, (("generation_batch_size", total),))
    return _over_processes(launch, generation_factors(launch), group)


def evaluation_batch(launch: GRPOModel | RLOOModel, group: int) -> Batch | None:
    """The batch of completions of an evaluation step, which has to be a multiple of the group; None where it is."""
    return _over_processes(launch, (("per_device_eval_batch_size", launch.per_device_eval_batch_size),), group)


def _over_processes(launch: GRPOModel | RLOOModel, factors: tuple[tuple[str, int], ...], group: int) -> Batch | None:
    local = 1
    for _, value in factors:
        local *= value
    if group > 0 and local % group == 0:
        return None
    count = processes(launch)
    return Batch(local * count, local, factors, count)


def divisors(number: int) -> tuple[int, ...]:
    """The divisors of a number from 2 up, for groups of at least two."""
    if not 0 < number <= 1_000_000:
        return ()
    return tuple(one for one in range(2, number + 1) if number % one == 0)


def nearest(values: tuple[int, ...], wanted: int) -> int | None:
    """The value nearest to what was wanted, the larger one of two; None where there is none."""
    return min(values, key=lambda one: (abs(one - wanted), -one), default=None)
