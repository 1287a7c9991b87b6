"""Where quotes, substitutions and brackets of a shell text end.

Every answer is remembered by its place, so that no text is gone through twice however deeply it is nested.
"""

from __future__ import annotations

import re

from rlhflint.expressions import expression
from rlhflint.readers.shell.syntax.parentheses import closing_parenthesis

DEEPEST = 40
"""Quotes and substitutions nested more deeply than this are not read."""
_MOST_FAILURES = 50

_IN_DOUBLE = expression(r'[^"\\$`]*')
_IN_BRACE = expression(r"[^}\"'\\$`]*")
_IN_BACKQUOTES = expression(r"[^`\\]*")
_IN_DOLLAR_SINGLE = expression(r"[^'\\]*")
_IN_ARITHMETIC = expression(r"[^()\"'\\$`]*")
_IN_LIST = expression(r"[^\[\]()\"'\\$`]*")
_NAME = expression(r"[A-Za-z_]\w*|[0-9@*#?$!-]", re.ASCII)
_PATTERN_OPERATOR = expression(r"\{[!#]?(?:[A-Za-z_]\w*|[0-9]+|[@*#?$!-])(?:\[[^\]\n]*\])?[%#/^,]", re.ASCII)


class Unclosed(Exception):
    """What begins at `at` does not end; `too_deep` if it was given up, `other` if it is something else."""

    def __init__(self, at: int, *, too_deep: bool = False, other: bool = False) -> None:
        super().__init__(at)
        self.at = at
        self.too_deep = too_deep
        self.other = other


class Quotes:
    """The ends of everything in one text that has a beginning and an end."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._ends: dict[tuple[int, str], int | Unclosed] = {}
        self._depth = 0
        self._failures = 0

    def end(self, at: int, *, double: bool = False) -> int:
        """The place behind what begins with the quote, `$`, `<(` or bracket at `at`. Raises `Unclosed`.

        `double`: it stands inside double quotes, where single quotes mean nothing.
        """
        first, second = self.text[at], self.text[at + 1 : at + 2]
        match first:
            case '"':
                return self._known(at, '"')
            case "'":
                return self._known(at, "'")
            case "`":
                return self._known(at, "`")
            case "<" | ">" | "=" | "@" | "*" | "+" | "?" | "!" if second == "(":
                return self.parenthesis(at + 1, code=first in "<>")
        if first != "$":
            return at + 1
        if second == "(":
            inner = self.arithmetic(at + 1)
            return self.parenthesis(at + 1) if inner is None else inner
        if second == "{":
            return self._known(at, "{" if double else "${")
        if second == "[":
            return self._known(at + 1, "[")
        if second == "'" and not double:
            return self._known(at + 1, "$'")
        if second == '"' and not double:
            return self._known(at + 1, '"')
        name = _NAME.match(self.text, at + 1)
        return name.end() if name else at + 1

    def parenthesis(self, at: int, *, code: bool = True) -> int:
        """The place behind the `)` that closes the `(` at `at`; between them is shell code, or a list of words."""
        return self._known(at, "(" if code else "words")

    def arithmetic(self, at: int) -> int | None:
        """The place behind the `))` that closes the `((` at `at`; None where this is no arithmetic."""
        if self.text[at + 1 : at + 2] != "(":
            return None
        try:
            return self._known(at, "((")
        except Unclosed as unclosed:
            if unclosed.too_deep:
                raise
            return None

    def subscript(self, at: int) -> int:
        """The place behind the `]` that closes the `[` at `at`."""
        return self._known(at, "[")

    def _known(self, at: int, kind: str) -> int:
        key = (at, kind)
        found = self._ends.get(key)
        if found is None:
            if self._depth >= DEEPEST or self._failures >= _MOST_FAILURES:
                raise Unclosed(at, too_deep=True)
            self._depth += 1
            try:
                found = self._search(at, kind)
            except Unclosed as unclosed:
                self._failures += not unclosed.other
                found = Unclosed(unclosed.at if unclosed.too_deep else at, too_deep=unclosed.too_deep)
            finally:
                self._depth -= 1
            self._ends[key] = found
        if isinstance(found, Unclosed):
            raise Unclosed(found.at, too_deep=found.too_deep)
        return found

    def _search(self, at: int, kind: str) -> int:
        match kind:
            case '"':
                return self._until(at, at + 1, '"', _IN_DOUBLE, double=True)
            case "'":
                return self._find("'", at, at + 1)
            case "`":
                return self._escaped(at, "`", _IN_BACKQUOTES)
            case "$'":
                return self._escaped(at, "'", _IN_DOLLAR_SINGLE)
            case "{" | "${":
                double = kind == "{" and not _PATTERN_OPERATOR.match(self.text, at + 1)
                return self._until(at, at + 2, "}", _IN_BRACE, double=double)
            case "((":
                return self._arithmetic(at)
            case "[":
                return self._brackets(at)
            case _:
                end = closing_parenthesis(self, at, commands=kind == "(")
                if end is None:
                    raise Unclosed(at)
                return end

    def _find(self, closing: str, at: int, start: int) -> int:
        end = self.text.find(closing, start)
        if end < 0:
            raise Unclosed(at)
        return end + 1

    def _escaped(self, at: int, closing: str, run: re.Pattern[str]) -> int:
        place = at + 1
        while place < len(self.text):
            found = run.match(self.text, place)
            place = found.end() if found else place
            if self.text[place : place + 1] == closing:
                return place + 1
            place += 2
        raise Unclosed(at)

    def _until(self, at: int, start: int, closing: str, run: re.Pattern[str], *, double: bool) -> int:
        """Behind the `closing` that stands outside everything nested."""
        text, place = self.text, start
        while place < len(text):
            found = run.match(text, place)
            place = found.end() if found else place
            char = text[place : place + 1]
            if char == closing:
                return place + 1
            if char == "\\":
                place += 2
            elif char and (char != "'" or not double):
                place = self.end(place, double=double and char != '"')
            else:
                place += 1
        raise Unclosed(at)

    def _arithmetic(self, at: int) -> int:
        text, place, level = self.text, at + 2, 0
        while place < len(text):
            found = _IN_ARITHMETIC.match(text, place)
            place = found.end() if found else place
            char = text[place : place + 1]
            if char == "(":
                level += 1
                place += 1
            elif char == ")":
                if level == 0:
                    if text.startswith("))", place):
                        return place + 2
                    raise Unclosed(at, other=True)
                level -= 1
                place += 1
            elif char == "\\":
                place += 2
            elif char:
                place = self.end(place)
        raise Unclosed(at)

    def _brackets(self, at: int) -> int:
        text, place, level = self.text, at + 1, 0
        while place < len(text):
            found = _IN_LIST.match(text, place)
            place = found.end() if found else place
            char = text[place : place + 1]
            if char == "]" and level == 0:
                return place + 1
            if char in ("[", "]", "(", ")"):
                level += {"[": 1, "]": -1}.get(char, 0)
                place += 1
            elif char == "\\":
                place += 2
            elif char:
                place = self.end(place)
        raise Unclosed(at)
