"""`export`, `declare`, `local`, `readonly` and `unset`."""

from __future__ import annotations

from dataclasses import replace

from rlhflint.readers.shell.expansion.assignment import assign, read_assignment
from rlhflint.readers.shell.run.call import Call
from rlhflint.readers.shell.run.frame import Frame
from rlhflint.readers.shell.run.result import Result
from rlhflint.readers.shell.state import State, Variable
from rlhflint.readers.shell.syntax.word import NAME
from rlhflint.text import Traced

DECLARATIONS = frozenset({"export", "declare", "typeset", "local", "readonly"})
"""Commands whose arguments are assignments: they are not split into words."""


def declare(call: Call) -> Result:
    """`export`, `declare`, `local`, `readonly`."""
    name = call.words[0].text
    options = "".join(word.text[1:] for word in call.words[1:] if word.text.startswith("-"))
    removed = "n" in options and name == "export"
    exported = name == "export" or "x" in options
    frame = _function_frame(call) if name in ("local", "declare", "typeset") and "g" not in options else None
    state = call.state
    for word in call.written[1:]:
        assignment = read_assignment(word)
        if assignment is not None:
            if frame is not None:
                frame.local.add(assignment.name)
            if "i" in options:
                _mark_integer(state, assignment.name)
            value = assign(call.expansion, assignment, exported=exported, table="A" in options)
            call.interpreter.reading.assigned(assignment.name, value)
            continue
        for field in call.expansion.fields(word):
            if field.text.startswith("-") or not NAME.fullmatch(field.text):
                continue
            if exported or removed:
                state.export(field.text, exported=not removed)
            if frame is not None:
                _declare_local(state, field.text, frame, table="A" in options)
            elif "A" in options or "a" in options:
                _declare_array(state, field.text, table="A" in options)
            if "i" in options:
                _mark_integer(state, field.text)
    return Result(status=True, output=Traced())


def _declare_local(state: State, name: str, frame: Frame, *, table: bool) -> None:
    if name not in frame.local:
        frame.local.add(name)
        state.values[name] = Variable({} if table else None)


def _declare_array(state: State, name: str, *, table: bool) -> None:
    variable = state.variable(name)
    if variable is None or variable.value is None:
        state.values[name] = Variable({} if table else ())


def _mark_integer(state: State, name: str) -> None:
    variable = state.variable(name) or Variable(None)
    state.values[name] = replace(variable, integer=True)


def _function_frame(call: Call) -> Frame | None:
    for frame in reversed(call.interpreter.frames):
        if frame.kind == "function":
            return frame
    return None


def unset(call: Call) -> Result:
    """`unset NAME…`: variables, elements of arrays, or functions with `-f`."""
    functions = any(word.text == "-f" for word in call.words[1:2])
    for word in call.words[1:]:
        name, _, subscript = word.text.partition("[")
        if word.text.startswith("-") or not word.known:
            continue
        if functions:
            call.state.values.pop(name + "()", None)
        elif not subscript:
            call.state.values[name] = Variable(None)
        else:
            call.state.values[name] = Variable((Traced.hole(f"an element of ${name} was removed", many=True),))
    return Result(status=True, output=Traced())
