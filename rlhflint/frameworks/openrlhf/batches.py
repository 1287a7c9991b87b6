"""Batches: what DeepSpeed accepts, how rollouts are cut into pieces, and the nearest numbers that work.

Batch sizes are samples: `train.batch_size` is what one optimizer step takes over all processes, micro batches are
what one process takes at a time. Sources: get_ds_train_config and get_ds_eval_config in
utils/deepspeed/deepspeed.py (utils/deepspeed.py before 0.5.8) and trainer/ray/launcher.py at 0.5.0 to 0.11.2.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import gcd, lcm
from typing import TYPE_CHECKING

from rlhflint.frameworks.openrlhf import roles
from rlhflint.frameworks.openrlhf.training import is_ppo
from rlhflint.records import dataclass
from rlhflint.value import if_known
from rlhflint.wording import listed

if TYPE_CHECKING:
    from rlhflint.frameworks.openrlhf.models.train_ppo_ray import TrainPPORay
    from rlhflint.frameworks.openrlhf.training import Living

_BEYOND_LAUNCHES = 10**10


@dataclass(frozen=True, slots=True)
class Crew:
    """The processes that hold one model, one on each GPU.

    `name` is the role in PPO, empty in the programs that have a single crew. `trains`: its weights are updated.
    `settings` are what its size is made of, `said` names it with its size: "the 8 GPUs of the critic group (1 × 8, the
    default)".
    """

    name: str
    gpus: int
    trains: bool
    settings: tuple[str, ...]
    said: str
    left: bool = False
    """Its size is the default."""


def crews(launch: Living) -> Iterator[Crew]:
    """The crews of a launch, one by one.

    A role of PPO of which something is not known is passed over; `Undetermined` is raised for it at the end. Raises it
    at once in the other programs where the number of processes is not known.
    """
    if is_ppo(launch):
        for role in roles.each(launch):
            if role.gpus <= 0:
                continue
            trains = role.name in ("actor", "critic")
            left = all(launch.session.setting(name) is None for name in role.settings)
            said = f"the {role.gpus} GPUs of the {role.title} group ({role.nodes} × {role.gpus_per_node}"
            yield Crew(role.name, role.gpus, trains, role.settings, f"{said}{', the default' * left})", left)
        return
    world = launch.session.world
    count = world.total.need("processes")
    yield Crew("", count, True, (), f"the {count} processes that {world.launcher or 'the launcher'} starts")


def by_size(crews_: Iterable[Crew]) -> dict[int, str]:
    """Crews in words, those of one size together: GPUs → "the 8 GPUs each of actor, critic and reward"."""
    found: dict[int, list[Crew]] = {}
    for crew in crews_:
        found.setdefault(crew.gpus, []).append(crew)
    return {gpus: _together(gpus, alike) for gpus, alike in found.items()}


def _together(gpus: int, alike: list[Crew]) -> str:
    if len(alike) == 1:
        return alike[0].said
    names = [roles.titled(crew.name) + " (the default)" * crew.left for crew in alike]
    return f"the {gpus} GPUs each of {listed(names, 'and')}"


def unit(gpus: int, micro: int, duplicates: int) -> int:
    """The number that `train.batch_size` has to be a multiple of for a crew of so many GPUs.

    DeepSpeed gets train.batch_size × duplicates as its batch and asks for a multiple of micro batch × processes.
    """
    least = micro * gpus
    return least // gcd(least, duplicates)


def common_unit(crews_: Iterable[Crew], micro: int, duplicates: int) -> int:
    """The number that `train.batch_size` has to be a multiple of for several crews at once."""
    return lcm(*(unit(crew.gpus, micro, duplicates) for crew in crews_))


def nearest(number: int, multiple_of: int) -> tuple[int, ...]:
    """The multiples next to a number, below (unless that is zero) and above; the number itself if it is one."""
    below = number // multiple_of * multiple_of
    if below == number and number > 0:
        return (number,)
    return tuple(one for one in (below, below + multiple_of) if one > 0)


def closest(number: int, candidates: Iterable[int]) -> int | None:
    """The candidate next to a number, the larger one of two that are equally near; None without candidates."""
    return min(candidates, key=lambda one: (abs(one - number), -one), default=None)


def divisors(number: int) -> tuple[int, ...]:
    """The divisors of a positive number, smallest first; of one beyond all sizes of launches only the trivial ones."""
    if not 0 < number < _BEYOND_LAUNCHES:
        return (1, number) if number > 1 else (1,)
    small = [one for one in range(1, int(number**0.5) + 1) if number % one == 0]
    return (*small, *(number // one for one in reversed(small) if one * one != number))


def samples(launch: TrainPPORay) -> int:
    """Samples of one rollout: prompts × samples for each."""
    return launch.rollout.batch_size * launch.rollout.n_samples_per_prompt


def chunks(launch: TrainPPORay) -> int:
    """Micro batches that a rollout is cut into and that are dealt out to the processes; the last may be smaller."""
    return -(-samples(launch) // launch.rollout.micro_batch_size)


def parallel(gpus: int, duplicates: int) -> int:
    """Processes of a crew that work on different data."""
    return gpus // duplicates


def works(launch: TrainPPORay, name: str, gpus: int) -> bool:
    """Whether nothing is known to speak against so many GPUs for a role: rings, batches, pieces and powers of two."""
    session, trains = launch.session, name in ("actor", "critic")
    dynamic = bool(if_known(lambda: launch.train.dynamic_batch_enable))
    waits = trains or if_known(lambda: launch.ds.zero_stage == 3)
    duplicates = if_known(lambda: roles.duplicates(launch)) or 1
    obstacles = (
        lambda: trains and not session.since("0.5.5.post1") and gpus & (gpus - 1),
        lambda: gpus % duplicates,
        lambda: (
            not (trains and dynamic) and launch.train.batch_size % unit(gpus, launch.train.micro_batch_size, duplicates)
        ),
        lambda: waits and not dynamic and session.since("0.7.1") and chunks(launch) % parallel(gpus, duplicates),
    )
    try:
        return not any(if_known(obstacle) for obstacle in obstacles)
    except ZeroDivisionError:
        return False


def alternatives(numbers: Iterable[int]) -> str:
    """Numbers in words: "96 or 112"."""
    return listed(list(numbers) or ["none"])
