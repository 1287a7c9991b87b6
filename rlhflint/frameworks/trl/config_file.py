"""The file behind `--config` of a command, as a document."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from rlhflint.frameworks.trl.names_used import named_configuration
from rlhflint.frameworks.trl.session import details_in
from rlhflint.project.places import shown

if TYPE_CHECKING:
    from rlhflint.command import Problem
    from rlhflint.mapping import Document
    from rlhflint.session import Session
    from rlhflint.text import Traced


class ConfigFile(NamedTuple):
    """The word that names the file, None where it is the file that is checked, and what was read of it."""

    word: Traced | None
    document: Document


def refused(document: Document) -> tuple[Problem, ...]:
    """The places where a file is no YAML, so that none of it is read."""
    return tuple(problem for problem in document.problems if problem.kind == "syntax")


def config_file(session: Session) -> ConfigFile | None:
    """The file that the word behind `--config` names, or that is checked itself as one of a program.

    None where there is none, or it cannot be found or read.
    """
    from rlhflint.readers.yaml import read_yaml

    form = details_in(session.launch).form
    if form == "yaml":
        text = session.site.files.text(session.site.path)
        return None if text is None else ConfigFile(None, read_yaml(session.launch.path, text))
    if form != "command" or session.start is None or session.launch.command is None:
        return None
    word = named_configuration(session.start.arguments)
    if word is None or not word.known:
        return None
    path = session.site.find(word.text, session.launch.command)
    text = session.site.files.text(path) if path is not None else None
    return None if path is None or text is None else ConfigFile(word, read_yaml(shown(path), text))
