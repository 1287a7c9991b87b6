"""Launches of YAML files: a file belongs to the command that uses it, or to the program the user says."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from rlhflint.disk import read_regular, real, walk
from rlhflint.frameworks.trl import command_launches
from rlhflint.frameworks.trl.catalog.commands import command_fields, parser_traits, script_at
from rlhflint.frameworks.trl.catalog.programs import config_key
from rlhflint.frameworks.trl.catalog.store import releases, transformers_releases
from rlhflint.frameworks.trl.config_file import refused
from rlhflint.frameworks.trl.parsed_values import of_yaml, repeated, yaml_settings
from rlhflint.frameworks.trl.releases import NAME, settled, versions_for
from rlhflint.frameworks.trl.session import Details, Stray
from rlhflint.launch import Launch
from rlhflint.project.kinds import FileKind, kind_of_name
from rlhflint.project.places import shown
from rlhflint.text import Span, Traced

if TYPE_CHECKING:
    from rlhflint.command import Command, Script
    from rlhflint.document import Document
    from rlhflint.files import Files
    from rlhflint.mapping import Document as Keys
    from rlhflint.site import Site

_MOST_FILES = 5000
_LARGEST = 1 << 20
_SKIPPED = frozenset({".git", "node_modules", "__pycache__", "site-packages", ".venv", "venv"})


def launches(document: Document, site: Site) -> Iterator[Launch]:
    """The launches that a YAML file configures."""
    keys = document.keys
    if keys is None:
        return
    stated = keys.program.text if keys.program is not None else site.program
    if stated is not None:
        if stated.startswith("trl:") and (keys.root is not None or refused(keys)):
            yield from _stated(stated, keys, site)
        return
    if keys.mapping is None:
        return
    for path, script in _users(site.path, site):
        beside = replace(site, path=path)  # what its words name lies beside the script, not beside the file
        using = tuple(command for command in script.commands if _uses(command, beside, site.path))
        if using:
            part = type(script)(script.path, script.span, using)
            found = list(command_launches.launches((part,), beside, document.sources))
            yield from found
            if found:
                return


def _stated(program: str, keys: Keys, site: Site) -> Iterator[Launch]:
    """The launch of a file whose program the user states, without the command that uses it."""
    versions = versions_for((), site)
    word = program.partition(":")[2]
    if not settled(versions) and keys.mapping is not None:
        classes = _classes(program, releases().place(versions[NAME].value).release)
        versions = versions_for([(classes, entry.name) for entry in keys.mapping.entries if entry.name], site)
    trl = releases().place(versions[NAME].value).release
    transformers = transformers_releases().place(versions["transformers"].value).release
    config = config_key(program, trl) or ""
    classes = _classes(program, trl)
    try:
        fields = command_fields(classes, trl, transformers)
    except KeyError:
        return
    settings = list(yaml_settings(keys, fields, config, trl))
    _, none_words = parser_traits(trl, transformers)
    strays = tuple(
        Stray(one, config, trainer=False)
        for one, field in settings
        if field is None and one.name not in ("config", "env")
    )
    again = tuple(pair for one, _ in settings for pair in repeated(keys, one))
    mapping = keys.mapping
    broken = next((one.span for one in refused(keys)), Span(keys.path, 0, 0))
    first = mapping.entries[0].key.span if mapping is not None and mapping.entries else broken
    yield Launch(
        program=program,
        path=keys.path,
        span=first,
        settings=tuple(one for one, _ in settings),
        versions=versions,
        more="the command line may give more",
        values={
            one.canonical[0]: of_yaml(field, one.value, none_words) for one, field in settings if field is not None
        },
        refused=tuple(stray.setting for stray in strays),
        details=Details("yaml", trl, transformers, config, fields=fields, strays=strays, word=word, repeated=again),
    )


def _classes(program: str, trl: str) -> tuple[str, ...]:
    """The keys of the classes that TRL's own script for a program fills; its configuration where there is none."""
    script = script_at(f"trl.scripts.{program.partition(':')[2]}", trl)
    return script.classes if script is not None else (config_key(program, trl) or "",)


def _uses(command: Command, site: Site, path: str) -> bool:
    """Whether a command of the site's script is given a file behind `--config`."""
    words = command.words
    for before, word in pairwise(words):
        if before.text == "--config" and word.known:
            file = site.find(word.text, command)
            if file is not None and real(file) == real(path):
                return True
    return False


def _users(path: str, site: Site) -> Iterator[tuple[str, Script]]:
    """The shell scripts of the project, and those in its Makefiles, that name a file; each with its own file."""
    from rlhflint.readers.shell import read_script

    name = os.path.basename(path).encode()
    commands = _commands(site.files)
    for candidate, kind in commands.files:
        if name not in commands.data(candidate):
            continue
        text = site.files.text(candidate)
        if text is None:
            continue
        where = shown(candidate)
        if kind is FileKind.SHELL:
            yield candidate, read_script(Traced.of_file(where, text), where, read_file=site.files.text)
        else:
            from rlhflint.readers.embedded import embedded_scripts

            for part in embedded_scripts(where, text, kind.value):
                yield candidate, read_script(part, where, read_file=site.files.text)


class _Commands:
    """The files of a project that hold commands, found and read once in a run."""

    def __init__(self, root: str) -> None:
        self.files = tuple(_below(root))
        self._read: dict[str, bytes] = {}

    def data(self, path: str) -> bytes:
        """The bytes of a file, as far as they are looked at; empty for what is no regular file."""
        if path not in self._read:
            self._read[path] = read_regular(path, most=_LARGEST) or b""
        return self._read[path]


_PROJECTS: WeakKeyDictionary[Files, _Commands] = WeakKeyDictionary()
"""By the files of a run, so that a later run sees what has changed since."""


def _commands(files: Files) -> _Commands:
    found = _PROJECTS.get(files.project)
    if found is None:
        found = _PROJECTS[files.project] = _Commands(str(files.root))
    return found


def _below(root: str) -> Iterator[tuple[str, FileKind]]:
    """The shell scripts and Makefiles below a folder, up to a bound."""
    seen = 0
    for folder, below, files in walk(root):
        below[:] = sorted(one for one in below if one not in _SKIPPED)
        for file in sorted(files):
            seen += 1
            kind = kind_of_name(file)
            if kind in (FileKind.SHELL, FileKind.MAKEFILE):
                yield os.path.join(folder, file), kind
        if seen > _MOST_FILES:
            return
