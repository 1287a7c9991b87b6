"""What cannot be known, in words; the same words stand for the same unknown."""

from __future__ import annotations

from rlhflint.text import HOLE, Piece, Span, Traced

SCRIPT = "$0 is the path of the script"
SCRIPT_FOLDER = "the folder of the script"
"""Why `$(dirname "$0")` and its like are not known: a word that begins with this hole is relative to the script."""
START_FOLDER = "the folder the script is started in"
"""Why `$PWD` is not known before any `cd`."""
TOO_LONG = "the text grows too long to be followed"

_OUTPUT = " is the output of a command"
_CHANGING = {
    "RANDOM": "a random number",
    "SRANDOM": "a random number",
    "SECONDS": "a time",
    "EPOCHSECONDS": "a time",
    "EPOCHREALTIME": "a time",
    "LINENO": "a line number",
    "BASHPID": "the number of a process",
}
_SPECIAL = {"$": "the number of a process", "!": "the number of a process", "?": "the status of a command"}
_SHORTEST = 40


def environment(name: str) -> str:
    """Why a variable that the script does not assign is not known."""
    if name in _CHANGING:
        return f"${name} is {_CHANGING[name]}"
    return f"${name} comes from the environment"


def special(name: str) -> str:
    """Why `$?`, `$$`, `$!`, `$-`, `$_` are not known."""
    return f"${name} is {_SPECIAL.get(name, 'set by the shell')}"


def argument(number: int) -> str:
    """Why a positional parameter of the script is not known."""
    return f"${number} is an argument of the script"


ARGUMENTS = "$@ holds the arguments of the script"


def output(code: str) -> str:
    """Why a command substitution, as it is written, is not known."""
    return f"{shortened(code)}{_OUTPUT}"


def shortened(code: str) -> str:
    """Code on one line and not too long to stand in a sentence."""
    line = " ".join(code[: 4 * _SHORTEST].replace(HOLE, "…").split())
    return line if len(line) <= _SHORTEST else line[: _SHORTEST - 1] + "…"


def identity(text: Traced) -> tuple[object, ...]:
    """Two texts with the same identity are equal, whatever the unknown parts of them are."""
    return tuple(_identity(piece) for piece in text.pieces)


def _identity(piece: Piece) -> tuple[str, str | None, Span | None] | str:
    if piece.because is None:
        return piece.text
    changing = piece.because.endswith(_OUTPUT) or " is a " in piece.because or piece.because.startswith("$?")
    return piece.because, piece.default, piece.span if changing else None
