"""What the RLOO that was rewritten in 0.22 counts otherwise than the one before.

Up to 0.21 a rollout is per_device_train_batch_size · gradient_accumulation_steps · num_mini_batches completions of
every process, and is trained on in num_ppo_epochs · num_mini_batches optimizer steps; total_episodes counts completions
of all processes (trainer/rloo_trainer.py@0.21.0). From 0.22 on steps_per_generation batches make a rollout, and
max_steps counts optimizer steps; 0.22 to 0.24 put total_episodes // gradient_accumulation_steps there
(rloo_config.py@0.22.2).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rlhflint.call import Argument, Origin
from rlhflint.frameworks.trl.catalog.store import releases
from rlhflint.frameworks.trl.migration.values import Lost, given, spelled, typed
from rlhflint.frameworks.trl.session import details_in
from rlhflint.proposal import Change, Remove, Replace, SetValue
from rlhflint.records import dataclass
from rlhflint.value import Known

if TYPE_CHECKING:
    from collections.abc import Callable

    from rlhflint.frameworks.trl.migration.ends import Ends
    from rlhflint.launch import Launch, Setting

REWRITTEN = "0.22.0"
_FLOORED = "0.9.6"
"""The last release that leaves out a rollout that total_episodes fills in part."""
_EPISODES, _STEPS, _ACCUMULATED = "total_episodes", "max_steps", "gradient_accumulation_steps"
_BATCH, _MINI, _ROUNDS = "per_device_train_batch_size", "num_mini_batches", "num_ppo_epochs"
_EPOCHS, _SAMPLES = "num_train_epochs", "rloo_k"
_EXAMPLES = (1, 8)
"""Numbers of processes that a message works the steps out for."""


@dataclass(frozen=True, slots=True)
class Counted:
    """An option that counts something else at the end. `changes` write it; where `lost` they cannot be told."""

    changes: tuple[Change, ...] = ()
    lost: str = ""


def counted(launch: Launch, setting: Setting, name: str, ends: Ends) -> Counted | None:
    """What to write for an option that counts something else there; None where it is none of those."""
    make = _MADE.get(name)
    if make is None or ends.config.rpartition(":")[2] != "RLOOConfig" or _before(ends.to[0]):
        return None
    if isinstance(setting.origin, Argument) and setting.origin.origin is Origin.ATTRIBUTE:
        return Counted(lost="it is set on a configuration that is built already")
    found = make(launch, setting, ends)
    return None if found is None else Counted(lost=found.because) if isinstance(found, Lost) else Counted(found)


def epochs(launch: Launch, ends: Ends) -> tuple[Setting | None, str]:
    """The setting of the epochs and what to say of them, which counted completions; no words where they do not."""
    if ends.config.rpartition(":")[2] != "RLOOConfig" or not _before(ends.since[0]) or _before(ends.to[0]):
        return None, ""
    if _setting(launch, _EPISODES) is not None or _setting(launch, _STEPS) is not None or launch.more:
        return None, ""
    number, samples = _number(launch, _EPOCHS), _number(launch, _SAMPLES)
    wanted = f"{_EPOCHS}={number / samples:g}" if number is not None and samples else f"{_EPOCHS} / {_SAMPLES}"
    return _setting(launch, _EPOCHS), (
        f"{_EPOCHS} counted completions at TRL {ends.since[0]}, an epoch as many as the data set has rows; from "
        f"{REWRITTEN} on it counts rows, each with num_generations completions: write {wanted} to train on as many"
    )


def _before(release: str) -> bool:
    """Whether a release is older than the rewritten trainer."""
    return releases().position(release) < releases().position(REWRITTEN)


def _setting(launch: Launch, name: str) -> Setting | None:
    found = [one for one in launch.settings if one.name.lstrip("-").replace("-", "_") == name]
    return found[-1] if found else None


def _number(launch: Launch, name: str) -> float | None:
    """The number that an option holds, given or not; None where it is not known."""
    setting = _setting(launch, name)
    if setting is None:
        fields = details_in(launch).fields
        field = fields.get(name) if fields is not None else None
        value: object = None if field is None or launch.more else field.default
    else:
        found = typed(launch, setting)
        value = found.value if isinstance(found, Known) else None
    return value if isinstance(value, (int, float)) and not isinstance(value, bool) else None


def _whole(launch: Launch, name: str) -> int | None:
    number = _number(launch, name)
    return number if isinstance(number, int) else None


def _steps(launch: Launch, setting: Setting, ends: Ends) -> tuple[Change, ...] | Lost:
    """total_episodes as max_steps."""
    value = typed(launch, setting)
    if value == Known(None):
        return (Remove(setting),)
    total = value.value if isinstance(value, Known) and isinstance(value.value, int) else None
    accumulated = _whole(launch, _ACCUMULATED)
    if not _before(ends.since[0]):
        if total is None or not accumulated:
            return Lost(f"TRL {ends.since[0]} puts {_EPISODES} // {_ACCUMULATED} there: write that")
        return _put(launch, setting, total // accumulated)
    factors = (_whole(launch, _BATCH), accumulated, _whole(launch, _MINI))
    rounds = (_whole(launch, _MINI), _whole(launch, _ROUNDS))
    floor = releases().position(ends.since[0]) <= releases().position(_FLOORED)
    a_rollout, each = _product(*factors), _product(*rounds)
    if total is None or not a_rollout or not each:
        return Lost(
            f"{_counts(ends)}; write {_STEPS} = {_EPISODES} / ({_BATCH} × {_ACCUMULATED} × {_MINI} × processes), "
            f"rounded {'down' if floor else 'up'}, times {_MINI} × {_ROUNDS}"
        )

    def steps(processes: int) -> int:
        size = a_rollout * processes
        return (total // size if floor else -(-total // size)) * each

    processes = _processes(launch)
    if processes is not None:
        return _put(launch, setting, steps(processes))
    examples = " and ".join(f"{steps(one)} with {one} process{'es' * (one > 1)}" for one in _EXAMPLES)
    return Lost(
        f"{_counts(ends)}; write {_STEPS} = {total} / ({a_rollout} × processes), "
        f"rounded {'down' if floor else 'up'}, times {each}: {examples}"
    )


def _counts(ends: Ends) -> str:
    return f"TRL {ends.since[0]} counts completions of all processes, and TRL {ends.to[0]} optimizer steps"


def _product(*factors: int | None) -> int:
    """The product of whole numbers; 0 where one of them is not known, or is none to count with."""
    product = 1
    for one in factors:
        product *= one if one is not None and one > 0 else 0
    return product


def _put(launch: Launch, setting: Setting, steps: int) -> tuple[Change, ...]:
    """max_steps in the place of total_episodes, which won over a given one."""
    other = _setting(launch, _STEPS)
    words = given(setting, steps)
    if other is None:
        return (Replace(setting, ((spelled(setting, _STEPS), words),)),)
    return Remove(setting), SetValue(other, steps if other.origin is not None else str(steps))


def _processes(launch: Launch) -> int | None:
    """How many processes the command of a launch starts; None where that is not known from it alone."""
    if launch.start is None or launch.command is None:
        return None
    from rlhflint.launchers.processes.counting import processes

    world = processes(launch.start, launch.command, launch.script)
    return None if world.config_file is not None or world.hostfile is not None else world.total.number


def _rollout(launch: Launch, setting: Setting, ends: Ends) -> tuple[Change, ...] | Lost | None:
    """num_mini_batches as steps_per_generation, which counts batches that are not accumulated yet."""
    value, accumulated = typed(launch, setting), _whole(launch, _ACCUMULATED)
    if value == Known(None):
        return (Remove(setting),)
    if not _before(ends.since[0]) or accumulated == 1:
        return None
    if not (isinstance(value, Known) and isinstance(value.value, int)) or not accumulated:
        return Lost(f"write steps_per_generation = {_MINI} × {_ACCUMULATED}")
    return (Replace(setting, ((spelled(setting, "steps_per_generation"), given(setting, value.value * accumulated)),)),)


_MADE: dict[str, Callable[[Launch, Setting, Ends], tuple[Change, ...] | Lost | None]] = {
    _EPISODES: _steps,
    _MINI: _rollout,
}
