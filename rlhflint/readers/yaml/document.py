"""Reading a YAML text: ruamel.yaml gives its structure and positions, never its types.

Bounds: a text of more than `MOST_CHARACTERS`, or nested deeper than `DEEPEST`, is not read. What aliases stand for is
not copied, so that a text that refers to itself over and over costs no more than its length.
"""

from __future__ import annotations

import re
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.events import DocumentStartEvent
from ruamel.yaml.scanner import Scanner, ScannerError
from ruamel.yaml.tokens import TagToken

from rlhflint.command import Problem
from rlhflint.expressions import expression
from rlhflint.mapping import Document, Placed
from rlhflint.readers.yaml.builder import DEEPEST, Builder, Stop
from rlhflint.text import Span, Traced

MOST_CHARACTERS = 500_000

_PROGRAM = expression(r"^\ufeff?#\s*rlhflint:\s*program\s*=\s*([\w:.-]+)", re.MULTILINE)
_BRACKETS = expression(r"[\[\]{}]")
_LINE_SEPARATORS = ("\x85", "\u2028", "\u2029")


def read_yaml(path: str, text: str | Traced) -> Document:
    """The keys and values of a YAML text, as `yaml.safe_load` of PyYAML takes them.

    Args:
        path: the file, as spans name it.
        text: its text with line ends as they are, or a text that was made of parts of a file.
    """
    traced = Traced.of_file(path, text) if isinstance(text, str) else text
    builder = Builder(path, traced)
    found = _PROGRAM.search(traced.text)
    program = traced[found.start(1) : found.end(1)] if found else None
    if (obstacle := _obstacle(traced.text)) is not None:
        kind, offset, message = obstacle
        return Document(path, problems=(Problem(kind, builder.span(offset, offset + 1), message),), program=program)
    root = _read(traced.text, builder)
    return Document(path, root, tuple(builder.problems), program)


def _obstacle(text: str) -> tuple[str, int, str] | None:
    """Why a text is not read at all."""
    if len(text) > MOST_CHARACTERS:
        return "too-large", 0, f"longer than {MOST_CHARACTERS} characters: it was not read"
    for sign in _LINE_SEPARATORS:
        if sign in text:
            return "not-read", text.index(sign), "a line separator that loaders of YAML read in different ways"
    depth = 0
    for bracket in _BRACKETS.finditer(text):
        depth = depth + 1 if bracket[0] in "[{" else max(depth - 1, 0)
        if depth > DEEPEST:
            return "too-deep", bracket.start(), "brackets are nested too deeply: it was not read"
    return None


def _read(text: str, builder: Builder) -> Placed | None:
    """The first document of a text; the builder notes what is wrong with it."""
    yaml = YAML(typ="safe", pure=True)
    yaml.version = (1, 1)
    yaml.Scanner = _Scanner
    root: Placed | None = None
    documents = 0
    try:
        for event in yaml.parse(text):
            if isinstance(event, DocumentStartEvent):
                documents += 1
                if documents > 1:
                    builder.refuse(event, "a second document starts here: yaml.safe_load takes only one")
                    break
            else:
                done = builder.take(event)
                root = done if root is None else root
    except YAMLError as error:
        builder.refuse_span(*_place_of(error, builder))
        return None
    except Stop:
        return None
    except (RecursionError, ValueError, LookupError, AttributeError, TypeError) as error:
        # The scanner falls over some texts that are no YAML instead of refusing them.
        builder.refuse_span(builder.span(0, 1), f"not valid YAML: {error}")
        return None
    return root


def _place_of(error: YAMLError, builder: Builder) -> tuple[Span, str]:
    place, message = 0, "not valid YAML"
    if isinstance(error, MarkedYAMLError):
        mark = error.problem_mark or error.context_mark
        place = mark.index if mark is not None else 0
        message = f"not valid YAML: {error.problem or error.context}"
    elif isinstance(position := getattr(error, "position", None), int):
        place, message = position, "not valid YAML: a character that it does not allow"
    return builder.span(place, place + 1), message


class _Scanner(Scanner):
    """The scanner of ruamel.yaml, which refuses a blank line at the head of a block and misreads some tags."""

    def scan_tag(self) -> Any:
        """A tag. Behind `!!` all is its name, further exclamation marks too, and a name has to follow."""
        if self.reader.prefix(2) != "!!":
            return super().scan_tag()
        start = self.reader.get_mark()
        self.reader.forward(2)
        name = self.scan_tag_uri("tag", start)
        if (after := self.reader.peek()) not in "\0 \r\n\x85\u2028\u2029":
            raise ScannerError(
                "while scanning a tag", start, f"expected ' ', but found {after!r}", self.reader.get_mark()
            )
        return TagToken(("!!", name), start, self.reader.get_mark())

    def scan_block_scalar_indentation(self) -> Any:
        """The line breaks before the first line of a block, its widest indentation, and where it starts."""
        breaks, widest, end = [], 0, self.reader.get_mark()
        while self.reader.peek() in (" ", "\r", "\n"):
            if self.reader.peek() == " ":
                self.reader.forward()
                widest = max(widest, self.reader.column)
            else:
                breaks.append(self.scan_line_break())
                end = self.reader.get_mark()
        return breaks, widest, end
