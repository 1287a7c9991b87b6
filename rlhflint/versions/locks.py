"""Lock files: uv.lock, poetry.lock, pdm.lock, pylock.toml.

They are written by tools, one key a line, and may hold tens of thousands of lines, of which a handful matter. So they
are scanned for those, which takes a fraction of the time that reading them as TOML would.
"""

from __future__ import annotations

import re
from itertools import pairwise

from rlhflint.expressions import expression
from rlhflint.packages.names import PACKAGES, normalised, tracked
from rlhflint.packages.ranges import version_of
from rlhflint.versions.collecting import Collector
from rlhflint.versions.lines import Lines
from rlhflint.versions.pep508 import Wish, extras_of, may_hold
from rlhflint.versions.requirement import Origin, Statements

_BLOCK = expression(r"^\[\[packages?\]\][ \t]*\r?$", re.MULTILINE)
_KEY = expression(
    r"^(?P<key>name|version|extras|markers?|resolution-markers)[ \t]*=[ \t]*(?P<value>[^\r\n]*)", re.MULTILINE
)
_END_OF_KEYS = expression(r"^\[", re.MULTILINE)
_TEXT = expression(r"[\"']([^\"']*)[\"']")
_PYTHON = expression(r"^requires[-_]python[ \t]*=[ \t]*[\"']([^\"']+)[\"']", re.MULTILINE)
_WANTED = expression(
    rf"\{{[ \t]*name[ \t]*=[ \t]*\"(?P<name>{'|'.join(PACKAGES)})\""
    r"[^{}\n]*?\bextras?[ \t]*=[ \t]*\[(?P<extras>[^\]\n]*)\]"
)
_LIST = expression(r"\[[^\[\]]*\]")
_MARKER = expression(r"\"(?:[^\"\\\n]|\\.)*\"|'[^'\n]*'")
_CONFLICT = expression(r"^(?:<{7}|>{7}) ", re.MULTILINE)


def read_lock(path: str, raw: bytes) -> Statements:
    """What the lock file at `path` says; a package may be locked at several releases, for several environments."""
    text = raw.decode("utf-8", errors="replace")
    collector, lines = Collector(path), Lines(text)
    blocks = [found.end() for found in _BLOCK.finditer(text)]
    if conflict := _CONFLICT.search(text):
        collector.trouble(lines.at(conflict.start()), "a merge conflict is left in this lock file")
        return collector.statements()
    if not blocks:
        _check_toml(collector, text)
        return collector.statements()
    if python := _PYTHON.search(text, 0, blocks[0]):
        collector.specifier(lines.at(python.start()), "python", python[1], Origin.LOCK)
    extras = _extras_wanted(text)
    for start, end in pairwise([*blocks, len(text)]):
        if collector.full:
            break
        _package(collector, lines, text, (start, end), extras)
    listing = collector.listing()
    if listing is not None:
        wanted = tuple((name, frozenset(extras.get(name, ()))) for name in sorted(listing.names))
        # A lock without what every framework builds on was made without dependencies.
        listing = listing._replace(extras=wanted, closed="torch" in listing.names)
    return collector.statements(listing)


def _package(
    collector: Collector, lines: Lines, text: str, block: tuple[int, int], extras: dict[str, set[str]]
) -> None:
    """The package of one block; nothing if it is not tracked, or not for Linux."""
    start, end = block
    stop = _END_OF_KEYS.search(text, start, end)
    keys: dict[str, re.Match[str]] = {}
    for found in _KEY.finditer(text, start, stop.start() if stop else end):
        keys.setdefault(found["key"], found)
    named = _TEXT.match(keys["name"]["value"]) if "name" in keys else None
    if named is None or not tracked(name := normalised(named[1])) or not _for_linux(text, keys):
        return
    locked = _TEXT.match(keys["version"]["value"]) if "version" in keys else None
    pinned = version_of(locked[1]) if locked else None
    if "extras" in keys:
        extras.setdefault(name, set()).update(extras_of(",".join(_TEXT.findall(keys["extras"]["value"]))))
    wish = Wish(name, f"=={pinned}" if pinned else "", pinned, frozenset(extras.get(name, ())))
    collector.wish(lines.at(keys["version" if locked else "name"].start()), wish, Origin.LOCK)


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


def _check_toml(collector: Collector, text: str) -> None:
    """Say what is wrong with a lock file that has no package."""
    from rlhflint.project.toml_source import TomlError, TomlSource

    try:
        TomlSource(text[: 1 << 20])
    except TomlError as error:
        collector.trouble(error.line, f"this lock file is not TOML: {error.message}")
