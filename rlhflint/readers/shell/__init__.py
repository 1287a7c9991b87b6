"""Shell scripts read as the commands they would run, every character with its origin. Nothing is ever run."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rlhflint.command import Command, Script
    from rlhflint.text import Traced

LONGEST = 1_000_000
"""Characters of a script that are read."""


def read_script(text: Traced, path: str, *, read_file: Callable[[str], str | None] | None = None) -> Script:
    """Read a script.

    Args:
        text: the script: a file, or a part of one that holds shell code.
        path: the file it stands in, as `read_file` and findings name it.
        read_file: gives the text of a file that the script sources, None if there is none. It gets paths relative to
            what `path` is relative to. Without it, sourced files stay unread.

    Returns:
        The commands in the order they are met, and what was wrong with the text. A script that takes more than the
        stated numbers of characters, steps or ways is read in part, which a problem says.
    """
    from rlhflint.readers.shell.script import read

    return read(text, path, read_file)


def is_notable(command: Command) -> bool:
    """Whether a command does more than look around, print, or put files in their places."""
    from rlhflint.readers.shell.run.mundane import is_notable

    return is_notable(command)
