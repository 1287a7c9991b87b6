"""Copies of a framework's source in the user's own tree."""

from __future__ import annotations

import os
import re
from typing import NamedTuple

from rlhflint.disk import entries, is_folder, read_regular
from rlhflint.expressions import expression
from rlhflint.packages.ranges import version_of
from rlhflint.project.discovery import DEFAULT_EXCLUDES
from rlhflint.project.places import Place
from rlhflint.registry import abouts
from rlhflint.versions.requirement import Origin, Requirement

_MOST_CHILDREN = 500
_SIGNS = {about.name: about.folders for about in abouts()}
"""Folders of which the package has one."""
_VERSION = expression(r"^(?:__version__|version|VERSION)\s*(?::\s*str\s*)?=\s*['\"]([^'\"\n]+)['\"]", re.MULTILINE)
_SETUP_VERSION = expression(r"(?:^|[(,])\s*version\s*=\s*['\"]([^'\"\n]+)['\"]", re.MULTILINE)
_PLAIN = expression(r"\A\s*(\S+)\s*\Z")


class Vendored(NamedTuple):
    """A copy of a framework. `folder` is its package (`…/openrlhf`), `release` what it says it is, if anything."""

    name: str
    folder: str
    release: Requirement | None


def vendored_in(folder: str) -> list[Vendored]:
    """The copies in a folder, and in the folders right below it; those in the folder itself first."""
    children = [
        os.path.join(folder, one.name)
        for one in entries(folder) or ()
        if one.folder and not one.link and one.name[0] != "." and one.name not in DEFAULT_EXCLUDES
    ]
    return [
        _described(name, package)
        for parent in [folder, *children[:_MOST_CHILDREN]]
        for name in _SIGNS
        if _is_package(package := os.path.join(parent, name), name)
    ]


def _is_package(folder: str, name: str) -> bool:
    return any(is_folder(os.path.join(folder, sign)) for sign in _SIGNS[name])


def _described(name: str, folder: str) -> Vendored:
    parent = os.path.dirname(folder)
    root = os.path.dirname(parent) if os.path.basename(parent) == "src" else parent
    inside = [
        (os.path.join(folder, "__init__.py"), _VERSION),
        (os.path.join(folder, "version.py"), _VERSION),
        (os.path.join(folder, "_version.py"), _VERSION),
        (os.path.join(folder, "VERSION"), _PLAIN),
        (os.path.join(folder, "version.txt"), _PLAIN),
    ]
    for path, pattern in inside:
        if release := _release(name, path, pattern, guess=False):
            return Vendored(name, folder, release)
    owns = _names_package(os.path.join(root, "setup.py"), name) or _names_package(
        os.path.join(root, "pyproject.toml"), name
    )
    beside = [(os.path.join(root, "version.txt"), _PLAIN), (os.path.join(root, "VERSION"), _PLAIN)]
    if owns:
        beside += [(os.path.join(root, "pyproject.toml"), _VERSION), (os.path.join(root, "setup.py"), _SETUP_VERSION)]
    for path, pattern in beside:
        if release := _release(name, path, pattern, guess=not owns):
            return Vendored(name, folder, release)
    return Vendored(name, folder, None)


def _names_package(path: str, name: str) -> bool:
    """Whether the project that a file describes is the framework itself, not one that holds a copy."""
    raw = read_regular(path, most=1 << 20) or b""
    return re.search(rb"(?m)(?:^|[(,])\s*name\s*=\s*['\"](?i:%s)['\"]" % name.encode(), raw) is not None


def _release(name: str, path: str, pattern: re.Pattern[str], *, guess: bool) -> Requirement | None:
    raw = read_regular(path, most=1 << 18)
    text = raw.decode("utf-8", errors="replace") if raw else ""
    found = pattern.search(text)
    pinned = version_of(found[1]) if found else None
    if found is None or pinned is None:
        return None
    place = Place(path, text.count("\n", 0, found.start(1)) + 1)
    return Requirement(name, f"=={pinned}", pinned, Origin.VENDORED, place, note="a copy in the tree", guess=guess)
