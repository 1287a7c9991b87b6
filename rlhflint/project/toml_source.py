"""A TOML document together with the lines its keys stand on, which `tomllib` does not tell."""

from __future__ import annotations

import re
import tomllib
from bisect import bisect_left
from functools import cached_property
from typing import Any

from rlhflint.expressions import expression

KeyPath = tuple[str | int, ...]
"""Keys and positions in arrays, outermost first: `("project", "dependencies", 0)`."""


class TomlError(Exception):
    """A document that is not TOML. `line` counts from 1."""

    def __init__(self, message: str, line: int) -> None:
        super().__init__(message)
        self.message = message
        self.line = line


class TomlSource:
    """A parsed document; `data` is what `tomllib` makes of it.

    Raises:
        TomlError: the text is not TOML.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        for key in _KEY.finditer(text):
            if key[0].count(".") > _MOST_PARTS:  # the time and memory of tomllib grow with the square of this
                raise TomlError("a key of too many parts", text.count("\n", 0, key.start()) + 1)
        try:
            self.data: dict[str, Any] = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            raise TomlError(*_explained(str(error), text)) from None
        except RecursionError:
            raise TomlError("nested too deeply", 1) from None

    @classmethod
    def from_bytes(cls, raw: bytes) -> TomlSource:
        """The document in a file's bytes, which TOML wants in UTF-8."""
        try:
            return cls(raw.decode("utf-8-sig"))
        except UnicodeDecodeError as error:
            raise TomlError("not UTF-8", raw.count(b"\n", 0, error.start) + 1) from None

    def line(self, *path: str | int) -> int:
        """The line of the innermost part of `path` that the document writes down; 1 if none is."""
        for length in range(len(path), 0, -1):
            offset = self._offsets.get(path[:length])
            if offset is not None:
                return bisect_left(self._line_ends, offset) + 1
        return 1

    @cached_property
    def _line_ends(self) -> list[int]:
        return [found.start() for found in re.finditer("\n", self.text)]

    @cached_property
    def _offsets(self) -> dict[KeyPath, int]:
        return _Scanner(self.text).run()


def _explained(message: str, text: str) -> tuple[str, int]:
    """What `tomllib` says, and the line it says it of."""
    if found := re.search(r" \(at line (\d+), column \d+\)$", message):
        return message[: found.start()], int(found[1])
    return message.removesuffix(" (at end of document)"), text.count("\n") + 1


_MOST_PARTS = 64
_KEY = expression(
    r"""(?:^|[{,\[])[ \t]*+(?:[\w-]++|"[^"\n]*+"|'[^'\n]*+'|[ \t]*+\.[ \t]*+)++(?=[ \t]*+[=\]])""", re.MULTILINE
)
_BLANK = expression(r"[ \t]*")
_BLANKS = expression(r"(?:[ \t\r\n]++|#[^\n]*+)*+")
BARE_KEY = expression(r"[A-Za-z0-9_-]+")
_SCALAR = expression(r"[^,\]}\n#]+")
_STRING = expression(
    r'"""(?:[^"\\]++|\\.|"{1,2}(?!"))*+"{3,5}'
    r"|'''(?:[^']++|'{1,2}(?!'))*+'{3,5}"
    r'|"(?:[^"\\\n]++|\\.)*+"'
    r"|'[^'\n]*+'",
    re.DOTALL,
)


class _Scanner:
    """Walks a document that is known to be TOML and notes where each key and array element begins."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.found: dict[KeyPath, int] = {}
        self.elements: dict[KeyPath, int] = {}
        """Path of an array of tables → position of its last table."""

    def run(self) -> dict[KeyPath, int]:
        table: KeyPath = ()
        while True:
            self._skip(_BLANKS)
            if self.at >= len(self.text):
                return self.found
            if self.text[self.at] == "[":
                table = self._header()
            else:
                self._pair(table)

    def _skip(self, blanks: re.Pattern[str]) -> None:
        found = blanks.match(self.text, self.at)
        self.at = found.end() if found else self.at

    def _note(self, path: KeyPath, offset: int) -> None:
        self.found.setdefault(path, offset)

    def _header(self) -> KeyPath:
        start = self.at
        many = self.text.startswith("[[", start)
        self.at += 2 if many else 1
        keys = self._keys()
        self.at += 2 if many else 1
        path: KeyPath = ()
        for position, key in enumerate(keys):
            path = (*path, key)
            if many and position == len(keys) - 1:
                self.elements[path] = self.elements.get(path, -1) + 1
            self._note(path, start)
            if path in self.elements:
                path = (*path, self.elements[path])
                self._note(path, start)
        return path

    def _keys(self) -> list[str]:
        keys: list[str] = []
        while True:
            self._skip(_BLANK)
            if self.text[self.at] in "\"'":
                written = self._string()
                keys.append(next(iter(tomllib.loads(f"{written} = 0"))))
            else:
                found = BARE_KEY.match(self.text, self.at)
                if found is None:
                    raise AssertionError(f"no key at character {self.at} of a document that tomllib accepts")
                self.at = found.end()
                keys.append(found[0])
            self._skip(_BLANK)
            if self.text[self.at] != ".":
                return keys
            self.at += 1

    def _pair(self, table: KeyPath) -> None:
        start = self.at
        path = table
        for key in self._keys():
            path = (*path, key)
            self._note(path, start)
        self.at += 1
        self._value(path)

    def _value(self, path: KeyPath) -> None:
        self._skip(_BLANK)
        character = self.text[self.at]
        if character in "\"'":
            self._string()
        elif character == "[":
            self._array(path)
        elif character == "{":
            self._inline_table(path)
        else:
            self._skip(_SCALAR)

    def _string(self) -> str:
        found = _STRING.match(self.text, self.at)
        if found is None:
            raise AssertionError(f"no string at character {self.at} of a document that tomllib accepts")
        self.at = found.end()
        return found[0]

    def _array(self, path: KeyPath) -> None:
        self.at += 1
        position = 0
        while True:
            self._skip(_BLANKS)
            if self.text[self.at] == "]":
                self.at += 1
                return
            self._note((*path, position), self.at)
            self._value((*path, position))
            position += 1
            self._skip(_BLANKS)
            if self.text[self.at] == ",":
                self.at += 1

    def _inline_table(self, path: KeyPath) -> None:
        self.at += 1
        while True:
            self._skip(_BLANKS)
            if self.text[self.at] == "}":
                self.at += 1
                return
            self._pair(path)
            self._skip(_BLANKS)
            if self.text[self.at] == ",":
                self.at += 1
