"""The Python of a script, or of a cell of a notebook, as it is parsed; and changes of it as edits of the file."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from rlhflint.expressions import expression
from rlhflint.finding import Edit
from rlhflint.fixing.doubt import Doubt
from rlhflint.text import Span

if TYPE_CHECKING:
    from rlhflint.source import Source
    from rlhflint.text import Traced

_BORDER = expression(r'"\s*,\s*"')
_ALONE = expression(r'\[(\s*)"\Z')
_FAR = 200
"""Characters in front of the first line of a cell among which the bracket of its list is looked for."""


class Changed(NamedTuple):
    """Characters `start` to `end` of a text that become `text`."""

    start: int
    end: int
    text: str


class PythonText:
    """The Python of a script, which is the file itself."""

    def __init__(self, path: str, text: str) -> None:
        self.path = path
        self.text = text

    def place(self, span: Span) -> tuple[int, int]:
        """Where a span of the file begins and ends in the text. Raises `Doubt` where it is not whole in there."""
        return span.start, span.end

    def holds(self, span: Span) -> bool:
        """Whether a place of the file lies in it."""
        return True

    def written(self, span: Span) -> str:
        """The Python at a span of the file."""
        start, end = self.place(span)
        return self.text[start:end]

    def edits(self, changed: Iterable[Changed]) -> list[Edit]:
        """Changes of the text as edits of the file."""
        return [Edit(Span(self.path, one.start, one.end), one.text) for one in changed]


class CellText(PythonText):
    """The Python of a cell that is not empty, which stands in the JSON of a notebook: as one text, or line by line."""

    def __init__(self, path: str, cell: Traced, raw: str) -> None:
        super().__init__(path, cell.text)
        self._begins: list[int] = []
        """For each character where it begins in the file."""
        self._ends: list[int] = []
        self._fixed: set[int] = set()
        """The characters that stand for something else: for a line that is for IPython."""
        for piece in cell.pieces:
            span = piece.span or Span(path, 0, 0)
            for index in range(len(piece.text)):
                if piece.verbatim:
                    begin, end = span.start + index, span.start + index + 1
                else:
                    begin, end = span.start, span.end
                    if len(piece.text) > 1:
                        self._fixed.add(len(self._begins))
                self._begins.append(begin)
                self._ends.append(end)
        self._at = {begin: index for index, begin in reversed(list(enumerate(self._begins)))}
        self._behind = {end: index + 1 for index, end in enumerate(self._ends)}
        self._border = self._found_border(raw)

    def place(self, span: Span) -> tuple[int, int]:
        """Where a span of the file begins and ends in the cell."""
        start, end = self._at.get(span.start), self._behind.get(span.end)
        if start is None and end is not None and len(span) == 0:
            start = end
        if end is None and start is not None and len(span) == 0:
            end = start
        if start is None or end is None or start > end:
            raise Doubt("it is not written in one piece")
        return start, end

    def holds(self, span: Span) -> bool:
        """Whether a place of the file lies in the cell."""
        return self._begins[0] <= span.start <= self._ends[-1]

    def edits(self, changed: Iterable[Changed]) -> list[Edit]:
        """Changes of the cell as edits of the JSON: a new line is one of its own there, if the others are."""
        found = []
        for start, end, text in changed:
            if not self._fixed.isdisjoint(range(start, end)):
                raise Doubt("a line of the cell that is no Python would change")
            lines = [json.dumps(line, ensure_ascii=False)[1:-1] for line in text.split("\n")]
            escaped = f"\\n{self._border}".join(lines)
            if end == len(self.text) and text.endswith("\n"):
                escaped = escaped.removesuffix(self._border)
            if start == len(self.text) and self.text.endswith("\n"):
                escaped = self._border + escaped
            found.append(Edit(Span(self.path, self._begin(start, end), self._end(start, end)), escaped))
        return found

    def _begin(self, start: int, end: int) -> int:
        whole_lines = start > 0 and start < end == len(self.text)
        return self._ends[start - 1] if whole_lines or start == len(self.text) else self._begins[start]

    def _end(self, start: int, end: int) -> int:
        if start == end:
            return self._begin(start, end)
        return self._begins[end] if end < len(self.text) else self._ends[-1]

    def _found_border(self, raw: str) -> str:
        """What stands in the JSON between two lines; nothing where they are no texts of their own."""
        for end, begin in zip(self._ends, self._begins[1:], strict=False):
            if begin > end and _BORDER.fullmatch(raw, end, begin):
                return raw[end:begin]
        alone = _ALONE.search(raw, max(0, self._begins[0] - _FAR), self._begins[0])
        return f'",{alone[1] or " "}"' if alone is not None else ""


def python_of(source: Source, span: Span) -> PythonText:
    """The Python that a place of a file is part of. Raises `Doubt` where it is in no cell of a notebook."""
    if span.path != source.path:
        raise Doubt("it stands in another file")
    found = next((text for text in pythons_of(source) if text.holds(span)), None)
    if found is None:
        raise Doubt("it is in no cell of the notebook")
    return found


def pythons_of(source: Source) -> Sequence[PythonText]:
    """All Python of a file: one text, or in a notebook one a cell."""
    return _pythons(source.path, source.text)


@lru_cache(maxsize=4)
def _pythons(path: str, text: str) -> Sequence[PythonText]:
    if not path.endswith(".ipynb"):
        return [PythonText(path, text)]
    from rlhflint.readers.notebook import read_notebook

    return [CellText(path, cell, text) for cell in read_notebook(path, text).python if cell.text]
