"""One program that starts another, taken off the front of a command; and how such programs are told."""

from __future__ import annotations

from typing import Literal, TypeAlias

from rlhflint.launchers.options.reading import OptionReading
from rlhflint.launchers.options.runners import runners_of
from rlhflint.launchers.unwrapping.python_line import is_python
from rlhflint.launchers.unwrapping.start import Fault, Wrapper
from rlhflint.records import dataclass
from rlhflint.registry import commands
from rlhflint.text import HOLE, Traced

Words: TypeAlias = tuple[Traced, ...]

SHELLS = ("bash", "sh", "zsh", "dash", "ksh", "ash")
CODE_RUNNERS = (*SHELLS, "eval", "su", "xargs", "parallel", "watch", "source", ".")
"""Programs that run a text or script which a shell reads."""
MODULE_LAUNCHERS = {
    "torch.distributed.run": "torchrun",
    "torch.distributed.launch": "torch.distributed.launch",
    "deepspeed.launcher.runner": "deepspeed",
    "accelerate.commands.launch": "accelerate launch",
}
"""Modules that are launchers: `python -m torch.distributed.run`."""
PROGRAM_LAUNCHERS = {
    "torchrun": "torchrun",
    "deepspeed": "deepspeed",
    "ds": "deepspeed",
    "accelerate-launch": "accelerate launch",
}
RUNS_SCRIPTS = {
    "pdb": "-c|--command= -m",
    "cProfile": "-o|--outfile= -s|--sort= -m",
    "debugpy": "--listen= --connect= --wait-for-client --configure-subProcess= --log-to= --log-to-stderr -m",
    "coverage": "-p|--parallel-mode -m|--module --source= --include= --omit= --branch --rcfile= -a|--append --timid",
}
"""Modules that run another Python program: their options, `-m` being a switch."""


@dataclass(frozen=True, slots=True)
class Peeled:
    """One wrapper taken off, and what is left."""

    wrapper: Wrapper
    rest: Words
    starts: Literal["command", "module", "script", "code", "nothing"]
    """How the rest is read: as a command line, or from the module, script or code on."""
    fault: Fault | None = None
    doubt: str = ""


def read_wrapper(name: str, words: Words, count: int, reading: OptionReading) -> Wrapper:
    """A wrapper whose name takes `count` words and whose options were read behind it."""
    stop = count + reading.stop
    return Wrapper(name, words[:stop], tuple(reading.options), more=reading.more, dashes=reading.dashes)


def basename(word: Traced) -> str:
    """The name of a program without its folder, its default if it has one; empty where it is not known."""
    name = word.text[-300:].rpartition("/")[2].removesuffix(".exe")
    if HOLE in name:
        name = (word.default or "")[-300:].rpartition("/")[2]
    return "" if " " in name else name


def is_command(word: Traced, _: OptionReading) -> bool:
    """Whether a word looks like the beginning of a command: a known launcher, an interpreter, a script."""
    program = basename(word)
    return (
        is_python(program)
        or program in PROGRAM_LAUNCHERS
        or program in ("accelerate", "ray", *CODE_RUNNERS)
        or program in commands()
        or program.endswith((".py", ".sh"))
        or bool(runners_of(program))
    )


def are_commands(words: Words) -> tuple[bool, ...]:
    """`is_command` of each word."""
    return tuple(is_command(word, OptionReading()) for word in words)
