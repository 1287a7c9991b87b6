"""The places in files that make the words of commands."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from rlhflint.fixing.guard import launches_of, other_commands
from rlhflint.fixing.sharing import Use, Uses
from rlhflint.text import HOLE

if TYPE_CHECKING:
    from rlhflint.launch import Launch
    from rlhflint.result import FileResult
    from rlhflint.text import Traced

_LONGEST = 60
"""Characters of a command's name in a message."""


def uses_of(results: Iterable[FileResult]) -> dict[str, Uses]:
    """The places that make words of launches and of other commands, by path; each once for a launch."""
    found: dict[str, dict[object, Use]] = {}
    for result in results:
        for command in other_commands(result):
            name = shortened(" ".join(word.text for word in command.words[:2]))
            _note(found, command.words[1:], None, name)
        for launch in launches_of(result):
            _note(found, list(_words(launch)), launch, launch.program.partition(":")[2])
    return {path: Uses(uses.values()) for path, uses in found.items()}


def shortened(text: str) -> str:
    """The beginning of a text, on one line."""
    line = " ".join(text.replace(HOLE, "…").split())
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1]}…"


def _words(launch: Launch) -> Iterator[Traced]:
    if launch.start is not None:
        yield from launch.start.arguments
        return
    for setting in launch.settings:
        yield from setting.text


def _note(found: dict[str, dict[object, Use]], words: Sequence[Traced], launch: Launch | None, name: str) -> None:
    for word in words:
        for piece in word.pieces:
            if piece.span is not None:
                use = Use(piece.span.start, piece.span.end, launch, name)
                found.setdefault(piece.span.path, {}).setdefault((use.start, use.end, id(launch)), use)
