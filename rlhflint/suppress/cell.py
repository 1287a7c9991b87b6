"""Comments of a notebook's cell: Python in which single lines, or the cell as a whole, may be of a shell."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rlhflint.suppress import python, shell
from rlhflint.suppress.comment import Comment

_SHELL_CELL = re.compile(r"\s*%%(?:bash|sh|script[ \t]+\S*sh|writefile[ \t]+\S+\.(?:sh|bash))\b[^\n]*\n?")
_COMMAND = re.compile(r"^(?:[ \t]*!|%)(?:[^\n]*\\\r?\n)*[^\n]*", re.MULTILINE)
"""A line that the notebook hands on: to a shell, or to one of its own commands."""
_OTHER = re.compile(r"(?!\\\r?\n)[^\r\n]")
"""Everything but line ends and the backslashes that continue lines."""


def comments(text: str) -> Iterator[Comment]:
    """The comments of a cell that may hold suppressions."""
    head = _SHELL_CELL.match(text)
    if head:
        yield from (comment.moved(head.end()) for comment in shell.comments(text[head.end() :]))
        return
    found = list(python.comments(_COMMAND.sub(_statement, text)))
    for line in _COMMAND.finditer(text):
        found += (one.moved(line.start()) for one in shell.comments(line[0]) if not one.alone)
    yield from sorted(found, key=lambda comment: comment.start)


def _statement(command: re.Match[str]) -> str:
    """A statement of Python in the place of the command, so that a comment above covers it."""
    blank = _OTHER.sub(" ", command[0])
    start = len(command[0]) - len(command[0].lstrip(" \t"))
    return f"{blank[:start]}0{blank[start + 1 :]}"
