"""Reading a Jupyter notebook of format 3 or 4."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from itertools import islice

from rlhflint.command import Problem
from rlhflint.mapping import Mapping, Node, Placed, Scalar, Series
from rlhflint.readers.notebook.magics import Content, Requirement, WrittenFile, content
from rlhflint.readers.positioned_json import read_json
from rlhflint.records import dataclass
from rlhflint.text import Span, Traced

_SKIPPED = frozenset({"outputs", "attachments", "widgets"})
"""What a notebook keeps of its runs: large, and nothing that was written by a person."""
_MOST_SCRIPTS = 2_000
"""Of a notebook with more shell lines the first ones are read."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell. `number` counts from 1, cells of every kind; `span` is the JSON that its text is written in."""

    number: int
    kind: str
    text: Traced
    span: Span


@dataclass(frozen=True, slots=True)
class Notebook:
    """What was read from one notebook.

    `python` is the code of the cells in order, one text a cell, without magics and with as many lines as the cell, so
    that the names of one cell reach the next. `shell` are the commands run by `!`, `%%bash` and the like, each a script
    of its own; `files` what `%%writefile` writes; `requirements` what `pip install` is given; `environment` what `%env`
    sets, by name and value.
    """

    path: str
    cells: tuple[Cell, ...] = ()
    python: tuple[Traced, ...] = ()
    shell: tuple[Traced, ...] = ()
    files: tuple[WrittenFile, ...] = ()
    requirements: tuple[Requirement, ...] = ()
    environment: tuple[tuple[Traced, Traced], ...] = ()
    problems: tuple[Problem, ...] = ()

    def locate(self, offset: int) -> tuple[int, int, int] | None:
        """Cell, line in the cell and column in the line, each from 1, of a character of the file.

        None if it is in no cell's text. An escape in the JSON is one character of the cell.
        """
        index = bisect_right([cell.span.start for cell in self.cells], offset) - 1
        if index < 0 or offset > self.cells[index].span.end:
            return None
        cell = self.cells[index]
        before = 0
        for piece in cell.text.pieces:
            if piece.span is None or piece.span.start > offset:
                break
            inside = min(offset - piece.span.start, len(piece.text)) if piece.verbatim else 0
            if offset < piece.span.end:
                before += inside
                break
            before += len(piece.text)
        text = cell.text.text[:before]
        return cell.number, text.count("\n") + 1, len(text) - (text.rfind("\n") + 1) + 1


def read_notebook(path: str, text: str) -> Notebook:
    """The cells of a notebook and what they do, nothing of it run."""
    document = read_json(path, text, skip=_SKIPPED)
    if document.problems:
        return Notebook(path, problems=document.problems)
    top = document.mapping
    if top is None or not any(_is_list(_part(top, name)) for name in ("cells", "worksheets")):
        problem = Problem("syntax", Span(path, 0, min(1, len(text))), "not a notebook: it has no cells")
        return Notebook(path, problems=(problem,))
    cells = tuple(_cells(top))
    if _language(top) not in ("", "python", "python3", "ipython"):
        return Notebook(path, cells)
    parts = [content(cell.text) for cell in cells if cell.kind == "code"]
    return _assembled(path, cells, parts)


def _assembled(path: str, cells: tuple[Cell, ...], parts: list[Content]) -> Notebook:
    return Notebook(
        path=path,
        cells=cells,
        python=tuple(part.python for part in parts),
        shell=tuple(islice((text for part in parts for text in part.shell), _MOST_SCRIPTS)),
        files=tuple(file for part in parts for file in part.files),
        requirements=tuple(one for part in parts for one in part.requirements),
        environment=tuple(pair for part in parts for pair in part.environment),
    )


def _cells(top: Mapping) -> Iterator[Cell]:
    """The cells in order; those of all worksheets in format 3."""
    lists = [_part(top, "cells")]
    lists += [_part(sheet.node, "cells") for sheet in _items(_part(top, "worksheets"))]
    number = 0
    for cells in lists:
        for placed in _items(cells):
            number += 1
            source = _part(placed.node, "source") or _part(placed.node, "input")
            if source is not None:
                yield Cell(number, _text(_part(placed.node, "cell_type")), _joined(source), source.span)


def _part(node: Node, name: str) -> Placed | None:
    entry = node.get(name) if isinstance(node, Mapping) else None
    return None if entry is None else entry.value


def _is_list(placed: Placed | None) -> bool:
    return placed is not None and isinstance(placed.node, Series)


def _items(placed: Placed | None) -> tuple[Placed, ...]:
    return placed.node.items if placed is not None and isinstance(placed.node, Series) else ()


def _text(placed: Placed | None) -> str:
    return placed.node.text.text if placed is not None and isinstance(placed.node, Scalar) else ""


def _joined(source: Placed) -> Traced:
    """The text of a cell, which is written as one text or as a list of lines."""
    if isinstance(source.node, Scalar):
        return source.node.text
    pieces = [piece for item in _items(source) if isinstance(item.node, Scalar) for piece in item.node.text.pieces]
    return Traced(pieces)


def _language(top: Mapping) -> str:
    metadata = _part(top, "metadata")
    if metadata is None:
        return ""
    for part, name in (("language_info", "name"), ("kernelspec", "language")):
        inner = _part(metadata.node, part)
        if inner is not None and (language := _text(_part(inner.node, name))):
            return language.lower()
    return ""
