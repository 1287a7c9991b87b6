"""Where the words of a command begin and end in the text of a file, at any depth of quoting.

The origin of a value may lie elsewhere, in the assignment of a variable; here it is read how the word is written behind
its flag. What is read wrongly shows when the changed text is read again, and is not written then.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from rlhflint.expressions import expression
from rlhflint.fixing.doubt import Doubt
from rlhflint.text import Span

if TYPE_CHECKING:
    from rlhflint.launch import Setting
    from rlhflint.text import Traced

BLANKS = " \t"
_GAP = expression(r"(?:[ \t]|\\\r?\n|\r?\n(?=[ \t]*[^\s#-]))*")
"""Blanks, continued lines, and in a here-document the end of a line."""
_PART = expression(
    r"""\$\{[^}\n]*\}|\$\([^()\n]*(?:\([^()\n]*\)[^()\n]*)*\)|\$\{\{[^}\n]*\}\}|`[^`\n]*`|\\[^\r\n"']|[^\s"'`\\;&|()<>,\]]+"""
)
_LONGEST = 10_000
"""Characters in which the end of a word is looked for."""


def enclosing(text: str, at: int) -> str:
    """The quote in which a place stands that was opened on its own logical line; empty if none is."""
    line = text.rfind("\n", 0, at) + 1
    while line > 1 and at - line < _LONGEST:
        before = text[:line].rstrip("\n").rstrip("\r")
        if not before.endswith("\\"):
            break
        line = text.rfind("\n", 0, len(before)) + 1
    quote, index = "", line
    while index < at:
        character = text[index]
        if character == "\\" and quote != "'":
            index += 1
        elif quote:
            quote = "" if character == quote else quote
        elif character in "\"'":
            quote = character
        elif character == "#" and text[index - 1 : index] in ("", " ", "\t", "\n"):
            end = text.find("\n", index)
            index = at if end < 0 else min(end, at)
        index += 1
    return quote


def word_at(text: str, at: int, around: str) -> tuple[int, int] | None:
    """Start and end of the word that begins at `at`, inside the quote `around`; None if there is none."""
    end = at
    while end - at < _LONGEST:
        quote = re.compile(r"\\*[\"']").match(text, end)
        if quote is not None and quote[0] != around:
            close = text.find(quote[0], quote.end(), at + _LONGEST)
            if close < 0 or "\n" in text[quote.end() : close]:
                break
            end = close + len(quote[0])
            continue
        part = _PART.match(text, end)
        if part is None:
            break
        end = part.end()
    return (at, end) if end > at else None


class Place:
    """Where one setting stands: its name, its words, and both together with their quotes."""

    def __init__(self, text: str, setting: Setting) -> None:
        self.text = text
        self.setting = setting
        self.name = _name(text, setting)
        self.around = enclosing(text, self.name.start)

    @property
    def words(self) -> list[tuple[int, int]]:
        """Start and end of each word of the value. Raises `Doubt` where they do not follow the name."""
        values = self.setting.text
        found: list[tuple[int, int]] = []
        at, index = self.name.end, 0
        own = self._quote()
        around = "" if own == self.around and not self.setting.joined else self.around
        while index < len(values):
            at = at + 1 if self.setting.joined else self._gap(at + len(own) if not found else at)
            word = word_at(self.text, at, around)
            if word is None:
                if self.setting.joined and not values[index].text:
                    return [(at, at)]
                raise Doubt(f"the value of {self.setting.name} stands elsewhere")
            open_ended = "$" in self.text[word[0] : word[1]] or "`" in self.text[word[0] : word[1]]
            if not open_ended and not self._makes(word, values[index]):
                raise Doubt(f"the value of {self.setting.name} stands elsewhere")
            found.append(word)
            at, index = word[1], index + 1
            if open_ended:
                while index < len(values) and not self._follows(values[index], at):
                    index += 1
        return found

    @property
    def whole(self) -> Span:
        """Name and value with their quotes, as they stand in one piece. Raises `Doubt` where they do not."""
        words, own = self.words, self._quote()
        start, end = self.name.start - len(own), self.name.end + len(own)
        if words:
            end = words[-1][1]
            if self.setting.joined and own:
                end += len(own)
        self._stands_alone(start, end)
        return Span(self.name.path, start, end)

    def _quote(self) -> str:
        """The quote that the name, or the name with its value, has for itself."""
        start, end = self.name.start, self.name.end
        quote = self.text[start - 1 : start]
        if quote not in ("'", '"') or self.text[start - 2 : start - 1] not in (*" \t\n(", ""):
            return ""
        if self.setting.joined:
            words = self.words_joined()
            end = words[1] if words is not None else end
        return quote if self.text[end : end + 1] == quote else ""

    def words_joined(self) -> tuple[int, int] | None:
        """The value behind `=`."""
        return word_at(self.text, self.name.end + 1, self.around)

    def _gap(self, at: int) -> int:
        match = _GAP.match(self.text, at)
        return at if match is None else match.end()

    def _makes(self, word: tuple[int, int], value: Traced) -> bool:
        """Whether a word begins a value, as far as its origin is known; one that is empty leaves no trace."""
        spans = (piece.span for piece in value.pieces)
        starts = [span.start for span in spans if span is not None and span.path == self.name.path]
        return not value.text or any(
            word[0] <= start < word[1] and not self.text[word[0] : start].strip("\\\"'") for start in starts
        )

    def _follows(self, value: Traced, at: int) -> bool:
        """Whether a value stands right behind a place."""
        span = value.span
        if span is None or span.path != self.name.path or span.start < at:
            return False
        return not self.text[self._gap(at) : span.start].strip("\\\"'")

    def _stands_alone(self, start: int, end: int) -> None:
        before, after = self.text[start - 1 : start], self.text[end : end + 1]
        listed = before == '"' and self.text[end : end + 1] == '"' and self.text[end + 1 :].lstrip()[:1] in (",", "]")
        if (
            (before and before not in " \t\r\n\"'(=`")
            or (after and after not in " \t\r\n\"')&|;`<>\\")
            or listed
            or self.text[end:].lstrip(BLANKS)[:1] in (",", "]")
        ):
            raise Doubt(f"{self.setting.name} is part of a longer word")


def _name(text: str, setting: Setting) -> Span:
    """The characters of a setting's name, which stand there as they are read."""
    span = setting.name_text.verbatim_span if setting.name_text is not None else None
    if span is None or text[span.start : span.end] != setting.name:
        raise Doubt(f"{setting.name} is put together from several parts")
    return span


def plain(words: Sequence[str]) -> str:
    """Words that need no quotes, with blanks between them. Raises `Doubt` where one does."""
    for word in words:
        if not re.fullmatch(r"[A-Za-z0-9_./:,=+@%-]+", word):
            raise Doubt(f"{word!r} would have to be quoted")
    return " ".join(words)
