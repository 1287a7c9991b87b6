"""From a file to what the readers make of it; each reader is loaded when a file needs it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from rlhflint.document import Document
from rlhflint.project.kinds import FileKind
from rlhflint.source import Position, Source
from rlhflint.text import Span, Traced

if TYPE_CHECKING:
    from rlhflint.call import Module
    from rlhflint.command import Script
    from rlhflint.files import Files
    from rlhflint.readers.notebook import Notebook


def read_document(source: Source, kind: FileKind, files: Files, watch: Callable[[str], bool]) -> Document:
    """What the readers make of a file.

    Args:
        source: its text.
        kind: how it is read.
        files: where the files lie that it sources.
        watch: whether a dotted path in Python is of interest to a framework.
    """
    reader = _Reader(source, files, watch)
    match kind:
        case FileKind.SHELL:
            return reader.document(kind, (reader.script(reader.whole),))
        case FileKind.PYTHON:
            return reader.document(kind, module=reader.module([reader.whole]))
        case FileKind.NOTEBOOK:
            return reader.notebook()
        case FileKind.YAML:
            return reader.yaml()
        case FileKind.DOCKERFILE | FileKind.MAKEFILE | FileKind.MARKDOWN:
            return reader.document(kind, reader.embedded(kind))
    return reader.document(kind)


class Readings:
    """What was read of each file last, for another check of the same texts at other releases."""

    def __init__(self) -> None:
        self._last: dict[str, tuple[str, tuple[str, ...], Mapping[str, str], Document]] = {}

    def get(self, source: Source, names: Sequence[str], files: Files, read: Callable[[], Document]) -> Document:
        """The document of a file, read anew if any text or the frameworks that it is read for are others."""
        last = self._last.get(source.path)
        if last is None or last[:3] != (source.text, tuple(names), files.texts):
            last = (source.text, tuple(names), files.texts, read())
            self._last[source.path] = last
        return replace(last[3], sources=dict(last[3].sources))


class _Reader:
    def __init__(self, source: Source, files: Files, watch: Callable[[str], bool]) -> None:
        self.source = source
        self.files = files
        self.watch = watch
        self.sources = {source.path: source}

    @property
    def whole(self) -> Traced:
        return Traced.of_file(self.source.path, self.source.text)

    def document(
        self, kind: FileKind, scripts: tuple[Script, ...] = (), module: Module | None = None, **more: object
    ) -> Document:
        return Document(self.source, kind.value, scripts, module, sources=self.sources, **more)  # type: ignore[arg-type]

    def script(self, text: Traced) -> Script:
        from rlhflint.readers.shell import read_script

        return read_script(text, self.source.path, read_file=self._sourced)

    def embedded(self, kind: FileKind) -> tuple[Script, ...]:
        from rlhflint.readers.embedded import MOST_CHARACTERS, embedded_scripts

        if len(self.source.text) > MOST_CHARACTERS:
            return (self._unread(f"longer than {MOST_CHARACTERS:,} characters: no shell code was looked for in it"),)
        texts = embedded_scripts(self.source.path, self.source.text, kind.value)
        return tuple(self.script(text) for text in texts)

    def _unread(self, message: str) -> Script:
        """What stands for the scripts of a file that is not looked through."""
        from rlhflint.command import Problem, Script

        whole = Span(self.source.path, 0, len(self.source.text))
        return Script(self.source.path, whole, problems=(Problem("too-large", Span(self.source.path, 0, 0), message),))

    def module(self, cells: Sequence[Traced]) -> Module:
        from rlhflint.readers.python import read_cells

        return read_cells(self.source.path, cells, watch=self.watch)

    def yaml(self) -> Document:
        """A YAML file: its scripts, and its keys for the framework that may read them."""
        from rlhflint.readers.yaml import read_yaml

        keys = read_yaml(self.source.path, self.source.text)
        return self.document(FileKind.YAML, self.embedded(FileKind.YAML), keys=keys)

    def notebook(self) -> Document:
        """A notebook: its Python as one module, its shell lines as scripts; places count within cells."""
        from rlhflint.readers.notebook import read_notebook

        read = read_notebook(self.source.path, self.source.text)
        self.source = Source(self.source.path, self.source.text, locate=_locator(self.source, read))
        self.sources[self.source.path] = self.source
        scripts = tuple(self.script(text) for text in read.shell)
        module = self.module(read.python)
        return self.document(FileKind.NOTEBOOK, scripts, module, notebook=read)

    def _sourced(self, path: str) -> str | None:
        """The text of a file that a script sources, by its path relative to the working directory."""
        text = self.files.text(path)
        if text is not None:
            self.sources.setdefault(path, Source(path, text))
        return text


def _locator(source: Source, notebook: Notebook) -> Callable[[int], Position]:
    """Places of a notebook: in a cell where there is one, else in the lines of the file."""

    def locate(offset: int) -> Position:
        found = notebook.locate(offset)
        if found is None:
            return source.position(offset)
        cell, line, column = found
        return Position(line, column, cell)

    return locate
