"""JSON in a word of a command, read with the place of every key and value."""

from __future__ import annotations

from typing import Literal, TypeAlias

from rlhflint.expressions import expression
from rlhflint.records import dataclass
from rlhflint.text import HOLE, Traced

JsonKind: TypeAlias = Literal["object", "array", "text", "number", "literal", "unknown"]

_DEEPEST = 100
_BLANK = expression(r"[ \t\n\r]*")
_PLAIN = expression(r'[^"\\\x00-\x1f]*')
_NUMBER = expression(r"-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?")
_LITERAL = expression(r"true|false|null|NaN|-?Infinity")
_UNICODE = expression(r"\\u([0-9A-Fa-f]{4})")
_PAIR = expression(r"\\u([Dd][89AaBb][0-9A-Fa-f]{2})\\u([Dd][C-Fc-f][0-9A-Fa-f]{2})")
"""Two escapes that stand for one character beyond the first 65,536."""
_ESCAPES = {'"': '"', "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}


class JsonFault(Exception):
    """A text that Python's `json.loads` refuses. `word` is the place, the message fits behind it."""

    def __init__(self, message: str, word: Traced) -> None:
        super().__init__(message)
        self.word = word


@dataclass(frozen=True, slots=True)
class Json:
    """A JSON value and its characters.

    `written` is the value as it stands in the text, quotes and braces included. `text` is what a text says, `members`
    what an object holds in the order written, `items` what an array holds. An unknown part of a text is a hole in
    `text`; a value that is unknown altogether has the kind `unknown`.
    """

    kind: JsonKind
    written: Traced
    text: Traced | None = None
    members: tuple[tuple[Traced, Json], ...] = ()
    items: tuple[Json, ...] = ()
    more: str = ""
    """Why an object or array may hold more than can be seen."""

    def get(self, key: str) -> Json | None:
        """The value of a key; of a repeated key the last, which is the one in force."""
        return next((value for name, value in reversed(self.members) if name.text == key), None)

    def key(self, key: str) -> Traced | None:
        """The key in force as it is written, without quotes."""
        return next((name for name, _ in reversed(self.members) if name.text == key), None)


def read_json_word(word: Traced) -> Json:
    """Read a word as `json.loads` would. Raises `JsonFault` where it would refuse."""
    reader = _Reader(word)
    if reader.blank() == HOLE:
        return Json("unknown", word)  # it may be blank, or open what is closed behind it
    try:
        value = reader.value(0)
    except _TooDeep:
        return Json("unknown", word)
    reader.blank()
    if reader.at < len(reader.text):
        if reader.text[reader.at] == HOLE:
            return Json("unknown", word)
        raise reader.fault("more text behind the end of the value")
    return value


class _TooDeep(Exception):
    """Nested deeper than is read."""


class _Reader:
    def __init__(self, word: Traced) -> None:
        self.word = word
        self.text = word.text
        self.at = 0

    def fault(self, message: str, start: int | None = None) -> JsonFault:
        """A fault at the character reached; at the last one where the text ends too early."""
        place = self.at if start is None else start
        place = max(min(place, len(self.text) - 1), 0)
        return JsonFault(message, self.word[place : place + 1])

    def blank(self) -> str:
        """Pass over blanks; the character reached, empty at the end."""
        found = _BLANK.match(self.text, self.at)
        self.at = found.end() if found else self.at
        return self.text[self.at : self.at + 1]

    def value(self, depth: int) -> Json:
        character = self.blank()
        start = self.at
        if depth > _DEEPEST:
            raise _TooDeep
        if character == HOLE:
            return self._unknown(start)
        if character == '"':
            text = self.string()
            return Json("text", self.word[start : self.at], text)
        if character == "{":
            return self._object(depth)
        if character == "[":
            return self._array(depth)
        number = _NUMBER.match(self.text, self.at)
        literal = _LITERAL.match(self.text, self.at)
        found = literal or number
        if found is None:
            raise self.fault("no JSON value" if character else "the text ends where a value is due")
        self.at = found.end()
        if self.text[self.at : self.at + 1] == HOLE:
            return self._unknown(start)
        written = self.word[start : self.at]
        return Json("literal" if literal else "number", written, written)

    def _unknown(self, start: int) -> Json:
        """A value that begins with a part that is not known: up to the next comma or bracket."""
        while self.at < len(self.text) and self.text[self.at] not in ",]}":
            self.at += 1
        return Json("unknown", self.word[start : self.at])

    def string(self) -> Traced:
        """A text from its opening quote to its closing one, escapes resolved."""
        opening = self.at
        self.at += 1
        parts: list[Traced] = []
        while True:
            found = _PLAIN.match(self.text, self.at)
            end = found.end() if found else self.at
            parts.append(self.word[self.at : end])
            self.at = end
            character = self.text[end : end + 1]
            if character == '"':
                self.at += 1
                break
            if character != "\\":
                raise self.fault(
                    "a line break or control character inside a text" if character else "an open quote",
                    None if character else opening,
                )
            parts.append(self._escape())
        pieces = [piece for part in parts for piece in part.pieces]
        return Traced(pieces) if pieces else Traced.made("", self.word.span_of(opening, self.at))

    def _escape(self) -> Traced:
        start, letter = self.at, self.text[self.at + 1 : self.at + 2]
        if letter == "u":
            found = _PAIR.match(self.text, self.at) or _UNICODE.match(self.text, self.at)
            if found is None:
                raise self.fault("a broken \\u escape")
            self.at = found.end()
            codes = [int(code, 16) for code in found.groups()]
            point = codes[0] if len(codes) == 1 else 0x10000 + (codes[0] - 0xD800) * 0x400 + codes[1] - 0xDC00
            return Traced.made(chr(point), self.word.span_of(start, self.at))
        if letter not in _ESCAPES:
            raise self.fault("a backslash that JSON does not know")
        self.at += 2
        return Traced.made(_ESCAPES[letter], self.word.span_of(start, self.at))

    def _object(self, depth: int) -> Json:
        start, members, more = self.at, [], ""
        self.at += 1
        if self.blank() == "}":
            self.at += 1
            return Json("object", self.word[start : self.at])
        while True:
            character = self.blank()
            if character == HOLE:
                more = more or self._unknown(self.at).written.because
            else:
                if character != '"':
                    raise self.fault("a key without double quotes" if character else "an open brace")
                key = self.string()
                if self.blank() != ":":
                    raise self.fault("a colon is missing behind a key")
                self.at += 1
                members.append((key, self.value(depth + 1)))
            character = self.blank()
            if character not in (",", "}"):
                raise self.fault("a comma is missing" if character else "an open brace")
            self.at += 1
            if character == "}":
                break
        return Json("object", self.word[start : self.at], members=tuple(members), more=more)

    def _array(self, depth: int) -> Json:
        start, items = self.at, []
        self.at += 1
        if self.blank() == "]":
            self.at += 1
            return Json("array", self.word[start : self.at])
        while True:
            items.append(self.value(depth + 1))
            character = self.blank()
            if character not in (",", "]"):
                raise self.fault("a comma is missing" if character else "an open bracket")
            self.at += 1
            if character == "]":
                break
        more = next((item.written.because for item in items if item.kind == "unknown" and item.written.many), "")
        return Json("array", self.word[start : self.at], items=tuple(items), more=more)
