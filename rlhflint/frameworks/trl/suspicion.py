"""Whether a file may have to do with TRL, told from its bytes before anything is loaded for it."""

from __future__ import annotations

import os
import re

from rlhflint.disk import is_file, read_regular
from rlhflint.expressions import expression
from rlhflint.project.kinds import FileKind

_WORD = expression(rb"\btrl\b")
# Begins where a word does: a search from each letter of a long word would take the square of its length.
_SCRIPT = expression(rb"(?<![\w./-])[\w./-]+\.py\b")
_RECIPE = expression(
    rb"^\"?'?(?:model_name_or_path|dataset_name|per_device_train_batch_size|num_generations|reward_funcs)\b",
    re.MULTILINE,
)
_MOST_SCRIPTS = 20
_LARGEST = 2 << 20


def suspected(data: bytes, kind: FileKind, path: str) -> bool:
    """Whether to look at a file: it names TRL, starts a Python script that does, or has keys of TRL's recipes.

    Scripts are looked for beside the file, `path`, and in the working directory.
    """
    if _names(data):
        return True
    if kind is FileKind.YAML:
        return _RECIPE.search(data) is not None
    if kind in (FileKind.SHELL, FileKind.MAKEFILE, FileKind.DOCKERFILE):
        names = dict.fromkeys(found.decode() for found in _SCRIPT.findall(data))
        beside = os.path.dirname(os.path.abspath(path))
        folders = (beside, os.path.dirname(beside), os.getcwd())
        return any(_names_trl(os.path.join(folder, name)) for name in list(names)[:_MOST_SCRIPTS] for folder in folders)
    return False


def _names_trl(path: str) -> bool:
    if not is_file(path):
        return False
    data = read_regular(path, most=_LARGEST + 1) or b""
    return len(data) <= _LARGEST and _names(data)


def _names(data: bytes) -> bool:
    """Whether a text names TRL. The plain search is many times as fast as the other, and rarely finds anything."""
    return b"trl" in data and _WORD.search(data) is not None
