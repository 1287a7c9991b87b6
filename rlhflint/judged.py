"""Launches as the rules judged them, and one of them chosen with all that was read in its file."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING

from rlhflint.records import dataclass

if TYPE_CHECKING:
    from rlhflint.launch import Launch
    from rlhflint.model import ProgramModel
    from rlhflint.result import FileResult


@dataclass(frozen=True, slots=True)
class Undecided:
    """A check that could not be decided on a launch, and the fact that was missing."""

    code: str
    what: str
    because: str


@dataclass(frozen=True, slots=True)
class Judged:
    """One launch as it was judged: for `show`, and for what is built on launches."""

    launch: Launch
    undecided: tuple[Undecided, ...] = ()
    ways: int = 1
    """How many ways through the script lead to it."""
    every: tuple[Launch, ...] = field(default=(), compare=False, repr=False)
    """The launch as it is on each of them."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """One launch of a file, with all that was read there, and its typed model."""

    file: FileResult
    judged: Judged
    model: ProgramModel

    @property
    def launch(self) -> Launch:
        """The launch, on the first of the ways that lead to it."""
        return self.judged.launch

    @property
    def line(self) -> int:
        """The line that it begins on."""
        return line_of(self.file, self.launch)


def line_of(file: FileResult, launch: Launch) -> int:
    """The line of a launch in the file it stands in."""
    return line_at(file, launch.span.path, launch.span.start)


def line_at(file: FileResult, path: str, offset: int) -> int:
    """The line of a character of one of the files that a result is about; 1 where its text is not at hand."""
    source = file.sources.get(path)
    return source.position_in_file(offset).line if source is not None else 1
