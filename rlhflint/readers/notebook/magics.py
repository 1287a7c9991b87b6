"""What stands in a code cell besides Python: magics, shell commands, files."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import field

from rlhflint.expressions import expression
from rlhflint.readers.notebook.lines import Line, statements
from rlhflint.readers.notebook.pip import requirements
from rlhflint.records import dataclass
from rlhflint.text import HOLE, Piece, Traced

_CELL_MAGIC = expression(r"(?:[ \t]*(?:#[^\n]*)?\r?\n)*[ \t]*%%(\S*)[ \t]*([^\r\n]*)(?:\r?\n|$)")
_PYTHON_CELLS = frozenset({"capture", "time", "timeit", "prun", "memit", "mprun", "snakeviz", "wandb"})
_SHELL_CELLS = frozenset({"bash", "sh", "!", "sx", "system"})
_SHELLS = frozenset({"bash", "sh", "/bin/bash", "/bin/sh"})
_FILE_CELLS = frozenset({"writefile", "file"})
_MAGIC = expression(r"%{1,2}(\S+)[ \t]*")
_ASSIGNMENT = expression(r"(?:env|set_env)[ \t]+([A-Za-z_]\w*)(?:[ \t]*=[ \t]*|[ \t]+)(\S[^\r\n]*?)[ \t]*$")
_VALUE = expression(r"\{[A-Za-z_][\w.]*(?:\[[^\[\]{}]*\])?\}")
_UNKNOWN = "_ = get_ipython()"


@dataclass(frozen=True, slots=True)
class Requirement:
    """A word given to `pip install`: `trl==0.22.2`. `conditional`: it stands in a block, so it may not be installed."""

    text: Traced
    conditional: bool = False


@dataclass(frozen=True, slots=True)
class WrittenFile:
    """A file that a cell writes. `appended`: what was in the file stays."""

    name: str
    text: Traced
    appended: bool = False


@dataclass(slots=True)
class Content:
    """What a code cell holds; see `Notebook`."""

    python: Traced = field(default_factory=Traced)
    shell: list[Traced] = field(default_factory=list)
    files: list[WrittenFile] = field(default_factory=list)
    requirements: list[Requirement] = field(default_factory=list)
    environment: list[tuple[Traced, Traced]] = field(default_factory=list)


def content(cell: Traced) -> Content:
    """Take a code cell apart. Its Python has as many lines as the cell, whatever is taken out."""
    found = _CELL_MAGIC.match(cell.text)
    if found is None:
        return _lines(cell)
    name, rest, body = found[1], found[2].split(), cell[found.end() :]
    if name in _SHELL_CELLS or (name == "script" and rest and rest[0] in _SHELLS):
        result = Content(shell=[body])
        result.requirements += [Requirement(word) for word in requirements(body)]
        return result
    if name in _FILE_CELLS and rest:
        appended = rest[0] in ("-a", "--append")
        return Content(files=[WrittenFile(" ".join(rest[appended:]).strip("\"'"), body, appended)])
    if name in _PYTHON_CELLS:
        result = _lines(body)
        result.python = _blank(cell[: found.end()]) + result.python
        return result
    return Content()


def _lines(cell: Traced) -> Content:
    result = Content()
    pieces: list[Piece] = []
    for line in statements(cell.text):
        pieces += _line(cell, line, result).pieces
    result.python = Traced(pieces)
    return result


def _line(cell: Traced, line: Line, result: Content) -> Traced:
    """The Python that a statement stands for; what it does besides is noted."""
    whole = cell[line.start : line.end]
    if line.kind == "python":
        return whole
    before, command = cell[line.start : line.sign], cell[line.sign : line.end]
    head, breaks = _command(cell[line.sign : line.end])
    if line.kind == "magic" and (found := _MAGIC.match(command.text)) and found[1] == "time":
        return before + command[found.end() :]
    conditional = before.text.startswith((" ", "\t"))
    for shell in _shell(line.kind, head):
        result.shell.append(shell)
        result.requirements += [Requirement(word, conditional) for word in requirements(shell)]
    if line.kind == "magic" and (setting := _ASSIGNMENT.match(head.text.lstrip("%"))):
        shift = len(head) - len(head.text.lstrip("%"))
        name, value = setting.span(1), setting.span(2)
        pair = head[name[0] + shift : name[1] + shift], head[value[0] + shift : value[1] + shift]
        result.environment.append(pair)
    stand_in = "get_ipython()" if "=" in before.text else _UNKNOWN
    return before + Traced.made(stand_in, command.span) + breaks


def _shell(kind: str, head: Traced) -> Iterator[Traced]:
    """The shell text of a line, if it runs one."""
    if kind == "shell":
        yield _interpolated(head[len(head.text) - len(head.text.lstrip("!")) :])
        return
    found = _MAGIC.match(head.text)
    if kind != "magic" or found is None:
        return
    if found[1] in ("pip", "pip3", "conda", "mamba", "uv"):
        yield _interpolated(head[found.start(1) :])
    elif found[1] in ("sx", "system", "sh", "bash"):
        yield _interpolated(head[found.end() :])
    elif found[1] == "run":
        yield Traced.made("python ", head[: found.end()].span) + _interpolated(head[found.end() :])


def _interpolated(text: Traced) -> Traced:
    """A command with `{name}`, which IPython replaces by a value of Python, taken as unknown."""
    pieces: list[Piece] = []
    start = 0
    for found in _VALUE.finditer(text.text):
        pieces += text[start : found.start()].pieces
        span = text.span_of(found.start(), found.end())
        pieces.append(Piece(HOLE, span, because=f"{found[0]} is a value of Python"))
        start = found.end()
    return Traced([*pieces, *text[start:].pieces])


def _command(text: Traced) -> tuple[Traced, Traced]:
    """A line without the break at its end; and as many breaks as it has, to keep the lines in step."""
    end = len(text.text.rstrip("\r\n"))
    return text[:end], _blank(text)


def _blank(text: Traced) -> Traced:
    """The line breaks of a text alone."""
    pieces: list[Piece] = []
    for found in re.finditer(r"\r\n|\r|\n", text.text):
        pieces += text[found.start() : found.end()].pieces
    return Traced(pieces)
