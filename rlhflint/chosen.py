"""One launch of a file, with all that was read there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rlhflint.records import dataclass

if TYPE_CHECKING:
    from rlhflint.judged import Judged
    from rlhflint.launch import Launch
    from rlhflint.model import ProgramModel
    from rlhflint.result import FileResult


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
