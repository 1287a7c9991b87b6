"""A script read from its first to its last line."""

from __future__ import annotations

from collections.abc import Callable

from rlhflint.command import Script
from rlhflint.readers.shell import LONGEST, unknown
from rlhflint.readers.shell.reading import Exhausted, Reading
from rlhflint.readers.shell.run.interpreter import Interpreter
from rlhflint.readers.shell.state import ARGUMENTS, Arguments, State
from rlhflint.readers.shell.syntax.source import without_last_backslash
from rlhflint.text import Span, Traced


def read(text: Traced, path: str, read_file: Callable[[str], str | None] | None) -> Script:
    """See `rlhflint.readers.shell.read_script`."""
    reading = Reading(path, read_file)
    whole = text.span or Span(path, 0, 0)
    start = Span(whole.path, whole.start, whole.start)
    if len(text) > LONGEST:
        text = text[:LONGEST]
        reading.problem("too-large", start, f"the script is longer than {LONGEST:,} characters; the rest was not read")
    text = without_last_backslash(text)
    state = State()
    state.values[ARGUMENTS] = Arguments((Traced.hole(unknown.ARGUMENTS, many=True),))
    interpreter = Interpreter(reading)
    try:
        interpreter.body(state, interpreter.read(text, start))
    except Exhausted:
        reading.problem("too-large", start, "the script takes too many steps; the rest was not read")
    except RecursionError:
        reading.problem("too-large", start, "the script is nested too deeply; the rest was not read")
    return Script(
        path=path,
        span=whole,
        commands=reading.commands(),
        problems=tuple(reading.problems.values()),
        directives=tuple(reading.directives),
        sourced=tuple(reading.sourced),
        assigned=tuple(reading.values),
    )
