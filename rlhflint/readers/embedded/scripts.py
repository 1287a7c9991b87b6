"""The shell texts of a file that is not a script itself, each with the characters of the file that made it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from rlhflint.text import Traced

MOST_CHARACTERS = 1_000_000
"""A longer file is not searched for shell code."""
MOST_SCRIPTS = 2_000
"""Of a file with more shell texts (recipe lines, `run` keys) the first ones are read."""


def embedded_scripts(path: str, text: str, kind: str) -> Iterator[Traced]:
    """What a shell would be given to run, text by text.

    Args:
        path: the file, as spans name it.
        text: its text with line ends as they are.
        kind: "yaml", "dockerfile", "makefile" or "markdown".
    """
    if len(text) <= MOST_CHARACTERS:
        yield from islice(_texts(path, text, kind), MOST_SCRIPTS)


def _texts(path: str, text: str, kind: str) -> Iterator[Traced]:
    match kind:
        case "yaml":
            from rlhflint.readers.embedded.yaml_commands import yaml_scripts

            yield from yaml_scripts(path, text)
        case "dockerfile":
            from rlhflint.readers.embedded.dockerfile import dockerfile_scripts

            yield from dockerfile_scripts(path, text)
        case "makefile":
            from rlhflint.readers.embedded.makefile import makefile_scripts

            yield from makefile_scripts(path, text)
        case "markdown":
            from rlhflint.readers.embedded.markdown import markdown_scripts

            yield from markdown_scripts(path, text)
