"""What the readers made of one file."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rlhflint.call import Module
    from rlhflint.command import Script
    from rlhflint.mapping import Mapping
    from rlhflint.source import Source


@dataclass(frozen=True, slots=True)
class Document:
    """One file as read: shell texts in it (the file itself, or embedded ones), a Python module, a YAML mapping."""

    source: Source
    kind: str
    """`shell`, `python`, `notebook`, `yaml`, `dockerfile`, `makefile`, `markdown`."""
    scripts: tuple[Script, ...] = ()
    module: Module | None = None
    mapping: Mapping | None = None
    sources: dict[str, Source] = field(default_factory=dict)
    """Every file that a span may lie in, by path."""
