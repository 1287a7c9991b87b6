"""The user's files that bear on a launch: sourced scripts, agent and reward functions, configurations of launchers."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from rlhflint.content import Unreadable, decode, read_bytes


class Files:
    """Reads files below a root folder, each once. Nothing outside the root is read.

    `texts`, by absolute path, stand for what is on the disk.
    """

    def __init__(self, root: Path, texts: Mapping[str, str] | None = None) -> None:
        self.root = root.resolve()
        self.texts: Mapping[str, str] = texts or {}
        self._texts: dict[str, str | None] = {}

    def inside(self, path: str) -> bool:
        """Whether a path lies below the root once links are followed."""
        try:
            return Path(path).resolve().is_relative_to(self.root)
        except (OSError, RuntimeError, ValueError):
            return False

    def text(self, path: str) -> str | None:
        """The text of a file, or None where it does not exist, cannot be read or lies outside the root."""
        key = os.path.normpath(path)
        if self.texts and (text := self.texts.get(os.path.abspath(key))) is not None:
            return text
        if key not in self._texts:
            try:
                self._texts[key] = decode(read_bytes(key)) if self.inside(key) else None
            except Unreadable:
                self._texts[key] = None
        return self._texts[key]

    def exists(self, path: str) -> bool:
        """Whether a file or folder of this name is there, below the root."""
        try:
            return self.inside(path) and Path(path).exists()
        except OSError:
            return False
