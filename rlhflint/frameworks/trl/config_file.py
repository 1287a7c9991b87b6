"""The file behind `--config` of a command, as a document."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from rlhflint.project.places import shown

if TYPE_CHECKING:
    from rlhflint.mapping import Document
    from rlhflint.session import Session
    from rlhflint.text import Traced


class ConfigFile(NamedTuple):
    """The word that names the file, and what was read of it."""

    word: Traced
    document: Document


def config_file(session: Session) -> ConfigFile | None:
    """The file that the word behind `--config` names; None where there is none, or it cannot be found or read."""
    from rlhflint.readers.yaml import read_yaml

    if session.start is None or session.launch.command is None:
        return None
    words = session.start.arguments
    word = next((words[at + 1] for at, one in enumerate(words[:-1]) if one.text == "--config"), None)
    if word is None or not word.known:
        return None
    path = session.site.find(word.text, session.launch.command)
    text = session.site.files.text(path) if path is not None else None
    return None if path is None or text is None else ConfigFile(word, read_yaml(shown(path), text))
