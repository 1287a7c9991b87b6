"""Names that stand for other variables: what `declare -n`, `local -n` and `typeset -n` make."""

from __future__ import annotations

from rlhflint.readers.shell.loosening import loosened
from rlhflint.readers.shell.state import Elements, Reference, State, Table, Variable
from rlhflint.readers.shell.syntax.word import NAME
from rlhflint.text import Span, Traced

_MOST = 8
"""References to references that are followed."""


def target(state: State, name: str) -> Reference:
    """What a name stands for in the end: the name of a variable, "" for none; None where that is not known.

    Raises `Undecided` where that differs between ways.
    """
    for _ in range(_MOST):
        found = state.get(name) if isinstance(state.peek(name), Reference) else None
        if not isinstance(found, Reference):
            return Reference(name)
        if not found.name:
            return found
        name = found.name
    return Reference(None, f"${name} refers to itself")


def referred(state: State, name: str) -> Variable | None:
    """The variable that a reference stands for; what it holds is unknown where that is."""
    found = target(state, name)
    if found.name is None:
        return Variable((Traced.hole(found.because, many=True),))
    return state.variable(found.name) if found.name else Variable(None)


def assign_referred(
    state: State, name: str, value: Traced | Elements | Table | None, *, exported: bool = False
) -> None:
    """Assign through a reference. One that stands for nothing yet is given the name of what it stands for.

    Where it is not known what it stands for, any variable may be what is assigned to.
    """
    found = target(state, name)
    if found.name:
        state.assign(found.name, value, exported=exported)
    elif found.name is None:
        loosen_all(state, f"may be changed through {name}: {found.because}")
    else:
        refer(state, name, value if isinstance(value, Traced) else None)


def name_of(state: State, name: str, span: Span | None) -> Traced | None:
    """What `${!name}` gives of a reference: the name of the variable it stands for."""
    found = target(state, name)
    if found.name is None:
        return Traced.hole(found.because, span)
    return Traced.made(found.name, span) if found.name else None


def refer(state: State, name: str, value: Traced | None) -> None:
    """Let a name stand for the variable that is named by `value`."""
    if value is None or not value.text:
        state.values[name] = Reference("")
    elif value.known and NAME.fullmatch(value.text):
        state.values[name] = Reference(value.text)
    else:
        because = value.because or f"{value.text} is not followed as the name of a variable"
        state.values[name] = Reference(None, because)


def loosen_all(state: State, because: str) -> None:
    """Leave no variable certain; `because` follows the name of each."""
    for key in list(state.names()):
        value = state.peek(key)
        if isinstance(value, Variable):
            state.values[key] = loosened(value, f"${key} {because}")
