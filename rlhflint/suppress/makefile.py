"""Comments of a Makefile, with the rule, the line of a recipe or the definition that they speak of."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rlhflint.expressions import expression
from rlhflint.suppress import shell
from rlhflint.suppress.comment import CONTINUED, Comment, line_end, line_start, may_suppress, stands_alone
from rlhflint.suppress.extents import Extents

_LOGICAL = expression(r"(?:[^\\\n]|\\(?:\r?\n|.|\Z))*+", re.DOTALL)
"""Lines that backslashes join."""
_HASH = expression(r"(?<!\\)#")
_COMMENT_OF_RECIPE = expression(r"\t[ \t]*+(?:[@-]++[ \t]*+)?#")


def comments(text: str) -> Iterator[Comment]:
    """The comments of a Makefile that may hold suppressions, in their order."""
    extents, last_end, at = Extents(), 0, 0
    while at < len(text):
        found = _LOGICAL.match(text, at)
        end = found.end() if found else len(text)
        line = text[at:end].rstrip("\r")
        recipe = line.startswith("\t")
        if line.lstrip(" \t").startswith("#") or (recipe and _COMMENT_OF_RECIPE.match(line)):
            if may_suppress(line):
                start = text.index("#", at)
                extents.alone(start, line_end(text, start), int(recipe))
        elif line.strip():
            extents.end(int(recipe), last_end)
            extents.begin(at, int(recipe))
            last_end = at + len(line)
            if may_suppress(line):
                extents.comments += _of_recipe(line, at) if recipe else _of_definition(text, at, end)
        at = end + 1
    extents.end(0, last_end)
    yield from extents.finish(len(text))


def _of_recipe(line: str, at: int) -> Iterator[Comment]:
    """The comments of a line of a recipe, all of which is one line to the shell."""
    for comment in shell.comments(line):
        if comment.broken or not comment.alone:
            yield comment.moved(at)


def _of_definition(text: str, at: int, end: int) -> Iterator[Comment]:
    """The comment of a line that make reads itself: from the `#` on."""
    found = _HASH.search(text, at, end)
    if found:
        start = found.start()
        alone = stands_alone(text, start)
        stop = min(line_end(text, start), end)
        if alone:
            yield Comment(start, stop, start, start, alone, CONTINUED)
        else:
            yield Comment(start, stop, line_start(text, start), start, alone)
