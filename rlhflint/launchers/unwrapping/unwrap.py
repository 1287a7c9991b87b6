"""From a command to what it starts: one launcher after the other is taken off."""

from __future__ import annotations

from dataclasses import replace

from rlhflint.command import Command
from rlhflint.launchers.unwrapping.layer import (
    MODULE_LAUNCHERS,
    PROGRAM_LAUNCHERS,
    RUNS_SCRIPTS,
    Peeled,
    Words,
    basename,
)
from rlhflint.launchers.unwrapping.peel import peel
from rlhflint.launchers.unwrapping.start import (
    Fault,
    FaultKind,
    Kind,
    Start,
    Wrapper,
    looks_like_module,
    looks_like_path,
    module_of_path,
)
from rlhflint.text import HOLE, Traced

_LAYERS = 64
"""More programs than this, one starting the next, are not followed."""
_SCRIPTS = (".py", ".sh", ".bash", ".slurm", ".sbatch")
_MODULE_FLAG = {"deepspeed": "--module"}


def start_of(command: Command) -> Start | None:
    """What a command starts and through which launchers; None where it has no words.

    Commands that a shell text inside another command holds (`srun bash -c "…"`) have the wrappers around that text too.
    Words that cannot be known never make a start wrong: it is then `uncertain`, or its target is a hole.
    """
    if not command.words:
        return None
    around = tuple(_start(words).wrappers if words else () for words in command.within)
    start = _start(command.words)
    outer = tuple(wrapper for wrappers in around for wrapper in wrappers)
    counts = tuple(len(wrappers) for wrappers in around)
    return replace(start, wrappers=outer + start.wrappers, around=counts)


def _start(words: Words) -> Start:
    wrappers: list[Wrapper] = []
    doubts: list[str] = []
    faults: list[Fault] = []
    kind: Kind = "program"
    for _ in range(_LAYERS):
        peeled = peel(words)
        if peeled is None:
            break
        if peeled.starts == "nothing" or not peeled.rest:
            # The program itself is all that is started: an interpreter reading its input, a launcher without a target.
            break
        wrappers.append(peeled.wrapper)
        doubts.append(peeled.doubt)
        if peeled.fault is not None:
            faults.append(peeled.fault)
        words = peeled.rest
        if peeled.starts == "command" or _is_launcher(peeled.starts, words[0]):
            continue
        kind = peeled.starts
        fault = _fault(peeled, words[0])
        if fault is not None:
            faults.append(fault)
        break
    else:
        doubts.append(f"more than {_LAYERS} programs start one another")
    target = words[0]
    if kind == "program" and target.text.endswith(_SCRIPTS):
        kind = "script"
    if HOLE in target.text.rpartition("/")[2]:
        doubts.append(target.because)
    uncertain = "; ".join(dict.fromkeys(doubt for doubt in doubts if doubt))
    return Start(kind, target, words[1:], tuple(wrappers), tuple(faults), uncertain=uncertain)


def _is_launcher(starts: str, target: Traced) -> bool:
    """Whether a module or script is itself a launcher: `python -m torch.distributed.run`, `python bin/torchrun`."""
    if starts == "module":
        return target.text in MODULE_LAUNCHERS or target.text in RUNS_SCRIPTS
    return starts == "script" and (basename(target) in PROGRAM_LAUNCHERS or basename(target) == "accelerate")


def _fault(peeled: Peeled, target: Traced) -> Fault | None:
    """What is wrong with a target behind an interpreter or a launcher of Python programs."""
    text = target.text
    if peeled.starts == "module" and target.known and looks_like_path(text):
        return Fault(FaultKind.PATH_FOR_MODULE, target, module_of_path(text))
    if peeled.starts == "script" and target.known and looks_like_module(text):
        flag = _MODULE_FLAG.get(peeled.wrapper.name, "-m")
        return Fault(FaultKind.MODULE_WITHOUT_FLAG, target, f"{flag} {text}")
    return None
