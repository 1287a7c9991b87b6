"""Changes as a unified diff that `patch` and `git apply` take."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import unified_diff

_NO_END = "\\ No newline at end of file\n"


def unified(path: str, before: str, after: str) -> str:
    """The difference between two texts of a file, with three lines around each change; empty if there is none.

    Lines end at line feeds alone, so that carriage returns and other separators stay within their lines.
    """
    lines = unified_diff(_lines(before), _lines(after), f"a/{path}", f"b/{path}")
    return "".join(line if line.endswith("\n") else f"{line}\n{_NO_END}" for line in lines)


def _lines(text: str) -> list[str]:
    return list(_split(text))


def _split(text: str) -> Iterator[str]:
    start = 0
    while start < len(text):
        end = text.find("\n", start)
        end = len(text) if end < 0 else end + 1
        yield text[start:end]
        start = end
