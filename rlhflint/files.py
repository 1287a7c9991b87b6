"""The user's files that bear on a launch: sourced scripts, agent and reward functions, configurations of launchers."""

from __future__ import annotations

import os
from collections.abc import Mapping
from copy import copy
from pathlib import Path

from rlhflint import disk
from rlhflint.content import decode
from rlhflint.disk import Unreadable, read_bytes, real


class Files:
    """Reads files below a root folder, each once. Nothing outside the root is read.

    `texts`, by absolute path, stand for what is on the disk. `project` is the same for all files of one root.
    """

    def __init__(self, root: Path, texts: Mapping[str, str] | None = None) -> None:
        self.root = Path(real(str(root)) or root)
        self.texts: Mapping[str, str] = texts or {}
        self.project = self
        self._top = os.path.join(self.root, "")
        self._texts: dict[str, str | None] = {}
        self._at_hand = ("", "")

    def beside(self, path: str, text: str) -> Files:
        """The files as they are seen from the one at the absolute `path`, whose text is at hand and is not read."""
        other = copy(self)
        other._at_hand = (path, text)
        return other

    def inside(self, path: str) -> bool:
        """Whether a path lies below the root once links are followed."""
        place = real(path)
        return place is not None and os.path.join(place, "").startswith(self._top)

    def text(self, path: str) -> str | None:
        """The text of a file, or None where it does not exist, cannot be read or lies outside the root."""
        key = os.path.normpath(path)
        at_hand, text = self._at_hand
        if os.path.basename(key) == os.path.basename(at_hand) and os.path.abspath(key) == at_hand:
            return text
        if self.texts and (given := self.texts.get(os.path.abspath(key))) is not None:
            return given
        if key not in self._texts:
            try:
                self._texts[key] = decode(read_bytes(key), key) if self.inside(key) else None
            except Unreadable:
                self._texts[key] = None
        return self._texts[key]

    def exists(self, path: str) -> bool:
        """Whether a file or folder of this name is there, below the root."""
        return self.inside(path) and disk.exists(path)
