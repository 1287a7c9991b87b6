"""The environment variables a started program sees, as far as its command and script set them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field
from itertools import takewhile
from types import MappingProxyType

from rlhflint.command import Command, Script
from rlhflint.launch import value_of
from rlhflint.launchers.carried import EFFECTS, Carried, Lost, Variable
from rlhflint.launchers.ray.cluster import ray_starts
from rlhflint.launchers.ray.job import RayJob, ray_job_of
from rlhflint.launchers.unwrapping.start import Start, Wrapper
from rlhflint.records import dataclass
from rlhflint.text import Traced
from rlhflint.value import Value


@dataclass(frozen=True, slots=True)
class Environment:
    """What a started program finds in its environment.

    `variables` are those known to reach it; `lost` those set for the command but kept out by one of its wrappers (a
    container, a submission to Ray). `more` says why others may be set that cannot be seen, beyond those that the
    script inherits itself.
    """

    variables: Mapping[str, Variable] = field(default_factory=lambda: MappingProxyType({}))
    lost: Mapping[str, Lost] = field(default_factory=lambda: MappingProxyType({}))
    more: str = ""

    def value(self, name: str) -> Traced | None:
        """The value of a variable that reaches the program."""
        variable = self.variables.get(name)
        return variable.value if variable else None

    @property
    def values(self) -> dict[str, Value]:
        """The values of the variables that reach the program, as far as they are known."""
        return {name: value_of(variable.value) for name, variable in self.variables.items()}


def environment_of(start: Start, command: Command, script: Script | None = None) -> Environment:
    """The variables in force for what `start`, made of `command`, starts.

    With the script it stands in, a job submitted to a Ray head that the script itself brings up before has the
    variables of that head too: Ray's workers inherit them from `ray start`.
    """
    state = Carried()
    levels = _exported_by_level(command)
    state.set_all(levels[0], "export")
    at = 0
    for level, count in enumerate(start.around, 1):
        _through(state, start.wrappers[at : at + count], command, script)
        at += count
        state.set_all(levels[level], "export")
    state.set_all(command.environment, "the command")
    _through(state, start.wrappers[at:], command, script)
    return Environment(MappingProxyType(state.variables), MappingProxyType(state.lost), state.more)


def _exported_by_level(command: Command) -> list[dict[str, Traced]]:
    """The exported variables by the text that sets them: the script first, then each text inside a command of it."""
    levels: list[dict[str, Traced]] = [{} for _ in range(len(command.within) + 1)]
    texts = [words[-1].span if words else None for words in command.within]
    for name, value in command.exported.items():
        level = 0
        for index, text in enumerate(texts, 1):
            if text is not None and value.span is not None and text.holds(value.span):
                level = index
        levels[level][name] = value
    return levels


def _through(state: Carried, wrappers: Iterable[Wrapper], command: Command, script: Script | None) -> None:
    for wrapper in wrappers:
        if wrapper.name == "ray job submit":
            _ray_job(state, wrapper, command, script)
        elif wrapper.name in EFFECTS:
            EFFECTS[wrapper.name](state, wrapper)


def _ray_job(state: Carried, wrapper: Wrapper, command: Command, script: Script | None) -> None:
    """The job runs on the cluster: the environment of its head, and the variables of the runtime environment."""
    job = ray_job_of(Start("program", wrapper.words[0], wrappers=(wrapper,)))
    state.lose(wrapper.name)
    if job is None:
        return
    for variable in _of_the_head(job, command, script).values():
        state.set(variable.name, variable.value, "ray start", variable.name_span)
    for name, entry in job.env_vars.items():
        if entry.value is not None:
            state.set(name, entry.value, "--runtime-env-json", entry.name.span)
    if job.more:
        state.open(job.more)


def _of_the_head(job: RayJob, command: Command, script: Script | None) -> Mapping[str, Variable]:
    """The variables of the one head that the script starts before the submission, on the same machine."""
    if script is None or not job.local:
        return {}
    before = {id(other) for other in takewhile(lambda other: other is not command, script.commands)}
    heads = [line for line in ray_starts(script, command) if line.head and id(line.command) in before]
    if len(heads) != 1:
        return {}
    return environment_of(heads[0].start, heads[0].command).variables
