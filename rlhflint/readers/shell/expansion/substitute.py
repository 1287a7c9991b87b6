"""Command substitution: `$(…)`, backquotes, `<(…)`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rlhflint.expressions import expression
from rlhflint.readers.shell import unknown
from rlhflint.readers.shell.expansion.assignment import read_assignment
from rlhflint.readers.shell.expansion.expand import Expansion
from rlhflint.readers.shell.expansion.output import PRINTING, ends_line
from rlhflint.readers.shell.syntax.part import Process, Substitution
from rlhflint.readers.shell.syntax.source import Source
from rlhflint.readers.shell.syntax.tree import AndOr, Body, Simple, Statement
from rlhflint.text import Piece, Traced

if TYPE_CHECKING:
    from rlhflint.readers.shell.run.interpreter import Interpreter

_ESCAPED = expression(r"\\(?=[\\`$])")
_DEEPEST = 12


def substitute(interpreter: Interpreter, expansion: Expansion, source: Source, part: Substitution | Process) -> Traced:
    """What a substitution puts in. The commands in it are run like any other; most of what they print is not known."""
    interpreter.reading.step(expansion.state.answers)
    written = source.text[part.start : part.end]
    span = source.span(part.start, part.end)
    body = _body(interpreter, source, part)
    state = expansion.state
    output: Traced | None = None
    status: bool | None = None
    if interpreter.substitutions < _DEEPEST:
        interpreter.substitutions += 1
        try:
            simple = _printing(body) if isinstance(part, Substitution) else None
            if simple is not None:
                output, status = _output(interpreter, expansion, simple)
            else:
                status = interpreter.apart(state, body)
        finally:
            interpreter.substitutions -= 1
    interpreter.substituted = status
    if output is None:
        return Traced.hole(unknown.output(written), span)
    return output[0 : len(output.text.rstrip("\n"))] or Traced([Piece("", span)])


def _body(interpreter: Interpreter, source: Source, part: Substitution | Process) -> Body:
    key = (source, part.start)
    known = interpreter.parsed.get(key)
    if known is None:
        start, end = part.inner
        if isinstance(part, Substitution) and part.backquoted and "\\" in source.text[start:end]:
            pieces: list[Piece] = []
            place = start
            for found in _ESCAPED.finditer(source.text, start, end):
                if found.start() >= place:
                    pieces.extend(source.cut(place, found.start()).pieces)
                    pieces.extend(source.cut(found.end(), found.end() + 1).pieces)
                    place = found.end() + 1
            pieces.extend(source.cut(place, end).pieces)
            span, extended = source.span(part.start, part.end), source.extended(part.start)
            source = Source(Traced(pieces), span, extended=extended)
            start, end = 0, len(source.text)
        known = interpreter.parsed[key] = interpreter.parse(source, start, end)
    return known


def _printing(body: Body) -> list[Simple] | None:
    """The commands of a body that runs from its first to its last, all of them such that their output may be known."""
    found: list[Simple] = []
    pending: list[Statement] = list(reversed(body))
    while pending:
        statement = pending.pop()
        if isinstance(statement, AndOr) and statement.operator == "&&":
            pending += [statement.right, statement.left]
        elif isinstance(statement, Simple) and _is_printing(statement):
            found.append(statement)
        else:
            return None
    return found


def _is_printing(node: Simple) -> bool:
    if node.kind != "word":
        return False
    name = _name(node)
    return not name or name in PRINTING


def _name(node: Simple) -> str:
    """The first word behind the assignments; empty if there is none."""
    return next((word.text for word in node.words if read_assignment(word) is None), "")


def _output(
    interpreter: Interpreter, expansion: Expansion, commands: list[Simple]
) -> tuple[Traced | None, bool | None]:
    """What commands print together, and how the last one ends."""
    from rlhflint.readers.shell.run.simple import perform

    state = expansion.state.copy()
    whole: Traced | None = Traced()
    status: bool | None = True
    for node in commands:
        result = perform(interpreter, state, node)
        status = result.status
        if _goes_elsewhere(node):
            continue
        if result.then is not None or result.output is None:
            whole = None
        elif whole is not None:
            whole = whole + result.output
            printed = result.output.text or _name(node) == "echo"
            if printed and ends_line(interpreter.reading.records[-1].command):
                whole = whole + Traced.made("\n", None)
    return whole, status


def _goes_elsewhere(node: Simple) -> bool:
    """Whether what a command prints goes to a file."""
    return any(
        redirection.operator.startswith((">", "&>")) and node.source.text[redirection.start] != "2"
        for redirection in node.redirections
    )
