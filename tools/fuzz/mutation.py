"""Inputs made of seeds: words moved about and wrapped as the language has it, and noise of bytes.

Input `number` of a campaign is always the same for the same seeds, so that a fault is found again by its number.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from random import Random

FIXABLE = "fix-"
"""How a kind begins whose texts hold launches, and are changed less."""
LONGEST = 6_000
"""Characters of an input."""

_TOKEN = re.compile(r"\r?\n|[ \t]+|\w+|--?[\w.-]+|[^\w\s]")
_SIGNS = str.maketrans("␣⏎⇥␍␅␤", " \n\t\r\x85\u2028")
"""How blanks are written in `words.txt`."""
_LISTS: Mapping[str, tuple[str, ...]] = {
    "setup.py": ("python",),
    "parser": ("python",),
    "notebook": ("json", "python"),
    "yaml": ("yaml", "shell"),
    "conda": ("yaml", "text"),
    "dockerfile": ("dockerfile", "shell"),
    "makefile": ("makefile", "shell"),
    "markdown": ("markdown", "shell"),
    "baseline": ("json",),
    "config": ("toml",),
    "pyproject": ("toml", "text"),
    "locks": ("toml",),
    "log": ("log", "json"),
}
"""The lists of words for a kind that has not just its own one."""
_ODD = ["\0", "\ufeff", "\ud800", "\udfff", "\U0010fffd", "\u202e", "\x0c", "\x1b[", "é", "\u0301"]
_ODD += ["\x80", "\u2029", "ꙮ", "𝟙", "٣"]
_PAIRS = [pair.split() for pair in ("' '", '" "', "( )", "[ ]", "{ }", "$( )", "${ }", "` `", "$(( ))", "f( )")]


def made(kind: str, seeds: Sequence[str], campaign: int, number: int) -> str:
    """Input `number` of a campaign over the seeds of a kind."""
    random = Random(f"{campaign}/{kind}/{number}")
    text = random.choice(seeds)
    gentle = kind.startswith(FIXABLE)  # what is in pieces is not fixed
    if random.random() < (0.1 if gentle else 0.5):
        text = _cut(text, random)
    words = _words(kind.removeprefix(FIXABLE))
    for _ in range(random.choice((0, 1, 1, 1, 2, 2, 3, 5) if gentle else (1, 1, 2, 3, 5, 8, 20))):
        text = random.choice(_CHANGES)(text, random, words, seeds)[:LONGEST]
    return text


@cache
def _words(kind: str) -> tuple[str, ...]:
    lists: dict[str, list[str]] = {}
    for line in Path(__file__).with_name("words.txt").read_text(encoding="utf-8").splitlines():
        if line[1:-1].isalpha():
            found = lists.setdefault(line[1:-1], [])
        else:
            found += [word.translate(_SIGNS) for word in line.split(" ")]
    return tuple(word for name in _LISTS.get(kind, (kind,)) for word in lists.get(name, lists["text"]))


def _cut(text: str, random: Random) -> str:
    """A few lines of a text: what stands alone reaches further than what stands at the end of much else."""
    lines = text.splitlines(keepends=True)
    if len(lines) < 4:
        return text
    start = random.randrange(len(lines))
    return "".join(lines[start : start + random.randint(1, 15)])


Change = Callable[[str, Random, Sequence[str], Sequence[str]], str]


def _place(text: str, random: Random) -> int:
    """A place between two tokens most of the time, anywhere else otherwise."""
    place = random.randint(0, len(text))
    found = _TOKEN.search(text, place)
    return found.end() if found and random.random() < 0.8 else place


def _range(text: str, random: Random) -> tuple[int, int]:
    start = _place(text, random)
    end = start
    for _ in range(random.choice((1, 1, 2, 4, 12))):
        found = _TOKEN.search(text, end)
        end = found.end() if found else end
    return start, end


def _insert(text: str, random: Random, words: Sequence[str], _: Sequence[str]) -> str:
    place = _place(text, random)
    return text[:place] + random.choice(words) + text[place:]


def _replace(text: str, random: Random, words: Sequence[str], _: Sequence[str]) -> str:
    start, end = _range(text, random)
    return text[:start] + random.choice(words) + text[end:]


def _delete(text: str, random: Random, _words: Sequence[str], _: Sequence[str]) -> str:
    start, end = _range(text, random)
    return text[:start] + text[end:]


def _repeat(text: str, random: Random, _words: Sequence[str], _: Sequence[str]) -> str:
    start, end = _range(text, random)
    return text[:end] + text[start:end] * random.choice((1, 1, 2, 5, 40)) + text[end:]


def _move(text: str, random: Random, _words: Sequence[str], _: Sequence[str]) -> str:
    start, end = _range(text, random)
    rest = text[:start] + text[end:]
    place = _place(rest, random)
    return rest[:place] + text[start:end] + rest[place:]


def _wrap(text: str, random: Random, _words: Sequence[str], _: Sequence[str]) -> str:
    start, end = _range(text, random)
    before, after = random.choice(_PAIRS)
    return text[:start] + before + text[start:end] + after + text[end:]


def _splice(text: str, random: Random, _words: Sequence[str], seeds: Sequence[str]) -> str:
    place = _place(text, random)
    return text[:place] + _cut(random.choice(seeds), random) + text[place:]


def _odd(text: str, random: Random, _words: Sequence[str], _: Sequence[str]) -> str:
    place = random.randint(0, len(text))
    return text[:place] + random.choice(_ODD) + text[place:]


def _line_ends(text: str, random: Random, _words: Sequence[str], _: Sequence[str]) -> str:
    return random.choice((text.replace("\n", "\r\n"), text.replace("\n", "\r"), text.replace("\n", " "), text.rstrip()))


def _noise(text: str, random: Random, _words: Sequence[str], _: Sequence[str]) -> str:
    """Bytes changed at random; those that are no text any more become lone surrogates."""
    raw = bytearray(text.encode("utf-8", "surrogatepass"))
    for _ in range(random.choice((1, 2, 8))):
        if raw:
            raw[random.randrange(len(raw))] ^= 1 << random.randrange(8)
    return raw.decode("utf-8", "surrogateescape")


_CHANGES: Sequence[Change] = (
    *[_insert] * 3,
    *[_replace, _delete, _wrap] * 2,
    _repeat,
    _move,
    _splice,
    _odd,
    _line_ends,
    _noise,
)
