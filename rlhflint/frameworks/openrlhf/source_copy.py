"""A copy of OpenRLHF's source, in the user's tree or installed: what its own programs accept, read from their text."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cached_property

from rlhflint.catalog.source.argparse_source import ParserReading, has_parser, read_program
from rlhflint.disk import read_regular, walk

_LONGEST = 1 << 21
_MOST_PROGRAMS = 500
_readings: dict[tuple[str, str], tuple[dict[str, str | None], ParserReading | None]] = {}
"""What was read of a program before, by root and path, with the text of every file it was read from.

A file that was looked for and is not there has None for a text."""


class SourceCopy:
    """The package folder of a copy (`…/openrlhf`). Nothing of it is imported or run."""

    def __init__(self, package: str) -> None:
        self.package = package
        self._root, self._name = os.path.split(os.path.abspath(package))

    def __repr__(self) -> str:
        return f"SourceCopy({self.package!r})"

    @cached_property
    def programs(self) -> tuple[str, ...]:
        """The modules below `cli` that build a parser, by name: `train_sft`, `context_denoise.train_sft`."""
        names: list[str] = []
        top = os.path.join(self._root, self._name, "cli")
        for folder, below, files in walk(top):
            below[:] = sorted(name for name in below if name.isidentifier() and name != "__pycache__")
            inner = os.path.relpath(folder, top)
            prefix = [] if inner == "." else inner.split(os.sep)
            for file in sorted(files):
                stem, dot, ending = file.rpartition(".")
                if dot and ending == "py" and stem.isidentifier() and len(names) < _MOST_PROGRAMS:
                    name = ".".join((*prefix, stem))
                    if has_parser(self._read(self.path_of(name)) or ""):
                        names.append(name)
        return tuple(names)

    def path_of(self, program: str) -> str:
        """The file of a program, from the folder that holds the package."""
        return "/".join((self._name, "cli", *program.split("."))) + ".py"

    def program(self, name: str) -> ParserReading | None:
        """What the command line of a program accepts; None if the copy has no such program."""
        return self.program_at(self.path_of(name))

    def program_at(self, path: str) -> ParserReading | None:
        """The same for a file of the tree by its path from the folder that holds the package: `examples/train_sft.py`.

        A program is read again only when one of the files it was read from, or looked for in, has changed.
        """
        key = (self._root, path)
        if key in _readings:
            known, reading = _readings[key]
            if all(self._read(file) == text for file, text in known.items()):
                return reading
        files: dict[str, str | None] = {}
        reading = read_program(path, self._recording(files))
        _readings[key] = files, reading
        return reading

    def _recording(self, files: dict[str, str | None]) -> Callable[[str], str | None]:
        def read(path: str) -> str | None:
            text = files[path] = self._read(path)
            return text

        return read

    def _read(self, path: str) -> str | None:
        raw = read_regular(os.path.join(self._root, *path.split("/")), most=_LONGEST)
        return None if raw is None else raw.decode("utf-8", errors="replace")
