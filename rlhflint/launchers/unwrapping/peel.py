"""The program at the front of a command taken off, if it starts another one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Literal

from rlhflint.launchers.options.reading import OptionReading, read_options
from rlhflint.launchers.options.runners import runners_of
from rlhflint.launchers.options.table import Style, launcher_table, written_table
from rlhflint.launchers.unwrapping.layer import (
    CODE_RUNNERS,
    MODULE_LAUNCHERS,
    PROGRAM_LAUNCHERS,
    RUNS_SCRIPTS,
    SHELLS,
    Peeled,
    Words,
    basename,
    is_command,
    read_wrapper,
)
from rlhflint.launchers.unwrapping.python_line import is_python, read_python
from rlhflint.launchers.unwrapping.runner import peel_ray_job, peel_runner
from rlhflint.launchers.unwrapping.start import Wrapper, is_dotted, looks_like_module
from rlhflint.text import HOLE, Traced


def peel(words: Words) -> Peeled | None:
    """The program at the front of `words` if it starts another one."""
    first = words[0]
    program = basename(first)
    if not program:
        return _unknown_program(words) if HOLE in first.text else None
    if first.text in MODULE_LAUNCHERS:
        return _process_launcher(MODULE_LAUNCHERS[first.text], words, 1)
    if program in PROGRAM_LAUNCHERS:
        return _process_launcher(PROGRAM_LAUNCHERS[program], words, 1)
    if program == "accelerate" and len(words) > 1 and words[1].text == "launch":
        return _process_launcher("accelerate launch", words, 2)
    if is_python(program):
        wrapper, starts, rest = read_python(words)
        return Peeled(wrapper, rest, starts)
    if first.text in RUNS_SCRIPTS and (program != "coverage" or (len(words) > 1 and words[1].text == "run")):
        return _script_runner(words)
    if program == "ray":
        return peel_ray_job(words)
    for runner in runners_of(program):
        count = len(runner.subcommand)
        if tuple(word.text for word in words[1 : count + 1]) == runner.subcommand:
            return peel_runner(runner, words)
    if program in CODE_RUNNERS:
        return _shell(program, words)
    return None


def _unknown_program(words: Words) -> Peeled | None:
    """A program that is not known, where the words behind it tell what it starts all the same."""
    wrapper = Wrapper("", words[:1], more=words[0].because)
    for at, word in enumerate(words[1:65], 1):
        following = words[at + 1] if at + 1 < len(words) else None
        if word.text not in ("-m", "--module") or following is None:
            continue
        if looks_like_module(following.text) or (at == 1 and is_dotted(following.text)):
            # Whatever it is that takes the option, it runs this module.
            return Peeled(replace(wrapper, words=words[: at + 1]), words[at + 1 :], "module")
    if len(words) > 1:
        text = words[1].text
        if text.endswith(".py"):
            return Peeled(wrapper, words[1:], "script", doubt=wrapper.more)
        if text.count(".") > 1 and looks_like_module(text):
            return Peeled(wrapper, words[1:], "module", doubt=wrapper.more)
        if is_command(words[1], OptionReading()):
            return Peeled(wrapper, words[1:], "command", doubt=wrapper.more)
    return None


def _process_launcher(name: str, words: Words, count: int) -> Peeled:
    """deepspeed, torchrun, accelerate: `words[:count]` are the name."""
    table = launcher_table(name.replace(" ", "_"))
    reading = read_options(words[count:], table, starts_here=_is_python_target(("module",)))
    wrapper = read_wrapper(name, words, count, reading)
    starts: Literal["module", "script", "command"] = "script"
    if any(option.name == "no_python" for option in reading.options):
        starts = "command"
    elif any(option.name == "module" for option in reading.options):
        starts = "module"
    rest = words[count + reading.stop :]
    if not reading.dashes and len(rest) > 1 and rest[1].text == "--":
        # argparse takes a `--` directly behind the target for its own.
        rest = (rest[0], *rest[2:])
    return Peeled(wrapper, rest, starts, doubt=reading.doubt)


def _is_python_target(flags: tuple[str, ...]) -> Callable[[Traced, OptionReading], bool]:
    """Whether a word looks like a script, or like a module where one of the options `flags` is given."""

    def check(word: Traced, reading: OptionReading) -> bool:
        text = word.text
        if text.endswith(".py") or looks_like_module(text[-300:]):
            return True
        return is_dotted(text[:300]) and any(option.name in flags for option in reading.options)

    return check


def _script_runner(words: Words) -> Peeled:
    """A module such as pdb or debugpy that runs another Python program."""
    name = words[0].text
    count = 2 if name == "coverage" else 1
    reading = read_options(words[count:], written_table(name, RUNS_SCRIPTS[name], Style.ARGPARSE))
    module = any(option.flag.text in ("-m", "--module") for option in reading.options)
    wrapper = read_wrapper(name, words, count, reading)
    return Peeled(wrapper, words[count + reading.stop :], "module" if module else "script", doubt=reading.doubt)


def _shell(program: str, words: Words) -> Peeled:
    """A shell: the script it reads, or the text behind `-c`; also `eval`, `source` and others that run a text."""
    if program in ("source", "."):
        return Peeled(Wrapper("source", words[:1]), words[1:], "script")
    if program not in SHELLS:
        return Peeled(Wrapper(program, words[:1]), words[1:], "code")
    code = False
    at = 1
    while at < len(words) and words[at].text[:1] in ("-", "+") and len(words[at].text) > 1:
        text = words[at].text
        at += 1
        if text == "--":
            break
        if text in ("-o", "+o", "-O", "+O", "--rcfile", "--init-file"):
            at += 1
        elif not text.startswith("--") and "c" in text[:20]:
            code = True
    wrapper = Wrapper(program, words[:at])
    return Peeled(wrapper, words[at:], "code" if code else "script")
