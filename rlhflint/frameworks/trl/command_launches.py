"""Launches by commands: words over the entries of a YAML file over defaults, as TRL's parser reads them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from rlhflint.arguments import Mistake, read_arguments
from rlhflint.catalog.option import Option
from rlhflint.frameworks.trl import python_launches
from rlhflint.frameworks.trl.catalog.commands import command_fields, command_options, parser_traits
from rlhflint.frameworks.trl.catalog.programs import config_key
from rlhflint.frameworks.trl.catalog.store import releases, transformers_releases
from rlhflint.frameworks.trl.names_used import CONFIG, configuration, named_configuration, names_used
from rlhflint.frameworks.trl.parsed_values import of_words, of_yaml, repeated, yaml_settings
from rlhflint.frameworks.trl.releases import NAME, settled, versions_for
from rlhflint.frameworks.trl.session import Details, Stray, newest_name
from rlhflint.frameworks.trl.started import Started, started
from rlhflint.given import Given
from rlhflint.launch import Launch, Setting
from rlhflint.launchers import start_of
from rlhflint.launchers.environment import environment_of
from rlhflint.project.places import shown
from rlhflint.source import Source
from rlhflint.text import Traced
from rlhflint.value import Known, Value
from rlhflint.words import setting_of

if TYPE_CHECKING:
    from rlhflint.catalog.fields import Fields
    from rlhflint.command import Choice, Command, Script
    from rlhflint.launch import Version
    from rlhflint.launchers import Start
    from rlhflint.mapping import Entry
    from rlhflint.site import Site

_NOT_OPTIONS = ("config", "env")
"""Keys of a YAML file that the parser takes out before it looks for options."""


def launches(scripts: tuple[Script, ...], site: Site, sources: dict[str, Source]) -> Iterator[Launch]:
    """The launches of the commands of some scripts. `sources` gets the files that findings may lie in besides."""
    versions: dict[str, Version] = {}
    for script in scripts:
        for command in script.commands:
            start = start_of(command)
            if start is None or start.uncertain:
                continue
            versions = versions or versions_for((), site)
            trl = releases().place(versions[NAME].value).release
            found = started(start, command, site, trl)
            if found is None:
                continue
            judged = versions
            if found.parses and not settled(versions):
                judged = versions_for(names_used(found, command, site), site)
                trl = releases().place(judged[NAME].value).release
                found = started(start, command, site, trl) or found
            yield from _Maker(found, start, command, script, site, judged, sources).launches()


class _Maker:
    """Makes the launches of one command."""

    def __init__(
        self,
        found: Started,
        start: Start,
        command: Command,
        script: Script,
        site: Site,
        versions: dict[str, Version],
        sources: dict[str, Source],
    ) -> None:
        self.found, self.start, self.command, self.script, self.site = found, start, command, script, site
        self.versions, self.sources = versions, sources
        self.trl = releases().place(versions[NAME].value).release
        self.transformers = transformers_releases().place(versions["transformers"].value).release
        self.settings: list[Setting] = []
        self.values: dict[str, Given | Value] = {}
        self.strays: list[Stray] = []
        self.repeated: list[tuple[Setting, Entry]] = []
        self.config = config_key(found.program, self.trl) or ""
        self.more = found.open

    def launches(self) -> Iterator[Launch]:
        """The launch of the command; those of the script it starts, where that holds the configuration."""
        self.sources.update(self.found.sources)
        if not self.found.parses:
            if self.found.module is not None:
                for launch in python_launches.launches(self.found.module, self.site):
                    yield replace(
                        launch,
                        command=self.command,
                        start=self.start,
                        script=self.script,
                        choices=self._choices(launch),
                        environment=environment_of(self.start, self.command, self.script).values,
                    )
            return
        try:
            fields = command_fields(self.found.classes, self.trl, self.transformers)
        except KeyError:
            return
        words = self._without_config(self.found.arguments)
        for path in self._config_files(fields):
            self._read_yaml(path, fields)
        self._read_words(words, fields)
        place = self.start.span or self.command.span
        yield Launch(
            program=self.found.program,
            path=self.script.path,
            span=place,
            settings=tuple(self.settings),
            versions=self.versions,
            choices=self.command.choices,
            more=self.more,
            command=self.command,
            start=self.start,
            script=self.script,
            values=dict(self.values),
            refused=tuple(stray.setting for stray in self.strays),
            reading=self.reading,
            environment=environment_of(self.start, self.command, self.script).values,
            details=Details(
                form="command",
                trl=self.trl,
                transformers=self.transformers,
                config=self.config,
                fields=fields,
                strays=tuple(self.strays),
                by=self.found.by,
                word=self.found.word,
                repeated=tuple(self.repeated),
                open=self.found.open,
            ),
        )

    def _choices(self, launch: Launch) -> tuple[Choice, ...]:
        return tuple(dict.fromkeys([*self.command.choices, *launch.choices]))

    # The command line

    def _without_config(self, words: tuple[Traced, ...]) -> list[Traced]:
        """The words without the first `--config FILE`, which the parser takes out itself."""
        for at, word in enumerate(words):
            if word.text == CONFIG and at + 1 < len(words):
                return [*words[:at], *words[at + 2 :]]
        return list(words)

    def _config_files(self, fields: Fields) -> Iterator[str]:
        """The YAML file; where it is named in one word, which TR112 tells of, what is meant is judged."""
        name = named_configuration(self.found.arguments)
        joined = name is not None and not any(word.text == CONFIG for word in self.found.arguments[:-1])
        if name is None or (joined and CONFIG[2:] in fields):
            return
        file = configuration(self.found.arguments, self.command, self.site)
        if file is None:
            self.more = self.more or f"{name.text if name.known else 'its configuration'} was not found"
        else:
            yield file

    def _read_words(self, words: list[Traced], fields: Fields) -> None:
        options = command_options(self.found.classes, self.trl, self.transformers)
        for name in self.found.own:
            loose = Option(f"--{name}", name, nargs="*", loose=True)
            options |= {f"--{name}": loose, f"--{name.replace('_', '-')}": loose}
        self.options = options
        self.reading = read_arguments(words, options)
        self.more = self.more or self.reading.more
        _, none_words = parser_traits(self.trl, self.transformers)
        for argument in self.reading.arguments:
            field = fields.get(argument.option.dest)
            if field is None:
                continue
            canonical = newest_name(field.owner, field.name, self.trl)
            self._set(canonical, argument.name, argument.values, joined=argument.joined)
            if argument.option.action == "store_false":
                self.values[canonical] = Known(False)
            else:
                self.values[canonical] = of_words(field, argument.values, none_words)
        for trouble in self.reading.troubles:
            # TR112 tells of a `--config` that is left: it is no option, of no release.
            if trouble.mistake is Mistake.UNKNOWN and trouble.word.text != CONFIG:
                canonical = newest_name(self.config, trouble.word.text.lstrip("-").replace("-", "_"))
                setting = self._set(canonical, trouble.word, trouble.values, joined=trouble.joined)
                self._stray(setting)

    def _set(self, canonical: str, name: Traced, values: tuple[Traced, ...], *, joined: bool = False) -> Setting:
        setting = setting_of(name, values, (canonical,), self.command.span, joined=joined)
        self.settings.append(setting)
        return setting

    # The YAML file

    def _read_yaml(self, file: str, fields: Fields) -> None:
        from rlhflint.readers.yaml import read_yaml

        path, text = shown(file), self.site.files.text(file)
        if text is None:
            self.more = self.more or f"{path} cannot be read"
            return
        self.sources.setdefault(path, Source(path, text))
        keys = read_yaml(path, text)
        if keys.problems:
            self.more = self.more or f"{path} cannot be read in full"
        for setting, field in yaml_settings(keys, fields, self.config, self.trl):
            self.settings.append(setting)
            self.repeated += repeated(keys, setting)
            if field is not None:
                _, none_words = parser_traits(self.trl, self.transformers)
                self.values[setting.canonical[0]] = of_yaml(field, setting.value, none_words)
            elif setting.name not in self.found.own and setting.name not in _NOT_OPTIONS:
                self._stray(setting)

    def _stray(self, setting: Setting) -> None:
        if not self.found.open:
            self.strays.append(Stray(setting, self.config, trainer=False))
