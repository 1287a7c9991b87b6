"""The pipeline, one file at a time: read it, find its launches, run the rules, put the ways through it together."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from rlhflint.content import decode, searched
from rlhflint.disk import Unreadable, noting, read_bytes
from rlhflint.frameworks import framework
from rlhflint.project.configurations import Configurations
from rlhflint.project.discovery import Candidate, Discovery
from rlhflint.project.kinds import FileKind, kind_of_text
from rlhflint.project.places import Repositories, shown
from rlhflint.project.settings import Settings
from rlhflint.records import dataclass
from rlhflint.registry import abouts, suspected
from rlhflint.result import FileResult, Result
from rlhflint.stages import Stage, each

if TYPE_CHECKING:
    from rlhflint.command import Script
    from rlhflint.files import Files
    from rlhflint.launch import Launch
    from rlhflint.model import ProgramModel
    from rlhflint.project.config import Config
    from rlhflint.reading import Readings
    from rlhflint.site import Site
    from rlhflint.source import Source
    from rlhflint.text import Span
    from rlhflint.trail import Trail
    from rlhflint.versions.declared import Declared
    from rlhflint.versions.search import VersionSearch


class Suspect(NamedTuple):
    """A file that may hold launches of the frameworks `names`."""

    data: bytes
    names: list[str]


@dataclass
class Checker:
    """Checks files under the options of one run; what files share is read once.

    `texts`, by absolute path, stand for what is on the disk, also where another file sources it. `judges`: launches are
    judged by the rules, and not only read. `readings` keeps what was read, where the same texts are checked again.
    `trail` notes what a result rests on besides the bytes of its file and the frameworks they suggest.
    """

    settings: Settings = field(default_factory=Settings)
    texts: Mapping[str, str] = field(default_factory=dict)
    judges: bool = True
    readings: Readings | None = None
    trail: Trail | None = None

    def holding(self, texts: Mapping[str, str], settings: Settings | None = None, *, judges: bool = True) -> Checker:
        """A checker of the same project that takes other texts for files, and maybe other settings."""
        other = Checker(settings or self.settings, texts, judges, self.readings)
        other.repositories = self.repositories
        other._search = self._search
        if settings is None:
            other.configurations = self.configurations
        return other

    @cached_property
    def repositories(self) -> Repositories:
        """Where projects begin."""
        return Repositories()

    @cached_property
    def configurations(self) -> Configurations:
        """What is configured where."""
        return Configurations(self.settings, self.repositories)

    @cached_property
    def _search(self) -> VersionSearch:
        from rlhflint.versions.search import VersionSearch

        return VersionSearch(self.repositories)

    @cached_property
    def _files(self) -> dict[str, Files]:
        return {}

    def check(self, paths: Iterable[str]) -> Result:
        """Check the files under `paths`. Raises `ConfigError` where a configuration cannot be used."""
        return Result(tuple(without_repetitions(self.results(paths))))

    def results(self, paths: Iterable[str]) -> Iterator[FileResult]:
        """What is found file by file; a path that is not there is a result with a finding of its own."""
        for found in each("files", self.candidates(paths)):
            result = found if isinstance(found, FileResult) else self.check_file(found)
            if result is not None:
                yield result

    def candidates(self, paths: Iterable[str]) -> Iterator[Candidate | FileResult]:
        """The files under `paths` that may hold launches; for a path that is not there its result."""
        missing: list[FileResult] = []
        discovery = Discovery(
            self.configurations.excludes,
            lambda path, error: missing.append(_unreadable(shown(path), error)),
            self.settings.force_exclude,
            self.repositories,
        )
        for candidate in discovery.candidates(paths):
            yield from missing
            missing.clear()
            yield candidate
        yield from missing

    def check_file(self, candidate: Candidate) -> FileResult | None:
        """What is found in one file; None for a kind of file that is left alone."""
        looked = self.look_at(candidate)
        return self.check_suspect(candidate, looked) if isinstance(looked, Suspect) else looked

    def check_suspect(self, candidate: Candidate, suspect: Suspect) -> FileResult:
        """What is found in a file that `look_at` has found suspect."""
        try:
            return self._check(decode(suspect.data, candidate.path), candidate.path, candidate.kind, suspect.names)
        except Unreadable as error:
            return _unreadable(shown(candidate.path), error, suspect.data)

    def look_at(self, candidate: Candidate) -> Suspect | FileResult | None:
        """The bytes of a file that may hold launches, or the result where that is all there is to say of it."""
        with Stage("names"):
            return self._look_at(*candidate)

    def _look_at(self, path: str, kind: FileKind) -> Suspect | FileResult | None:
        if kind is FileKind.OTHER or (kind is FileKind.MARKDOWN and not self._config(path).markdown):
            return None
        if self.texts and (text := self.texts.get(os.path.abspath(path))) is not None:
            return self.check_text(text, path, kind)
        try:
            data = read_bytes(path)
        except Unreadable as error:
            return _unreadable(shown(path), error)
        names = self._suspected(searched(data), kind, path)
        return Suspect(data, names) if names else FileResult(shown(path))

    def check_text(self, text: str, filename: str, kind: FileKind | None = None) -> FileResult:
        """What is found in a text that goes by a file's name, as standard input does."""
        kind = kind or kind_of_text(filename, text)
        names = self._suspected(text.encode(errors="replace"), kind, filename)
        if kind is FileKind.OTHER or not names:
            return FileResult(shown(filename))
        return self._check(text, filename, kind, names)

    def model(self, file: FileResult, launch: Launch) -> ProgramModel:
        """The typed model of a launch that was found in a file. Raises `ValueError` where nothing was read of it."""
        if file.document is None:
            raise ValueError(f"no launch was read in {file.path}")
        source, path = file.document.source, os.path.abspath(file.path)
        site = replace(self._site(path, source, kind_of_text(path, source.text)), scripts=file.document.scripts)
        return framework(launch.program.partition(":")[0]).model(launch, site)

    def _check(self, text: str, path: str, kind: FileKind, names: list[str]) -> FileResult:
        """What is found in a file that may hold launches; what that takes is loaded only now."""
        from rlhflint.file_check import FileCheck
        from rlhflint.source import Source

        source = Source(shown(path), text)
        with noting(self.trail):
            site = self._site(os.path.abspath(path), source, kind)
            return FileCheck(source, kind, site, names, self.judges, self.readings).run()

    def _suspected(self, data: bytes, kind: FileKind, path: str) -> list[str]:
        """The frameworks that a file may have to do with, experimental ones if the user asks for them."""
        found = suspected(data, kind, path)
        if kind is FileKind.YAML and (said := self._config(path).program_for(os.path.abspath(path))) is not None:
            # What a file is said to be counts, whatever is in it.
            name = said.partition(":")[0]
            found += [about for about in abouts() if about.name == name and about not in found]
        return [
            about.name for about in found if not about.experimental or about.name in self._config(path).experimental
        ]

    def _config(self, path: str) -> Config:
        with noting(self.trail):
            return self.configurations.for_file(path)

    def _site(self, path: str, source: Source, kind: FileKind) -> Site:
        from pathlib import Path

        from rlhflint.files import Files
        from rlhflint.site import Site
        from rlhflint.versions.said import said_in

        root = self.repositories.root(os.path.dirname(path))
        if root not in self._files:
            self._files[root] = Files(Path(root), self.texts)
        files = self._files[root].beside(path, source.text)
        config = self._config(path)

        def declare(scripts: Sequence[Script]) -> Declared:
            said = said_in(scripts, lambda span: _line(span, source, files))
            return self._search.declared(
                path, text=source.text, kind=kind, commands=said, config=config, python=config.python
            )

        return Site(path, files, config, declare)


def _line(span: Span, source: Source, files: Files) -> int:
    """The line that a span begins on, in the file at hand or one that it sources."""
    from rlhflint.source import Source

    if span.path != source.path:
        source = Source(span.path, files.text(span.path) or "")
    return source.position_in_file(span.start).line


def without_repetitions(results: Iterable[FileResult]) -> Iterator[FileResult]:
    """The results with each finding once: what a command says of the file it uses is said of that file as well."""
    seen: set[tuple[str, Span, str]] = set()
    for result in results:
        kept = []
        for finding in result.findings:
            key = (finding.code, finding.span, finding.message)
            if key not in seen:
                kept.append(finding)
                seen.add(key)
        yield result if len(kept) == len(result.findings) else replace(result, findings=tuple(kept))


def _unreadable(path: str, error: Unreadable, data: bytes = b"") -> FileResult:
    from rlhflint.source import Source
    from rlhflint.tool_rules import unreadable

    source = Source(path, data.decode("utf-8", "replace"))
    return FileResult(path, {path: source}, (unreadable(path, str(error), error.offset, error.remedy),), broken=True)
