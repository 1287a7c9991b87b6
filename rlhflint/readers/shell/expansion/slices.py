"""Parts of texts and lists by position: `${name:start:length}`, `${name[@]:start:length}`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from rlhflint.readers.shell import unknown
from rlhflint.readers.shell.expansion.expand import Expansion
from rlhflint.readers.shell.state import Gaps, Variable
from rlhflint.readers.shell.syntax.part import Parameter
from rlhflint.readers.shell.syntax.source import Source
from rlhflint.text import Traced

Bounds: TypeAlias = tuple[int, int | None]
"""Start and length, either of which may be negative and then counts from the end; None: all that follow."""


def bounds_of(expansion: Expansion, source: Source, part: Parameter) -> Bounds | None:
    """The bounds that a parameter gives; None where they are not known."""
    from rlhflint.readers.shell.expansion.arithmetic import number

    start, end = part.argument
    colon = source.text.find(":", start, end)
    first = number(expansion, source, start, end if colon < 0 else colon)
    if colon < 0:
        return None if first is None else (first, None)
    count = number(expansion, source, colon + 1, end)
    return None if first is None or count is None else (first, count)


def sliced_text(text: Traced, bounds: Bounds) -> Traced:
    """The characters of a text that lie within the bounds."""
    start, count = bounds
    start = start if start >= 0 else len(text) + start
    if start < 0:
        return Traced()
    end = len(text) if count is None else start + count if count >= 0 else len(text) + count
    return text[start : max(end, start)]


def sliced_list(
    words: Sequence[Traced], bounds: Bounds, variable: Variable | None, *, positional: bool
) -> Sequence[Traced]:
    """The elements of a list that lie within the bounds.

    Args:
        words: the elements, or the arguments of the script.
        bounds: where to begin, and how many.
        variable: the array they are in.
        positional: they are arguments, which count from 1.
    """
    start, count = bounds
    if positional:
        # They count from 1: 0 is the name of the script, for a count from the end as well.
        words = [Traced.hole(unknown.SCRIPT, None), *words]
    if variable is not None and isinstance(variable.value, Gaps):
        # What counts is the subscript, not the number of elements before.
        start += variable.value.end if start < 0 else 0
        return [word for key, word in variable.value.items() if int(key) >= start >= 0][:count]
    start = start if start >= 0 else len(words) + start
    if start < 0:
        return ()
    return words[start:] if count is None else words[start : max(start + count, start)]
