"""Which files may hold a launch, judged by their names and, for those without an ending, by their first line."""

from __future__ import annotations

import os
from enum import Enum

from rlhflint.disk import read_regular


class FileKind(Enum):
    """How a file is read."""

    SHELL = "shell"
    PYTHON = "python"
    NOTEBOOK = "notebook"
    YAML = "yaml"
    DOCKERFILE = "dockerfile"
    MAKEFILE = "makefile"
    MARKDOWN = "markdown"
    OTHER = "other"
    """Named by the user, and of no kind that rlhflint reads."""


_ENDINGS = {
    ".sh": FileKind.SHELL,
    ".bash": FileKind.SHELL,
    ".zsh": FileKind.SHELL,
    ".ksh": FileKind.SHELL,
    ".slurm": FileKind.SHELL,
    ".sbatch": FileKind.SHELL,
    ".py": FileKind.PYTHON,
    ".ipynb": FileKind.NOTEBOOK,
    ".yaml": FileKind.YAML,
    ".yml": FileKind.YAML,
    ".dockerfile": FileKind.DOCKERFILE,
    ".containerfile": FileKind.DOCKERFILE,
    ".mk": FileKind.MAKEFILE,
    ".mak": FileKind.MAKEFILE,
    ".md": FileKind.MARKDOWN,
    ".markdown": FileKind.MARKDOWN,
}
_NAMES = {
    "dockerfile": FileKind.DOCKERFILE,
    "containerfile": FileKind.DOCKERFILE,
    "makefile": FileKind.MAKEFILE,
    "gnumakefile": FileKind.MAKEFILE,
}
_SHELLS = frozenset({"sh", "bash", "dash", "zsh", "ksh"})
_FIRST_LINE = 256
"""Bytes of a file that are read for its first line."""


def kind_of_name(name: str) -> FileKind | None:
    """The kind that a file's name gives away; None where it does not.

    `Dockerfile.train` is a Dockerfile, `Dockerfile.md` is not: an ending that is known says more than the beginning.
    """
    stem, dot, ending = name.rpartition(".")
    if dot:
        kind = _ENDINGS.get(dot + ending.lower())
        if kind is not None:
            return kind
        if ending == "dockerignore":
            return None
    return _NAMES.get((stem.partition(".")[0] if stem else name).lower())


def kind_of_first_line(line: str) -> FileKind | None:
    """The kind of a file whose first line names its interpreter (`#!/usr/bin/env bash`); None where it does not."""
    if not line.startswith("#!"):
        return None
    words = [word.rpartition("/")[2] for word in line[2:].split()]
    if words[:1] == ["env"]:
        words = [word for word in words[1:] if not word.startswith("-") and "=" not in word]
    program = words[0] if words else ""
    if program in _SHELLS:
        return FileKind.SHELL
    return FileKind.PYTHON if program.rstrip("0123456789.") == "python" else None


def kind_of_text(name: str, text: str) -> FileKind:
    """The kind of a text that is not in a file, such as standard input, with the name it goes by."""
    return kind_of_name(os.path.basename(name)) or kind_of_first_line(text.split("\n", 1)[0]) or FileKind.OTHER


def kind_of_file(path: str) -> FileKind | None:
    """The kind of the file at `path`; read only if its name says nothing."""
    kind = kind_of_name(os.path.basename(path))
    if kind is not None:
        return kind
    start = read_regular(path, most=_FIRST_LINE) or b""
    return kind_of_first_line(start.split(b"\n", 1)[0].decode("latin-1"))
