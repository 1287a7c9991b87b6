"""What the readers made of one file."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING

from rlhflint.records import dataclass

if TYPE_CHECKING:
    from rlhflint.call import Module
    from rlhflint.command import Script
    from rlhflint.mapping import Document as Keys
    from rlhflint.readers.notebook import Notebook
    from rlhflint.source import Source


@dataclass(frozen=True, slots=True)
class Document:
    """One file as read: shell texts in it (the file itself, or embedded ones), a Python module, a YAML document.

    A notebook has its code cells as one module and its shell lines as scripts.
    """

    source: Source
    kind: str
    """`shell`, `python`, `notebook`, `yaml`, `dockerfile`, `makefile`, `markdown`."""
    scripts: tuple[Script, ...] = ()
    module: Module | None = None
    keys: Keys | None = None
    notebook: Notebook | None = None
    sources: dict[str, Source] = field(default_factory=dict)
    """Every file that a span may lie in, by path."""
