"""The command line of the Python interpreter: which module, script or code it runs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias

from rlhflint.expressions import expression
from rlhflint.launchers.options.reading import LauncherOption
from rlhflint.launchers.unwrapping.start import Wrapper
from rlhflint.text import HOLE, Traced

Runs: TypeAlias = Literal["module", "script", "code", "nothing"]

_NAME = expression(r"(python|pypy|ipython)(\d+(\.\d+)*)?[dt]?|py")
_VALUED = {"-W": "warnings", "-X": "implementation", "--check-hash-based-pycs": "check_hash_based_pycs"}
_LETTERS = "bBdEhiIOqsSuvVxPt3"


def is_python(program: str) -> bool:
    """Whether a program of this name is a Python interpreter: `python`, `python3.11`, `pypy3`."""
    return len(program) < 32 and _NAME.fullmatch(program) is not None


def read_python(words: Sequence[Traced]) -> tuple[Wrapper, Runs, tuple[Traced, ...]]:
    """The interpreter with its options, what it runs, and the words from the module, script or code on.

    `words[0]` is the interpreter. Python@3.11 Doc/using/cmdline.rst: options end at `-c`, `-m`, a file name or `-`.
    """
    options: list[LauncherOption] = []
    at = 1
    more = ""
    while at < len(words):
        word = words[at]
        text = word.text
        if text.startswith(HOLE):
            if not (word.many and _options_follow(words[at + 1 :])):
                break
            more = more or word.because
            at += 1
            continue
        if not text.startswith("-") or text == "-":
            break
        at += 1
        if text in _VALUED or text[:2] in _VALUED:
            name = _VALUED.get(text) or _VALUED[text[:2]]
            joined = text not in _VALUED
            value = word[2:] if joined else (words[at] if at < len(words) else None)
            at += 0 if joined else 1
            options.append(LauncherOption(name, word[:2] if joined else word, value, joined=joined))
            continue
        ending = _ending(text)
        if ending is None:
            options.append(LauncherOption(text.lstrip("-"), word))
            continue
        options.append(LauncherOption("module" if text[ending] == "m" else "code", word[: ending + 1]))
        attached = word[ending + 1 :]
        rest = (attached, *words[at:]) if attached.text else tuple(words[at:])
        wrapper = Wrapper("python", tuple(words[:at]), tuple(options), more=more)
        return wrapper, ("module" if text[ending] == "m" else "code") if rest else "nothing", rest
    rest = tuple(words[at:])
    wrapper = Wrapper("python", tuple(words[:at]), tuple(options), more=more)
    if not rest or rest[0].text == "-":
        return wrapper, "nothing", rest
    return wrapper, "script", rest


def _ending(text: str) -> int | None:
    """Where in a word of joined letters (`-um`) stands the `m` or `c` that ends the options; None where none does."""
    if text.startswith("--"):
        return None
    for place, letter in enumerate(text[1:32], 1):
        if letter in "mc":
            return place
        if letter not in _LETTERS:
            return None
    return None


def _options_follow(words: Sequence[Traced]) -> bool:
    """Whether an option of the interpreter comes next, so that the word before was no script."""
    return bool(words) and (words[0].text in ("-m", "-c", "-u", "-X", "-W") or words[0].many)
