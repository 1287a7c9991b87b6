"""What the files of one folder say about releases."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable
from importlib import import_module
from typing import NamedTuple

from rlhflint.disk import entries, is_file, read_regular
from rlhflint.expressions import expression
from rlhflint.packages.names import may_name_one
from rlhflint.project.kinds import FileKind, kind_of_name
from rlhflint.versions.requirement import Origin, Statements

MOST_FILES = 50
"""Requirements files of a folder, and Dockerfiles, that are read."""

_REQUIREMENTS = expression(r"(?:.*[-_.])?requirements(?:[-_.].*)?\.(?:txt|in)|reqs\.txt", re.IGNORECASE)


def read_folder(folder: str, root: str) -> Statements:
    """What the files right in `folder` say, and those in its `requirements`; `root` is the repository it lies in."""
    names = [entry.name for entry in entries(folder) or ()]
    parts = [statements for name in names if (statements := _read(folder, name))]
    parts += _requirements(folder, [name for name in names if _REQUIREMENTS.fullmatch(name)], root)
    parts += _dockerfiles(folder, [name for name in names if kind_of_name(name) is FileKind.DOCKERFILE], root)
    if "requirements" in names:
        below = os.path.join(folder, "requirements")
        variants = [entry.name for entry in entries(below) or () if entry.name.endswith((".txt", ".in"))]
        parts += _requirements(below, variants, root, Origin.VARIANT)
    return Statements.joined(parts)


def read_requirements_named(
    names: Iterable[str], folders: Iterable[str], root: str, origin: Origin
) -> list[Statements]:
    """What requirements files say that a command installs from; each is looked for in the folders in their order."""
    from rlhflint.versions.requirements_txt import read_requirements

    searched = list(folders)
    parts: list[Statements] = []
    for name in list(dict.fromkeys(names))[:MOST_FILES]:
        paths = [os.path.normpath(os.path.join(folder, name)) for folder in searched]
        path = next((path for path in paths if is_file(path)), None)
        if path is not None:
            parts.append(read_requirements(path, root, origin))
    return parts


def read_dockerfile_at(path: str, raw: bytes, root: str) -> Statements:
    """What a Dockerfile says, and the requirements files it installs from, as far as they are beside it."""
    from rlhflint.versions.dockerfile import read_dockerfile

    included: list[str] = []
    statements = read_dockerfile(path, raw, included.append)
    files = read_requirements_named(included, [os.path.dirname(path)], root, Origin.DOCKERFILE)
    return Statements.joined([statements, *files])


Reader = Callable[[str, bytes], Statements]


class _Kind(NamedTuple):
    name: re.Pattern[str]
    module: str
    """Where the function is; imported only when there is such a file."""
    function: str
    largest: int
    """Bytes; a file that is larger is not read."""


_KINDS = (
    _Kind(expression(r"(?:uv|poetry|pdm)\.lock|pylock(?:\.[^.]+)?\.toml"), "locks", "read_lock", 32 << 20),
    _Kind(expression(r"pyproject\.toml"), "pyproject", "read_pyproject", 1 << 20),
    _Kind(expression(r"setup\.py"), "setup_files", "read_setup_py", 1 << 20),
    _Kind(expression(r"setup\.cfg"), "setup_files", "read_setup_cfg", 1 << 20),
    _Kind(expression(r"\.python-version"), "own_file", "read_python_version", 1 << 10),
    _Kind(
        expression(r"(?:.*[-_.])?(?:environment|conda|env)(?:[-_.].*)?\.ya?ml"), "conda", "read_environment", 1 << 17
    ),
)


def _read(folder: str, name: str) -> Statements | None:
    """What a file says; None if files of this name state no releases."""
    kind = next((kind for kind in _KINDS if kind.name.fullmatch(name)), None)
    if kind is None:
        return None
    path = os.path.join(folder, name)
    raw = read_regular(path, most=kind.largest + 1)
    if not raw or len(raw) > kind.largest:
        return None
    read: Reader = getattr(import_module(f"rlhflint.versions.{kind.module}"), kind.function)
    statements = read(path, raw)
    # A file that names none of the packages may be as broken as it likes.
    return statements if may_name_one(raw) else Statements(statements.requirements)


def _requirements(folder: str, names: list[str], root: str, origin: Origin | None = None) -> list[Statements]:
    if not names:
        return []
    from rlhflint.versions.requirements_txt import read_requirements

    parts: list[Statements] = []
    for name in names[:MOST_FILES]:
        plain = Origin.REQUIREMENTS if name == "requirements.txt" else Origin.VARIANT
        parts.append(read_requirements(os.path.join(folder, name), root, origin or plain))
    return parts


def _dockerfiles(folder: str, names: list[str], root: str) -> list[Statements]:
    if not names:
        return []
    from rlhflint.versions.dockerfile import LARGEST

    paths = [os.path.join(folder, name) for name in names[:MOST_FILES]]
    return [read_dockerfile_at(path, raw, root) for path in paths if (raw := read_regular(path, most=LARGEST))]
