"""Which frameworks there are: a folder each in `frameworks/`, which tells about itself in its module `about`.

All that shared code knows of a framework before one of its launches is read comes from here, so that a framework is
added by adding its folder.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, TypeAlias

from rlhflint.records import dataclass

if TYPE_CHECKING:
    from rlhflint.project.kinds import FileKind

Suspicion: TypeAlias = "Callable[[bytes, FileKind, str], bool]"


@dataclass(frozen=True, slots=True)
class About:
    """What a framework tells about itself, as `ABOUT` in its module `about`; that module imports nothing heavy.

    `name` is its folder's, that of its programs (`trl:grpo`) and of its package; `title` is how messages write it,
    `prefix` begins the codes of its rules.
    `suspects` says of a file's bytes, its kind and its path whether the file may have to do with it.
    `mention` is a regular expression for the package's name in files that state releases, whatever the case.
    `programs` are those of all its releases, without its own name in front.
    `folders` are those of which a copy of its source has one, `commands` its own commands on the search path. One that
    is `experimental` is left alone unless the user asks for it. `asked` is what its maintainers ask for in an issue,
    besides what a report of `rlhflint explain` says.
    """

    name: str
    title: str
    prefix: str
    suspects: Suspicion
    mention: str
    folders: tuple[str, ...]
    programs: tuple[str, ...]
    commands: tuple[str, ...] = ()
    experimental: bool = False
    asked: tuple[str, ...] = ()


@cache
def abouts() -> tuple[About, ...]:
    """All frameworks, by name."""
    folder = os.path.join(os.path.dirname(__file__), "frameworks")
    found = sorted(name for name in os.listdir(folder) if os.path.isfile(os.path.join(folder, name, "about.py")))
    return tuple(import_module(f"rlhflint.frameworks.{name}.about").ABOUT for name in found)


@cache
def names() -> tuple[str, ...]:
    """The names of all frameworks, experimental ones included."""
    return tuple(about.name for about in abouts())


@cache
def programs() -> tuple[str, ...]:
    """The programs of all frameworks, experimental ones included: `trl:grpo`. Nothing of a framework is loaded."""
    return tuple(f"{about.name}:{program}" for about in abouts() for program in about.programs)


@cache
def commands() -> frozenset[str]:
    """The commands that frameworks bring along."""
    return frozenset(command for about in abouts() for command in about.commands)


def title(name: str) -> str:
    """How messages write a framework's name."""
    return next((about.title for about in abouts() if about.name == name), name)


def suspected(data: bytes, kind: FileKind, path: str) -> list[About]:
    """The frameworks that a file may have to do with, told from its bytes.

    Nothing more of a framework is loaded for a file that has nothing to do with it.
    """
    return [about for about in abouts() if about.suspects(data, kind, path)]
