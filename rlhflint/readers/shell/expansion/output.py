"""What a command prints, where that is known from its words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import takewhile

from rlhflint.command import Command
from rlhflint.expressions import expression
from rlhflint.readers.shell import unknown
from rlhflint.readers.shell.expansion.expand import Expansion
from rlhflint.readers.shell.run.nested import joined, standard_input
from rlhflint.text import Piece, Span, Traced

PRINTING = frozenset(
    {
        "echo",
        "printf",
        "cat",
        "pwd",
        "dirname",
        "basename",
        "realpath",
        "readlink",
        "seq",
        "expr",
        "cd",
        "true",
        ":",
        "set",
    }
)
"""Programs and built-in commands whose output is known, or that print nothing."""
_LINES = frozenset(("echo", "pwd", "dirname", "basename", "realpath", "readlink", "seq", "expr"))
_ECHO_OPTIONS = frozenset(("-n", "-e", "-ne", "-en", "-E"))
_MOST_NUMBERS = 1024
_FORMAT = expression(r"%([sd%])|\\([nt\\])|([^%\\]+)|(.)", re.DOTALL)


def output_of(expansion: Expansion, command: Command) -> Traced | None:
    """What a program prints, without the line end that `ends_line` tells of; None if that is not known."""
    words = command.words[1:]
    match command.words[0].text:
        case "echo":
            return _echo(words)
        case "printf":
            return formatted(words)
        case "cat" if not words and not any(redirect.operator == "<" for redirect in command.redirects):
            return standard_input(command.redirects)
        case "pwd":
            here = expansion.state.directory
            return here if here is not None else Traced.hole(unknown.START_FOLDER, command.span)
        case "dirname" if len(words) == 1:
            return folder_of(words[0])
        case "basename" if len(words) in (1, 2):
            return _last_part(words)
        case "realpath" | "readlink":
            paths = [word for word in words if not word.text.startswith("-")]
            return paths[0] if len(paths) == 1 and (paths[0].because or paths[0].text.startswith("/")) else None
        case "seq":
            return _numbers(words, command.span)
        case "expr":
            return _expression(words, command.span)
    return None


def ends_line(command: Command) -> bool:
    """Whether a program puts a line end behind what it prints."""
    name, *words = (word.text for word in command.words)
    if name == "echo":
        return not any("n" in option for option in takewhile(_ECHO_OPTIONS.__contains__, words))
    return name in _LINES


def _echo(words: Sequence[Traced]) -> Traced | None:
    while words and words[0].text in _ECHO_OPTIONS:
        if "e" in words[0].text and any("\\" in word.text for word in words):
            return None
        words = words[1:]
    return joined(words)


def formatted(words: Sequence[Traced]) -> Traced | None:
    """What `printf` makes of its format and arguments; None where that is not followed."""
    if not words or not words[0].known or (words[0].text.startswith("-") and len(words[0].text) > 1):
        return None
    arguments = list(words[1:])
    pieces: list[Piece] = []
    for _ in range(_MOST_NUMBERS):
        took = False
        for found in _FORMAT.finditer(words[0].text):
            directive, escape, text, other = found.groups()
            if other is not None or (directive == "d" and arguments and not _is_number(arguments[0])):
                return None
            if directive in ("s", "d"):
                pieces.extend(arguments.pop(0).pieces if arguments else [Piece("" if directive == "s" else "0")])
                took = True
            elif directive == "%":
                pieces.append(Piece("%"))
            elif escape is not None:
                pieces.append(Piece({"n": "\n", "t": "\t"}.get(escape, escape)))
            else:
                pieces.extend(words[0][found.start() : found.end()].pieces if text else ())
        if not arguments or not took:
            return Traced(pieces)
    return None


def _is_number(word: Traced) -> bool:
    return word.known and re.fullmatch(r"-?\d{1,18}", word.text, re.ASCII) is not None


def folder_of(path: Traced) -> Traced | None:
    """What `dirname` prints."""
    if len(path.pieces) == 1 and path.because == unknown.SCRIPT:
        return Traced.hole(unknown.SCRIPT_FOLDER, path.span)
    text = path.text.rstrip("/")
    slash = text.rfind("/")
    if slash < 0:
        return Traced.made(".", path.span) if path.known and text else None
    if not path[slash : len(path)].known:
        return None
    stripped = text[:slash].rstrip("/")
    return path[0 : len(stripped)] if stripped else Traced.made("/", path.span)


def _last_part(words: Sequence[Traced]) -> Traced | None:
    path = words[0]
    text = path.text.rstrip("/")
    start = text.rfind("/") + 1
    part = path[start : len(text)]
    if not part.known or not part.text or (start == 0 and not path.known):
        return None
    if len(words) == 2:
        if not words[1].known:
            return None
        suffix = words[1].text
        if suffix and part.text.endswith(suffix) and part.text != suffix:
            part = part[0 : len(part) - len(suffix)]
    return part


def _numbers(words: Sequence[Traced], span: Span) -> Traced | None:
    if not 1 <= len(words) <= 3 or not all(_is_number(word) for word in words):
        return None
    values = [int(word.text) for word in words]
    first = values[0] if len(values) > 1 else 1
    step = values[1] if len(values) == 3 else 1
    last = values[-1]
    if step == 0 or abs(last - first) // abs(step) >= _MOST_NUMBERS:
        return None
    numbers = range(first, last + (1 if step > 0 else -1), step)
    return Traced.made("\n".join(str(number) for number in numbers), span)


def _expression(words: Sequence[Traced], span: Span) -> Traced | None:
    if len(words) != 3 or not (_is_number(words[0]) and _is_number(words[2])):
        return None
    one, two = int(words[0].text), int(words[2].text)
    match words[1].text:
        case "+":
            value = one + two
        case "-":
            value = one - two
        case "*":
            value = one * two
        case "/" if two:
            value = abs(one) // abs(two) * (1 if (one >= 0) is (two > 0) else -1)
        case "%" if two:
            value = abs(one) % abs(two) * (1 if one >= 0 else -1)
        case _:
            return None
    return Traced.made(str(value), span)
