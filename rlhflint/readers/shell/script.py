"""A script read from its first to its last line."""

from __future__ import annotations

from collections.abc import Callable

from rlhflint.command import Command, Problem, Script
from rlhflint.readers.shell import LONGEST, unknown
from rlhflint.readers.shell.reading import Exhausted, Reading
from rlhflint.readers.shell.run.interpreter import Interpreter
from rlhflint.readers.shell.state import ARGUMENTS, DIALECT, Arguments, State
from rlhflint.readers.shell.syntax.source import without_last_backslash
from rlhflint.text import Span, Traced

_LONGEST_LINE = 256
"""Characters of a first line that are looked at."""


def read(text: Traced, path: str, read_file: Callable[[str], str | None] | None) -> Script:
    """See `rlhflint.readers.shell.read_script`."""
    reading = Reading(path, read_file)
    whole = text.span or Span(path, 0, 0)
    start = Span(whole.path, whole.start, whole.start)
    if len(text) > LONGEST:
        end = text[LONGEST : LONGEST + 1].span or start
        text = text[:LONGEST]
        reading.problem("too-large", end, f"the script is longer than {LONGEST:,} characters; the rest was not read")
    text = without_last_backslash(text)
    state = State()
    zsh = _is_zsh(text.text, path)
    if zsh:
        state.values[DIALECT] = "zsh"
    state.values[ARGUMENTS] = Arguments((Traced.hole(unknown.ARGUMENTS, many=True),))
    interpreter = Interpreter(reading)
    try:
        interpreter.body(state, interpreter.read(text, start))
    except Exhausted:
        reading.problem("too-large", reading.place or start, "the script takes too many steps; the rest was not read")
    except RecursionError:
        reading.problem("too-large", reading.place or start, "the script is nested too deeply; the rest was not read")
    commands, problems = reading.commands(), tuple(reading.problems.values())
    if zsh and any(problem.kind == "syntax" for problem in problems):
        commands, problems = _as_far_as_understood(commands, problems)
    return Script(
        path=path,
        span=whole,
        commands=commands,
        problems=problems,
        directives=tuple(reading.directives),
        sourced=tuple(reading.sourced),
        assigned=tuple(reading.values),
    )


def _is_zsh(text: str, path: str) -> bool:
    """Whether a script is one of zsh, judged by its first line, or by its name where that says nothing."""
    if text.startswith("#!"):
        line = text[:_LONGEST_LINE].partition("\n")[0]
        return "zsh" in line.replace("/", " ").split()
    return path.endswith(".zsh")


def _as_far_as_understood(
    commands: tuple[Command, ...], problems: tuple[Problem, ...]
) -> tuple[tuple[Command, ...], tuple[Problem, ...]]:
    """What stands in front of the first thing that bash would refuse: zsh may read it, and all behind it, otherwise."""
    first = min((one for one in problems if one.kind == "syntax"), key=lambda one: one.span.start)
    told = Problem("not-static", first.span, "what zsh makes of this is not known; nothing behind it was read")
    before = [one for one in problems if one.span.path == first.span.path and one.span.start < first.span.start]
    read = [one for one in commands if one.span.path != first.span.path or one.span.start < first.span.start]
    return tuple(read), (*before, told)
