"""Commands as a shell reader would hand them over, written as text.

`$X` is a variable that is not known, unquoted and so any number of words; `"$X"` is one word; `${X:-v}` has a default.
Single quotes keep blanks. The text is the file `run.sh`, so that spans can be looked up in it.
"""

import re

from rlhflint.command import Command, Script
from rlhflint.text import Piece, Span, Traced

PATH = "run.sh"
_WORD = re.compile(r"(?:'[^']*'|[^\s'])+")
_HOLE = re.compile(r'"\$(\w+)"|\$\{(\w+):-([^}]*)\}|\$(\w+)')


def word(text, start=0, path=PATH):
    """One word whose text stands at `start` of the file."""
    pieces = []
    for index, part in enumerate(re.split(r"('[^']*')", text)):
        if index % 2:
            pieces.extend(_verbatim(part[1:-1], start + 1, path))
        else:
            pieces.extend(_unquoted(part, start, path))
        start += len(part)
    return Traced(pieces)


def _unquoted(text, start, path):
    at = 0
    for hole in _HOLE.finditer(text):
        yield from _verbatim(text[at : hole.start()], start + at, path)
        span = Span(path, start + hole.start(), start + hole.end())
        quoted, defaulted, default, bare = hole.groups()
        because = f"${quoted or defaulted or bare} comes from the environment"
        yield from Traced.hole(because, span, many=bare is not None, default=default).pieces
        at = hole.end()
    yield from _verbatim(text[at:], start + at, path)


def _verbatim(text, start, path):
    yield Piece(text, Span(path, start, start + len(text)), verbatim=True)


def words(text, start=0, path=PATH):
    """The words of a text."""
    return tuple(word(found.group(), start + found.start(), path) for found in _WORD.finditer(text))


def command(text, *, start=0, within=(), exported=None, environment=None, choices=(), path=PATH):
    """One command."""
    return Command(
        words(text, start, path),
        Span(path, start, start + len(text)),
        environment=environment or {},
        exported=exported or {},
        choices=choices,
        within=tuple(words(outer) for outer in within),
    )


def script(*texts, directives=(), path=PATH):
    """A script of commands, one a line, below its #SBATCH lines (given without `#`)."""
    lines, at, header = [], 0, []
    for line in directives:
        header.append(Traced.of_file(path, line, at + 1))
        at += len(line) + 2
    for text in texts:
        if isinstance(text, Command):
            lines.append(text)
            continue
        lines.append(command(text, start=at, path=path))
        at += len(text) + 1
    return Script(path, Span(path, 0, at), tuple(lines), directives=tuple(header))


def texts(items):
    """The plain texts of words."""
    return [item.text for item in items]
