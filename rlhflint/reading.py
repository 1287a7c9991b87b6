"""From a file to what the readers make of it; each reader is loaded when a file needs it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rlhflint.document import Document
from rlhflint.project.kinds import FileKind
from rlhflint.source import Source
from rlhflint.text import Traced

if TYPE_CHECKING:
    from rlhflint.command import Script
    from rlhflint.files import Files


def read_document(source: Source, kind: FileKind, files: Files, folder: str) -> Document:
    """What the readers make of a file.

    Args:
        source: its text.
        kind: how it is read.
        files: where the files lie that it sources.
        folder: of the file, absolute.
    """
    reader = _Reader(source, files, folder)
    match kind:
        case FileKind.SHELL:
            return reader.document(kind, (reader.script(Traced.of_file(source.path, source.text)),))
        case FileKind.DOCKERFILE | FileKind.MAKEFILE | FileKind.MARKDOWN | FileKind.YAML:
            return reader.document(kind, reader.embedded(kind))
    return reader.document(kind, ())


class _Reader:
    def __init__(self, source: Source, files: Files, folder: str) -> None:
        self.source = source
        self.files = files
        self.folder = folder
        self.sources = {source.path: source}

    def document(self, kind: FileKind, scripts: tuple[Script, ...]) -> Document:
        return Document(self.source, kind.value, scripts, sources=self.sources)

    def script(self, text: Traced) -> Script:
        from rlhflint.readers.shell import read_script

        return read_script(text, self.source.path, read_file=self._sourced)

    def embedded(self, kind: FileKind) -> tuple[Script, ...]:
        from rlhflint.readers.embedded import embedded_scripts

        texts = embedded_scripts(self.source.path, self.source.text, markdown=kind is FileKind.MARKDOWN)
        return tuple(self.script(text) for text in texts)

    def _sourced(self, path: str) -> str | None:
        """The text of a file that a script sources, by its path relative to the working directory."""
        text = self.files.text(path)
        if text is not None:
            self.sources.setdefault(path, Source(path, text))
        return text
