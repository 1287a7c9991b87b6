"""Lock files: uv.lock, poetry.lock, pdm.lock, pylock.toml.

They are written by tools, one key a line, and may hold tens of thousands of lines, of which a handful matter. So they
are scanned for those, which takes a fraction of the time that reading them as TOML would.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from rlhflint.project.places import Place
from rlhflint.versions.names import FRAMEWORKS, PACKAGES, normalised, tracked
from rlhflint.versions.pep508 import BadRequirement, extras_of, may_hold, wish_for
from rlhflint.versions.ranges import version_of
from rlhflint.versions.requirement import Listing, Origin, Requirement, Statements, Trouble

_BLOCK = re.compile(r"^\[\[packages?\]\][ \t]*\r?$", re.MULTILINE)
_KEY = re.compile(
    r"^(?P<key>name|version|extras|markers?|resolution-markers)[ \t]*=[ \t]*(?P<value>[^\r\n]*)", re.MULTILINE
)
_END_OF_KEYS = re.compile(r"^\[", re.MULTILINE)
_TEXT = re.compile(r"[\"']([^\"']*)[\"']")
_PYTHON = re.compile(r"^requires[-_]python[ \t]*=[ \t]*[\"']([^\"']+)[\"']", re.MULTILINE)
_WANTED = re.compile(
    rf"\{{[ \t]*name[ \t]*=[ \t]*\"(?P<name>{'|'.join(PACKAGES)})\""
    r"[^{}\n]*?\bextras?[ \t]*=[ \t]*\[(?P<extras>[^\]\n]*)\]"
)
_LIST = re.compile(r"\[[^\[\]]*\]")
_MARKER = re.compile(r"\"(?:[^\"\\\n]|\\.)*\"|'[^'\n]*'")
_CONFLICT = re.compile(r"^(?:<{7}|>{7}) ", re.MULTILINE)


def read_lock(path: str, raw: bytes) -> Statements:
    """What the lock file at `path` says; a package may be locked at several releases, for several environments."""
    text = raw.decode("utf-8", errors="replace")
    if conflict := _CONFLICT.search(text):
        place = Place(path, _line(text, conflict.start()))
        return Statements(troubles=(Trouble(place, "a merge conflict is left in this lock file"),))
    extras = _extras_wanted(text)
    requirements: list[Requirement] = []
    blocks = [found.end() for found in _BLOCK.finditer(text)]
    head = text[: blocks[0]] if blocks else text
    if not blocks and (trouble := _broken(path, text)):
        return Statements(troubles=(trouble,))
    requirements += _python(path, head)
    for start, end in pairwise([*blocks, len(text)]):
        requirements += _package(path, text, start, end, extras)
    names = frozenset(requirement.name for requirement in requirements)
    first = next((one for one in requirements if one.name in FRAMEWORKS), None)
    listings: tuple[Listing, ...] = ()
    if first is not None:
        wanted = tuple((name, frozenset(extras.get(name, ()))) for name in sorted(names))
        # A lock without what every framework builds on was made without dependencies.
        listings = (Listing(first.place, names, wanted, closed="torch" in names),)
    return Statements(tuple(requirements), (), listings)


def _package(path: str, text: str, start: int, end: int, extras: dict[str, set[str]]) -> Iterator[Requirement]:
    """The package of one block; nothing if it is not tracked, or not for Linux."""
    stop = _END_OF_KEYS.search(text, start, end)
    keys: dict[str, re.Match[str]] = {}
    for found in _KEY.finditer(text, start, stop.start() if stop else end):
        keys.setdefault(found["key"], found)
    named = _TEXT.match(keys["name"]["value"]) if "name" in keys else None
    if named is None or not tracked(name := normalised(named[1])):
        return
    if not _for_linux(text, keys):
        return
    locked = _TEXT.match(keys["version"]["value"]) if "version" in keys else None
    pinned = version_of(locked[1]) if locked else None
    if "extras" in keys:
        extras.setdefault(name, set()).update(_TEXT.findall(keys["extras"]["value"]))
    yield Requirement(
        name,
        f"=={pinned}" if pinned else "",
        pinned,
        Origin.LOCK,
        Place(path, _line(text, keys["version" if locked else "name"].start())),
        frozenset(extras.get(name, ())),
    )


def _for_linux(text: str, keys: dict[str, re.Match[str]]) -> bool:
    """Whether the markers of a package, where it has any, hold on Linux."""
    for key in ("marker", "markers"):
        if key in keys and not may_hold(_unquoted(keys[key]["value"])):
            return False
    if "resolution-markers" not in keys:
        return True
    found = _LIST.match(text, keys["resolution-markers"].start("value"))
    return found is None or any(may_hold(_unquoted(marker)) for marker in _MARKER.findall(found[0]))


def _unquoted(value: str) -> str:
    """The text of a TOML string, as far as markers need it; "" for anything else."""
    found = _MARKER.match(value)
    return found[0][1:-1].replace('\\"', '"') if found else ""


def _extras_wanted(text: str) -> dict[str, set[str]]:
    """The extras with which packages ask for others: `{ name = "openrlhf", extra = ["vllm"] }`."""
    wanted: dict[str, set[str]] = {}
    for found in _WANTED.finditer(text):
        wanted.setdefault(found["name"], set()).update(extras_of(found["extras"].replace('"', "")))
    return wanted


def _python(path: str, head: str) -> Iterator[Requirement]:
    """The range of interpreters the lock was made for."""
    found = _PYTHON.search(head)
    if found is None:
        return
    try:
        wish = wish_for("python", found[1])
    except BadRequirement:
        return
    yield Requirement("python", wish.specifier, wish.exact, Origin.LOCK, Place(path, _line(head, found.start())))


def _broken(path: str, text: str) -> Trouble | None:
    """What is wrong with a lock file that has no package."""
    from rlhflint.project.toml_source import TomlError, TomlSource

    try:
        TomlSource(text[: 1 << 20])
    except TomlError as error:
        return Trouble(Place(path, error.line), f"this lock file is not TOML: {error.message}")
    return None


def _line(text: str, offset: int) -> int:
    return text.count("\n", 0, offset) + 1
