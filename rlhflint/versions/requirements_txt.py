"""Requirements files of pip."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import field

from rlhflint.disk import read_regular, real
from rlhflint.expressions import expression
from rlhflint.packages.names import normalised, tracked
from rlhflint.project.places import inside
from rlhflint.records import dataclass
from rlhflint.versions.collecting import Collector
from rlhflint.versions.pep508 import LONGEST
from rlhflint.versions.requirement import Origin, Statements

LARGEST = 2 << 20
"""Bytes of a requirements file that are read."""

_MOST_FILES = 64
"""Files that one file may include, all levels together."""

_COMMENT = expression(r"(?:^|\s)#.*$")
_INCLUDE = expression(r"(?:-r\s*|--requirement[\s=]+|-c\s*|--constraint[\s=]+)(?P<path>\S+)")
_EDITABLE = expression(r"(?:-e\s*|--editable[\s=]+)(?P<what>\S.*)")
_OPTIONS = expression(r"\s--?[A-Za-z].*$")
# `name=version=build`, as `conda list --export` writes it into files that go by the name of requirements.
_CONDA_EXPORT = expression(r"(?P<name>[A-Za-z0-9._-]+)=(?P<version>[0-9][^=\s]*)(?:=\S*)?")
_VARIABLE = expression(r"\$\{[A-Z0-9_]+\}")
_BOMS = ((b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be"))


def read_requirements(path: str, root: str, origin: Origin, note: str = "") -> Statements:
    """What the requirements file at `path` says, and those it includes that lie in `root`; both are absolute."""
    reader = _Reader(root, origin, note)
    reader.file(os.path.normpath(path))
    parts = [collector.statements() for collector in reader.collectors]
    whole = Statements.joined(parts)
    listing = Collector(path, list(whole.requirements)).listing()
    return whole._replace(listings=(listing,)) if listing is not None and not reader.open_ended else whole


@dataclass(slots=True, eq=False, repr=False)
class _Reader:
    root: str
    origin: Origin
    note: str
    collectors: list[Collector] = field(default_factory=list)
    open_ended: bool = False
    """Something that could not be read may name further packages."""

    def file(self, path: str) -> None:
        if any(collector.path == path for collector in self.collectors):
            return
        raw = read_regular(path, most=LARGEST) if len(self.collectors) < _MOST_FILES and self._inside(path) else None
        if raw is None:
            self.open_ended = True
            return
        collector = Collector(path)
        self.collectors.append(collector)
        for line, text in logical_lines(decoded(raw)):
            if collector.full:
                break
            self._line(collector, line, text)

    def _inside(self, path: str) -> bool:
        place, root = real(path), real(self.root)
        return place is not None and root is not None and inside(place, root)

    def _line(self, collector: Collector, line: int, text: str) -> None:
        if include := _INCLUDE.match(text):
            if _VARIABLE.search(include["path"]) or "://" in include["path"]:
                self.open_ended = True
            else:
                self.file(os.path.normpath(os.path.join(os.path.dirname(collector.path), include["path"])))
            return
        editable = _EDITABLE.match(text)
        if editable is None and text.startswith("-"):
            return
        text = _OPTIONS.sub("", (editable["what"] if editable else text)[:LONGEST])
        if exported := _CONDA_EXPORT.fullmatch(text):
            if tracked(name := normalised(exported["name"])):
                collector.specifier(line, name, f"=={exported['version']}", self.origin, self.note)
        elif not collector.text(line, text, self.origin, self.note):
            self.open_ended |= editable is not None or "/" in text.partition(";")[0] or "\\" in text


def logical_lines(text: str) -> Iterator[tuple[int, str]]:
    """Number and text of each line that is no comment, those that a backslash continues made one."""
    held: list[str] = []
    start = 0
    for number, line in enumerate(re.split(r"\r\n|\r|\n", text), start=1):
        if not held:
            start = number
        if line.endswith("\\") and not line.lstrip().startswith("#"):
            held += line[:-1], " "
            continue
        whole = _COMMENT.sub("", "".join((*held, line))).strip()
        held.clear()
        if whole:
            yield start, whole
    if rest := _COMMENT.sub("", "".join(held)).strip():
        yield start, rest


def decoded(raw: bytes) -> str:
    """The text of a file, by its byte order mark; what is not UTF-8 is replaced, since comments may hold anything."""
    for mark, encoding in _BOMS:
        if raw.startswith(mark):
            return raw[len(mark) :].decode(encoding, errors="replace")
    return raw.decode("utf-8", errors="replace")
