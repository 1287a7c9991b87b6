"""Copies of OpenRLHF in the user's tree or environment: their own parsers are the truth for what they accept."""

from __future__ import annotations

import os
from functools import lru_cache
from typing import TYPE_CHECKING

from rlhflint.catalog.argparse_source import ParserReading, read_program
from rlhflint.catalog.option import Option, options_by_spelling

if TYPE_CHECKING:
    from rlhflint.files import Files


class Copy:
    """The package folder of a copy (`…/openrlhf`), its programs read when they are asked for."""

    def __init__(self, folder: str, files: Files) -> None:
        self.folder = folder
        self._above = os.path.dirname(folder)
        self._files = files
        self._readings: dict[str, ParserReading | None] = {}

    def reading(self, program: str) -> ParserReading | None:
        """What the parser of an entry point accepts; None if the copy has no such entry point."""
        if program not in self._readings:
            self._readings[program] = read_program(f"openrlhf/cli/{program}.py", self._text)
        return self._readings[program]

    def _text(self, path: str) -> str | None:
        return self._files.text(os.path.join(self._above, path))


@lru_cache(maxsize=64)
def copy_at(folder: str, files: Files) -> Copy:
    """The copy in a package folder, read once."""
    return Copy(folder, files)


def options_of(reading: ParserReading) -> dict[str, Option]:
    """The options of a copy's parser by every spelling."""
    return options_by_spelling(reading.options)
