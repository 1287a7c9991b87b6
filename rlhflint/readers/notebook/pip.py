"""What `pip install` is given in a shell text."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rlhflint.expressions import expression
from rlhflint.text import HOLE, Traced

_WORD = expression(
    r"(?P<blank>(?:[ \t\r]|\\\r?\n)+)"
    r"|(?P<end>[;&|\n]+)"
    r"|(?P<comment>#[^\n]*)"
    r"|(?P<word>(?:'[^']*'|\"[^\"]*\"|\\.|[^\s;&|'\"\\])+)"
    r"|['\"].*"
    r"|.",
    re.DOTALL,
)
_WITH_VALUE = frozenset(
    {
        "-r", "--requirement", "-c", "--constraint", "-e", "--editable", "-i", "--index-url", "--extra-index-url", "-f",
        "--find-links", "-t", "--target", "--prefix", "--root", "--python", "-p", "--platform", "--abi", "--cache-dir",
        "--progress-bar", "--upgrade-strategy", "--no-binary", "--only-binary", "--timeout", "--retries", "--proxy",
        "--trusted-host", "--config-settings", "-C", "--global-option", "--index-strategy", "--torch-backend",
    }
)  # fmt: skip


def requirements(shell: Traced) -> list[Traced]:
    """The requirements named by the commands of a text, without quotes; words with an unknown part are left out."""
    found: list[Traced] = []
    for words in _commands(shell):
        found += _installed(words)
    return found


def _commands(shell: Traced) -> Iterator[list[Traced]]:
    words: list[Traced] = []
    for token in _WORD.finditer(shell.text):
        if token["word"]:
            words.append(shell[token.start() : token.end()])
        elif token["end"]:
            yield words
            words = []
    yield words


def _installed(words: list[Traced]) -> Iterator[Traced]:
    texts = [word.text for word in words]
    start = next(
        (n for n, text in enumerate(texts[:-1]) if _is_pip(text) and texts[n + 1] == "install"),
        None,
    )
    if start is None:
        return
    value = False
    for word in words[start + 2 :]:
        if value:
            value = False
            continue
        if word.text.startswith("-"):
            value = word.text in _WITH_VALUE
            continue
        bare = _unquoted(word)
        if bare is not None and HOLE not in bare.text and "$" not in bare.text and bare.text:
            yield bare


def _is_pip(text: str) -> bool:
    return re.fullmatch(r"(?:.*/)?pip[0-9.]*", text) is not None


def _unquoted(word: Traced) -> Traced | None:
    """A word without quotes around it; None if it is quoted in another way."""
    text = word.text
    if len(text) > 1 and text[0] in "\"'" and text[-1] == text[0] and text[0] not in text[1:-1]:
        return word[1:-1]
    return None if any(sign in text for sign in "\"'\\") else word
