"""The names of options that a command and its YAML file use, to judge by them for which release they were written."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rlhflint.command import Command
    from rlhflint.frameworks.trl.started import Started
    from rlhflint.site import Site
    from rlhflint.text import Traced


CONFIG = "--config"
"""The flag of the YAML file, which the parser takes out of the words before it looks for options."""


def names_used(found: Started, command: Command, site: Site) -> Iterator[tuple[tuple[str, ...], str]]:
    """The names, each with the classes that may have it: those that the launch fills."""
    for word in found.arguments:
        name = word.text.partition("=")[0]
        if name.startswith("--") and name not in ("--", CONFIG):
            yield found.classes, name[2:].replace("-", "_")
    file = configuration(found.arguments, command, site)
    text = site.files.text(file) if file is not None else None
    if file is None or text is None:
        return
    from rlhflint.readers.yaml import read_yaml

    mapping = read_yaml(file, text).mapping
    for entry in mapping.entries if mapping is not None else ():
        if entry.name:
            yield found.classes, entry.name


def configuration(words: tuple[Traced, ...], command: Command, site: Site) -> str | None:
    """The YAML file of a launch; None if none is named, or it is not found."""
    name = named_configuration(words)
    return site.find(name.text, command) if name is not None and name.known else None


def named_configuration(words: tuple[Traced, ...]) -> Traced | None:
    """The word that names the YAML file: behind the first `--config`; else what is meant by `--config=FILE`."""
    for at, word in enumerate(words[:-1]):
        if word.text == CONFIG:
            return words[at + 1]
    return next((word[len(CONFIG) + 1 :] for word in words if word.text.startswith(f"{CONFIG}=")), None)
