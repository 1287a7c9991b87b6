"""What parameters hold: variables, positional and special parameters, elements of arrays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeAlias

from rlhflint.readers.shell import unknown
from rlhflint.readers.shell.expansion.expand import Expansion
from rlhflint.readers.shell.state import NAME, OTHERS, Gaps, Table, Variable
from rlhflint.readers.shell.syntax.source import Source
from rlhflint.readers.shell.syntax.word import read_parts
from rlhflint.readers.shell.unknown import identity
from rlhflint.text import Span, Traced

Value: TypeAlias = "Traced | None"
"""What a parameter holds; None if it is known not to be set."""


def value_of(expansion: Expansion, name: str, span: Span | None) -> Value:
    """What `$name` holds."""
    if name.isdigit() and int(name) > 0:
        return _argument(expansion, int(name), span)
    if name.isdigit():
        own = expansion.state.get(NAME)
        return own if isinstance(own, Traced) else Traced.hole(unknown.SCRIPT, span)
    if name == "#":
        count = length_of(expansion.state.arguments.words, span)
        return count if count is not None else Traced.hole("$# is the number of the script's arguments", span)
    if not (name[:1].isalpha() or name[:1] == "_") or name == "_":
        return Traced.hole(unknown.special(name), span)
    variable = expansion.state.variable(name)
    if variable is not None:
        return single(variable.scalar)
    if name == "BASH_SOURCE":
        return Traced.hole(unknown.SCRIPT, span)
    if name == "PWD":
        return expansion.state.directory or Traced.hole(unknown.START_FOLDER, span)
    return Traced.hole(unknown.environment(name), span)


def single(value: Value) -> Value:
    """The first of several words that a value may stand for."""
    if value is None or not value.many:
        return value
    return Traced(replace(piece, many=False) for piece in value.pieces)


def _argument(expansion: Expansion, number: int, span: Span | None) -> Value:
    """A positional parameter, counted from 1."""
    arguments = expansion.state.arguments
    for index, word in enumerate(arguments.words):
        if word.many:
            if word.because == unknown.ARGUMENTS:
                return Traced.hole(unknown.argument(number - index + arguments.shifted), span)
            return Traced.hole(word.because, span)
        if index == number - 1:
            return word
    return None


def length_of(words: Sequence[Traced], span: Span | None) -> Traced | None:
    """How many words there are; None if that is not known."""
    return None if any(word.many for word in words) else Traced.made(str(len(words)), span)


def emptiness(value: Value) -> bool | None:
    """Whether a value is not set or empty; None if that is not known."""
    if value is None or not value.text:
        return True
    if any(piece.because is None or piece.default for piece in value.pieces):
        return False
    return None


def is_empty(expansion: Expansion, value: Value, called: str, span: Span) -> bool:
    """Whether a value is not set or empty. Raises `Undecided` where that is not known."""
    from rlhflint.readers.shell.expansion.condition import ask

    known = emptiness(value)
    if known is not None or value is None:
        return bool(known)
    yes, no = f"{called} is not set", f"{called} is set"
    return ask(expansion, "empty", identity(value), "", span, yes, no)


def keys(variable: Variable) -> list[str]:
    """The subscripts of an array."""
    if isinstance(variable.value, Traced) or variable.value is None:
        return ["0"] if variable.value is not None else []
    return (
        [str(index) for index in range(len(variable.value))]
        if isinstance(variable.value, tuple)
        else list(variable.value)
    )


def element(expansion: Expansion, variable: Variable, source: Source, subscript: tuple[int, int], span: Span) -> Value:
    """One element of an array."""
    from rlhflint.readers.shell.expansion.arithmetic import number

    if isinstance(variable.value, Traced | tuple) or variable.value is None:
        index = number(expansion, source, *subscript)
        elements = variable.elements
        if index is None:
            because = f"the index {source.text[slice(*subscript)]} is not known"
            return Traced.hole(because, span)
        for place, word in enumerate(elements):
            if word.many and (index < 0 or place <= index):
                return Traced.hole(word.because, span)
        return elements[index] if -len(elements) <= index < len(elements) else None
    if isinstance(variable.value, Gaps):
        index = number(expansion, source, *subscript)
        if index is None:
            return Traced.hole(f"the index {source.text[slice(*subscript)]} is not known", span)
        return variable.value.get(str(index if index >= 0 else index + variable.value.end))
    table: Table = variable.value
    key = expansion.joined(expansion.segments(source, read_parts(source, *subscript), quoted=True))
    return single(table.get(key.text, table.get(OTHERS))) if key.known else Traced.hole(key.because, span)
