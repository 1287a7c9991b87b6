"""How the environment changes on its way through the programs that start a command."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TypeAlias

from rlhflint.launchers.unwrapping.start import Wrapper
from rlhflint.records import dataclass
from rlhflint.text import Span, Traced


@dataclass(frozen=True, slots=True)
class Variable:
    """An environment variable and where it was set.

    `source` fits behind "by": "export", "--runtime-env-json". `value_span` and `name_span` are the characters that
    made it; the latter is None where the name stands in no word of a command of its own.
    """

    name: str
    value: Traced
    source: str
    name_span: Span | None = None

    @property
    def value_span(self) -> Span | None:
        """The characters of the value."""
        return self.value.span


@dataclass(frozen=True, slots=True)
class Lost:
    """A variable that is set around a command and does not reach what it starts. `through` is the wrapper's name."""

    variable: Variable
    through: str


class Carried:
    """The environment on its way through the wrappers."""

    def __init__(self) -> None:
        self.variables: dict[str, Variable] = {}
        self.lost: dict[str, Lost] = {}
        self.more = ""

    def set(self, name: str, value: Traced, source: str, name_span: Span | None = None) -> None:
        """A variable is set here; `source` says by what, in words."""
        self.variables[name] = Variable(name, value, source, name_span)
        self.lost.pop(name, None)

    def set_all(self, variables: Mapping[str, Traced], source: str) -> None:
        """Several variables are set here."""
        for name, value in variables.items():
            self.set(name, value, source)

    def lose(self, through: str, keep: Iterable[str] = ()) -> None:
        """All variables but `keep` end here."""
        kept = set(keep)
        for name in [name for name in self.variables if name not in kept]:
            self.lost[name] = Lost(self.variables.pop(name), through)
        self.more = ""

    def unset(self, name: str) -> None:
        """A variable is taken out for certain."""
        self.variables.pop(name, None)

    def open(self, because: str) -> None:
        """Further variables may be set that cannot be seen."""
        self.more = self.more or because


Effect: TypeAlias = Callable[[Carried, Wrapper], None]


def _env(state: Carried, wrapper: Wrapper) -> None:
    if wrapper.given("ignore_environment"):
        state.lose("env -i")
    for option in wrapper.all("unset"):
        if option.value is not None:
            state.unset(option.value.text)
    state.set_all(wrapper.variables, "env")


def _sudo(state: Carried, wrapper: Wrapper) -> None:
    kept = wrapper.all("preserve_env")
    if not any(option.value is None for option in kept):
        names = (name for option in kept if option.value is not None for name in option.value.text.split(","))
        state.lose("sudo", names)
    state.set_all(wrapper.variables, "sudo")


def _container(state: Carried, wrapper: Wrapper) -> None:
    """docker and podman: nothing but what `-e` names and the files of `--env-file` hold."""
    before = dict(state.variables)
    state.lose(wrapper.name)
    for option in wrapper.all("env"):
        _assign(state, option.value, f"{wrapper.name} {option.flag.text}", before)
    if wrapper.given("env_file"):
        state.open("the file of --env-file is not read")
    if wrapper.more:
        state.open(wrapper.more)


def _apptainer(state: Carried, wrapper: Wrapper) -> None:
    """The environment outside goes in unless it is kept out; `--env A=B,C=D` and `APPTAINERENV_A` add to it."""
    before = dict(state.variables)
    if any(wrapper.given(name) for name in ("cleanenv", "containall")):
        state.lose(wrapper.name)
    for name, variable in before.items():
        for prefix in ("APPTAINERENV_", "SINGULARITYENV_"):
            if name.startswith(prefix):
                state.set(name.removeprefix(prefix), variable.value, variable.source)
    for option in wrapper.all("env"):
        for part in _commas(option.value):
            _assign(state, part, "--env", before)
    if wrapper.given("env_file"):
        state.open("the file of --env-file is not read")


def _slurm(state: Carried, wrapper: Wrapper) -> None:
    """`--export`: `ALL` by default; `NONE`, `NIL` keep all out, a list lets in what it names (Slurm srun.1@26.11)."""
    export = wrapper.value("export")
    if export is None:
        return
    if not export.known:
        state.open(export.because)
        return
    before = dict(state.variables)
    parts = _commas(export)
    if not any(part.text == "ALL" for part in parts):
        state.lose(f"{wrapper.name} --export")
    for part in parts:
        if part.text not in ("ALL", "NONE", "NIL"):
            _assign(state, part, "--export", before)


def _mpirun(state: Carried, wrapper: Wrapper) -> None:
    before = dict(state.variables)
    for option in wrapper.all("x"):
        _assign(state, option.value, "-x", before)
    for option in wrapper.all("genv"):
        name, _, _ = option.value.text.partition(" ") if option.value else ("", "", "")
        if name and option.value is not None:
            state.set(name, option.value[len(name) + 1 :], "-genv")


def _micromamba(state: Carried, wrapper: Wrapper) -> None:
    before = dict(state.variables)
    if wrapper.given("clean_env"):
        state.lose("micromamba run --clean-env")
    for option in wrapper.all("env"):
        _assign(state, option.value, "micromamba run -e", before)


def _uv(state: Carried, wrapper: Wrapper) -> None:
    if wrapper.given("env_file"):
        state.open("the file of --env-file is not read")


def _elsewhere(state: Carried, wrapper: Wrapper) -> None:
    """Another machine or container that starts from an environment of its own."""
    state.lose(wrapper.name)


_CONTAINERS = tuple(f"{name} {verb}" for name in ("docker", "podman", "nvidia-docker") for verb in ("run", "exec"))
_APPTAINER = ("apptainer exec", "singularity exec")
ELSEWHERE = frozenset({*_CONTAINERS, *_APPTAINER, "ssh", "kubectl exec"})
"""Wrappers of which what they start finds the packages of another machine or image."""

EFFECTS: Mapping[str, Effect] = {
    "env": _env,
    "sudo": _sudo,
    **dict.fromkeys(_CONTAINERS, _container),
    **dict.fromkeys(_APPTAINER, _apptainer),
    "srun": _slurm,
    "sbatch": _slurm,
    "mpirun": _mpirun,
    "micromamba run": _micromamba,
    "uv run": _uv,
    "ssh": _elsewhere,
    "kubectl exec": _elsewhere,
}


def _assign(state: Carried, word: Traced | None, source: str, before: Mapping[str, Variable]) -> None:
    """`NAME=value` sets a variable, `NAME` alone hands on one that was set before, in the script or outside it."""
    if word is None:
        return
    name, equals, _ = word.text.partition("=")
    if equals:
        state.set(name, word[len(name) + 1 :], source, word.span_of(0, len(name)))
    elif name in before:
        state.set(name, before[name].value, before[name].source, before[name].name_span)
    else:
        state.open(f"{name} is handed on from outside")


def _commas(word: Traced | None) -> list[Traced]:
    """The parts of a word between commas."""
    parts: list[Traced] = []
    start = 0
    for index, character in enumerate(word.text if word else ""):
        if character == "," and word is not None:
            parts.append(word[start:index])
            start = index + 1
    if word is not None:
        parts.append(word[start:])
    return parts
