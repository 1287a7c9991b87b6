"""The commands of a script that may say something about releases."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from rlhflint.command import Script
    from rlhflint.text import Span

_SIGNS = ("pip", "uv", "conda", "mamba", "--container-image", "--runtime-env-json")


class Said(NamedTuple):
    """A command: its line (0 if that is not known) and words, and the file it stands in ("" for the launch's own)."""

    line: int
    words: Sequence[str]
    path: str = ""


def said_in(scripts: Iterable[Script], line: Callable[[Span], int]) -> list[Said]:
    """The commands and `#SBATCH` lines of scripts that may install packages or name an image, each once.

    Args:
        scripts: as read; a command that stands on several ways through a script is taken for one.
        line: the line that a span begins on.
    """
    found: dict[tuple[Span, tuple[str, ...]], Said] = {}
    for script in scripts:
        directives = [(one.span, tuple(one.text.split())) for one in script.directives]
        commands = [(one.span, tuple(word.text for word in one.words)) for one in script.commands]
        for place, words in (*directives, *commands):
            if place is not None and any(sign in word for word in words for sign in _SIGNS):
                found.setdefault((place, words), Said(line(place), words, os.path.abspath(place.path)))
    return list(found.values())
