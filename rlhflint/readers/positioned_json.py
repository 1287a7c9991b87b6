"""Reading JSON with the place of every key, value and character of text: notebooks, DeepSpeed configurations.

Bounds: a text of more than `MOST_CHARACTERS` or `MOST_VALUES`, or nested deeper than `DEEPEST`, is not read; a single
text of more than `LONGEST_TEXT` characters is unknown.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection
from dataclasses import field

from rlhflint.command import Problem
from rlhflint.expressions import expression
from rlhflint.mapping import Document, Entry, Mapping, Node, Placed, Scalar, Series
from rlhflint.records import dataclass
from rlhflint.text import Piece, Span, Traced
from rlhflint.value import Known, Unknown, Value

MOST_CHARACTERS = 100_000_000
MOST_VALUES = 100_000
LONGEST_TEXT = 300_000
DEEPEST = 100

_BLANKS = expression(r"[ \t\n\r]*")
_STRING = expression(r'"[^"\\\x00-\x1f]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\x00-\x1f]*)*"')
_LITERAL = expression(
    r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?(?![\w.])|(?:true|false|null|NaN|-?Infinity)\b"
)
_PART = expression(
    r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\.|[^\\]+", re.DOTALL
)
_SHORT = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
_WORDS: dict[str, object] = {
    "true": True,
    "false": False,
    "null": None,
    "NaN": float("nan"),
    "Infinity": float("inf"),
    "-Infinity": float("-inf"),
}


def read_json(path: str, text: str | Traced, *, skip: Collection[str] = ()) -> Document:
    """The keys and values of a JSON text, as `json.loads` takes them; keys that are given twice are kept.

    Args:
        path: the file, as spans name it.
        text: its text, or a text that was made of parts of a file.
        skip: keys whose values are not of interest, wherever they are: they are checked, and unknown.
    """
    traced = Traced.of_file(path, text) if isinstance(text, str) else text
    reader = _Reader(traced, skip)
    if len(traced) > MOST_CHARACTERS:
        problem = Problem("too-large", reader.span(0, 1), f"longer than {MOST_CHARACTERS} characters: it was not read")
        return Document(path, problems=(problem,))
    try:
        return Document(path, reader.read())
    except _Stop as stop:
        # What is not known of the text may make it right.
        kind = stop.kind if traced.known else "not-read"
        return Document(path, problems=(Problem(kind, reader.span(stop.place, stop.place + 1), stop.message),))


def traced_string(traced: Traced, start: int, end: int) -> Traced:
    """The text of the JSON string that stands, with its quotes, from `start` to `end`; each character with its place.

    A half of a surrogate pair that stands alone becomes U+FFFD.
    """
    start, end = start + 1, end - 1
    if "\\" not in traced.text[start:end]:
        return traced[start:end]
    pieces: list[Piece] = []
    for part in _PART.finditer(traced.text, start, end):
        written = part[0]
        if written.startswith("\\"):
            pieces.append(Piece(_unescaped(written), traced.span_of(part.start(), part.end())))
        else:
            pieces += traced[part.start() : part.end()].pieces
    return Traced(pieces)


def _unescaped(written: str) -> str:
    if len(written) == 12:
        high, low = int(written[2:6], 16), int(written[8:], 16)
        return chr(0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00))
    if written[1] == "u":
        code = int(written[2:], 16)
        return "\ufffd" if 0xD800 <= code <= 0xDFFF else chr(code)
    return _SHORT.get(written[1], written[1])


class _Stop(Exception):
    """The text cannot be read."""

    def __init__(self, place: int, message: str, kind: str = "syntax") -> None:
        super().__init__(message)
        self.place = place
        self.message = message
        self.kind = kind


@dataclass(slots=True)
class _Open:
    """A list or mapping whose end was not met yet."""

    start: int
    mapping: bool
    items: list[Placed] = field(default_factory=list)
    entries: list[Entry] = field(default_factory=list)
    key: Placed | None = None


class _Reader:
    """Goes through a text once."""

    def __init__(self, traced: Traced, skip: Collection[str]) -> None:
        self._traced = traced
        self._text = traced.text
        self._skip = frozenset(skip)
        self._place = 0
        self._values = 0
        self._open: list[_Open] = []

    def span(self, start: int, end: int) -> Span:
        """The characters of the file that a stretch of the text was made from."""
        size = len(self._text)
        return self._traced.span_of(min(start, max(size - 1, 0)), min(end, size)) or Span("", 0, 0)

    def read(self) -> Placed:
        """The value of the whole text. Raises `_Stop`."""
        self._place = len("\ufeff") if self._text.startswith("\ufeff") else 0
        while True:
            done = self._value()
            while done is not None:
                if not self._open:
                    if self._peek():
                        raise _Stop(self._place, "not valid JSON: something stands behind its end")
                    return done
                done = self._after(done)

    def _peek(self) -> str:
        """The next character that is not blank."""
        found = _BLANKS.match(self._text, self._place)
        self._place = found.end() if found else self._place
        return self._text[self._place : self._place + 1]

    def _value(self) -> Placed | None:
        """Read a value, or the start of a list or mapping: None then."""
        sign, start = self._peek(), self._place
        self._values += 1
        if self._values > MOST_VALUES:
            raise _Stop(start, f"more than {MOST_VALUES} values: it was not read", "too-large")
        if sign in ("{", "["):
            if len(self._open) >= DEEPEST:
                raise _Stop(start, "nested too deeply: it was not read", "too-deep")
            self._open.append(_Open(start, sign == "{"))
            self._place += 1
            if self._peek() == ("}" if sign == "{" else "]"):
                return self._close()
            if sign == "{":
                return self._key()
            return None
        if sign == '"':
            return self._string()
        found = _LITERAL.match(self._text, start)
        if found is None:
            raise _Stop(start, "not valid JSON: a value has to stand here")
        self._place = found.end()
        node = Scalar(_number(found[0]), self._traced[start : found.end()], "plain")
        return Placed(node, self.span(start, found.end()))

    def _string(self) -> Placed:
        start = self._place
        found = _STRING.match(self._text, start)
        if found is None:
            raise _Stop(start, "not valid JSON: this text does not end, or holds what it must not")
        self._place = found.end()
        span = self.span(start, found.end())
        if len(found[0]) > LONGEST_TEXT:
            return Placed(Scalar(Unknown("the text is too long"), Traced(), "quoted"), span)
        text = traced_string(self._traced, start, found.end())
        value: Value = Known(text.text) if text.known else Unknown(text.because)
        return Placed(Scalar(value, text, "quoted"), span)

    def _key(self) -> Placed | None:
        """Read a key and its colon; the value as well if it is to be skipped."""
        if self._peek() != '"':
            raise _Stop(self._place, "not valid JSON: a key in quotes has to stand here")
        key = self._string()
        if self._peek() != ":":
            raise _Stop(self._place, "not valid JSON: a colon has to stand here")
        self._place += 1
        self._open[-1].key = key
        name = key.node.text.text if isinstance(key.node, Scalar) else ""
        return self._skipped() if name in self._skip else None

    def _skipped(self) -> Placed:
        self._peek()
        start = self._place
        try:
            _, end = json.JSONDecoder().raw_decode(self._text, start)
        except json.JSONDecodeError as error:
            raise _Stop(error.pos, f"not valid JSON: {error.msg}") from None
        except (RecursionError, ValueError):
            raise _Stop(start, "nested too deeply: it was not read", "too-deep") from None
        self._place = end
        return Placed(Scalar(Unknown("it was not read"), Traced(), "plain"), self.span(start, end))

    def _after(self, value: Placed) -> Placed | None:
        """Put a value into what is open and go on to the next; gives what is closed by that."""
        opened = self._open[-1]
        if opened.key is not None:
            opened.entries.append(Entry(opened.key, value))
            opened.key = None
        else:
            opened.items.append(value)
        sign = self._peek()
        if sign == ("}" if opened.mapping else "]"):
            return self._close()
        if sign != ",":
            raise _Stop(self._place, "not valid JSON: a comma or the end of what is open has to stand here")
        self._place += 1
        return self._key() if opened.mapping else None

    def _close(self) -> Placed:
        opened = self._open.pop()
        self._place += 1
        node: Node = Mapping(tuple(opened.entries), True) if opened.mapping else Series(tuple(opened.items), True)
        return Placed(node, self.span(opened.start, self._place))


def _number(written: str) -> Value:
    if written in _WORDS:
        return Known(_WORDS[written])
    try:
        return Known(float(written) if any(sign in written for sign in ".eE") else int(written))
    except ValueError:
        return Unknown("the number has too many digits")
