"""Comments of a YAML text, with the entry or item that they speak of, told by indentation.

No document is built: what matters is which `#` begins a comment, and where the block of an entry ends.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from rlhflint.expressions import expression
from rlhflint.records import dataclass
from rlhflint.suppress.comment import Comment, may_suppress

_DASHES = expression(r"(?:---(?:[ \t]+|(?=\r?\n|\Z)))?(?:[-?](?:[ \t]+|(?=\r?\n|\Z)))*")
_INDICATOR = expression(r"[-?](?=\s|\Z)")
_PROPERTY = expression(r"[!&*][^\s,\[\]{}]*+")
_BLOCK = expression(r"[|>][-+0-9]*[ \t]*(?=\r?\n|\Z|#)")
_DOUBLE = expression(r'"(?:[^"\\]|\\.)*+"?', re.DOTALL)
_SINGLE = expression(r"'(?:[^']|'')*+'?", re.DOTALL)
_PLAIN = expression(r"(?:[^:#\s]|(?<=\S)#|:(?=\S)|[ \t]++(?=[^\s#]))++")
_PLAIN_IN_FLOW = expression(r"(?:[^:#,\[\]{}\s]|(?<=\S)#|:(?=[^\s,\[\]{}])|[ \t]++(?=[^\s#]))++")


@dataclass(slots=True)
class _Line:
    """A line with something in it, together with the lines that a quoted or block value on it goes on over.

    `indent` is the column of its first character, `inner` of what stands behind its dashes, or of the last dash
    where nothing does. `item`: it begins with a dash.
    """

    start: int
    end: int
    indent: int
    inner: int
    item: bool
    closes: bool
    """It begins with the bracket that closes a value."""
    opens: bool = False
    """Its last entry has its value below."""

    def goes_on(self, other: _Line, column: int) -> bool:
        """Whether `other`, further down, still belongs to what begins in a column of this line."""
        if other.indent != column:
            return other.indent > column
        return other.closes or (other.item and self.opens and self.inner == column)


class _Yaml:
    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.flow = 0
        """Brackets that are open."""
        self.lines: list[_Line] = []
        self.found: list[tuple[int, int, int]] = []
        """Start and end of each comment, and how many lines there are up to it."""

    def comments(self) -> Iterator[Comment]:
        while self.at < len(self.text):
            self._line()
        wholes, inners = self._last_lines()
        for start, end, count in self.found:
            if count and self.lines[count - 1].end >= start:
                line = self.lines[count - 1]
                yield Comment(start, end, line.start, max(self.lines[inners[count - 1]].end, start), alone=False)
            elif count < len(self.lines):
                yield Comment(start, end, self.lines[count].start, self.lines[wholes[count]].end, alone=True)
            else:
                yield Comment(start, end, end, end, alone=True)

    def _last_lines(self) -> tuple[list[int], list[int]]:
        """For each line the last line of all that begins on it, and of the last entry that does."""
        wholes, inners = list(range(len(self.lines))), list(range(len(self.lines)))
        begun: list[tuple[int, int, list[int]]] = []
        for index, line in enumerate(self.lines):
            while begun and not self.lines[begun[-1][1]].goes_on(line, begun[-1][0]):
                _, first, last = begun.pop()
                last[first] = index - 1
            begun += [(line.indent, index, wholes), (line.inner, index, inners)]
        for _, first, last in begun:
            last[first] = len(self.lines) - 1
        return wholes, inners

    def _line(self) -> None:
        text, start = self.text, self.at
        end = self._line_end(start)
        blanks = len(text[start:end]) - len(text[start:end].lstrip(" \t\r\ufeff"))
        first = start + blanks
        if first >= end:
            self.at = end + 1
        elif text[first] == "#":
            self._comment(first)
        else:
            found = None if self.flow else _DASHES.match(text, first, end)
            inner = found.end() if found else first
            column = inner if inner < end and text[inner] not in "#|>\r" else max(text.rfind("-", first, inner), first)
            document = text.startswith("---", first)
            item, closes = inner > first and not document, bool(self.flow) and text[first] in "]}"
            self.lines.append(_Line(start, end, first - start, column - start, item, closes))
            self.at = inner
            self._content(self.lines[-1], -1 if document else column - start)

    def _content(self, line: _Line, parent: int) -> None:
        """From where a key or value may begin to the end of the line, or of the value if it takes several.

        The lines of a block value are indented deeper than `parent`.
        """
        text, fresh = self.text, True
        while self.at < len(text) and text[self.at] != "\n":
            line.end = self.at
            character = text[self.at]
            if character in " \t\r":
                self.at += 1
            elif character == "#" and text[self.at - 1] in " \t\r\n":
                self._comment(self.at)
                return
            elif fresh and not self.flow and (found := _BLOCK.match(text, self.at)):
                self.at = found.end()
                self._block(line, parent)
                return
            elif fresh and (found := _PROPERTY.match(text, self.at) or _INDICATOR.match(text, self.at)):
                self.at = found.end()
            elif character in ":,[]{}" and (self.flow or character == ":" or (fresh and character in "[{")):
                self.flow = max(self.flow + (character in "[{") - (character in "]}"), 0)
                self.at += 1
                fresh = character not in "]}"
                line.opens = character == ":"
            else:
                self._scalar(fresh=fresh)
                fresh = line.opens = False
            line.end = self.at
        self.at += 1

    def _scalar(self, *, fresh: bool) -> None:
        pattern = _PLAIN_IN_FLOW if self.flow else _PLAIN
        if fresh and self.text[self.at] in "\"'":
            pattern = _DOUBLE if self.text[self.at] == '"' else _SINGLE
        found = pattern.match(self.text, self.at)
        self.at = found.end() if found else self.at + 1

    def _block(self, line: _Line, parent: int) -> None:
        """Skip the lines of a block value: those indented deeper than its parent, and blank ones."""
        text = self.text
        if text.startswith("#", self.at):
            self._comment(self.at)
        else:
            self.at = self._line_end(self.at) + 1
        while self.at < len(text):
            end = self._line_end(self.at)
            written = text[self.at : end]
            if written.strip():
                if len(written) - len(written.lstrip(" ")) <= parent:
                    return
                line.end = end
            self.at = end + 1

    def _comment(self, start: int) -> None:
        end = self._line_end(start)
        self.at = end + 1
        if may_suppress(self.text[start:end]):
            end -= self.text.endswith("\r", start, end)
            self.found.append((start, end, len(self.lines)))

    def _line_end(self, start: int) -> int:
        end = self.text.find("\n", start)
        return len(self.text) if end < 0 else end


def comments(text: str) -> Iterator[Comment]:
    """The comments of a YAML text that may hold suppressions, in their order."""
    yield from _Yaml(text).comments()
