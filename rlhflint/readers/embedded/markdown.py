"""Shell code in the fenced blocks of Markdown."""

from __future__ import annotations

from collections.abc import Iterator

from rlhflint.expressions import expression
from rlhflint.readers.embedded.words import with_holes
from rlhflint.text import Piece, Traced

_LANGUAGES = frozenset(["sh", "bash", "shell", "zsh", "console", "shell-session", "shellsession", "terminal"])
_OPENING = expression(r"(?P<indent>[ \t>]*)(?P<fence>`{3,}|~{3,})[ \t]*\{?\.?(?P<language>[\w-]*)[^\n]*")
_PROMPT = expression(r"[ \t]*(?:\([\w.-]+\)[ \t]*)?[$%][ \t]+")
_CONTINUED = expression(r"[ \t]*>[ \t]")
_LEFT_OUT = expression(r"(?<=\\\n)[ \t]*(?:\.\.\.|…)[ \t]*\\?[ \t]*\n")
"""Three dots on a line of their own inside a command."""


def markdown_scripts(path: str, text: str) -> Iterator[Traced]:
    """One script for each fenced block of a shell; of a session at a prompt, what was typed."""
    traced = Traced.of_file(path, text)
    place = 0
    fence: str | None = None
    block: list[tuple[int, int]] = []
    wanted = False
    indent = 0
    for line in text.splitlines(keepends=True):
        start, place = place, place + len(line)
        if fence is None:
            opening = _OPENING.match(line)
            if opening is not None and "`" not in line[opening.end("fence") :]:
                fence, block = opening["fence"], []
                wanted = opening["language"].lower() in _LANGUAGES
                indent = len(opening["indent"])
            continue
        stripped = line.strip(" \t\r\n>")
        if stripped.startswith(fence) and not stripped.strip(fence[0]):
            if wanted:
                yield _whole(_typed(traced, block))
            fence = None
            continue
        own = min(indent, len(line) - len(line.lstrip(" \t>")))
        block.append((start + own, place))
    if fence is not None and wanted:
        yield _whole(_typed(traced, block))


def _whole(script: Traced) -> Traced:
    """A script in which dots stand for the words that its writer left out."""
    return with_holes(script, _LEFT_OUT, "words are left out here", many=True)


def _typed(traced: Traced, block: list[tuple[int, int]]) -> Traced:
    lines = [traced[start:end] for start, end in block]
    if not any(_PROMPT.match(line.text) for line in lines):
        return Traced(piece for line in lines for piece in line.pieces)
    pieces: list[Piece] = []
    goes_on = False
    for line in lines:
        prompt = _PROMPT.match(line.text)
        if prompt is None and goes_on:
            prompt = _CONTINUED.match(line.text)
        elif prompt is None:
            continue
        typed = line[prompt.end() if prompt else 0 :]
        pieces.extend(typed.pieces)
        goes_on = typed.text.rstrip("\r\n").endswith("\\")
    return Traced(pieces)
