"""Parameters as zsh expands them: outside quotes, too, a text stays one word, and an array is all of its elements."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from rlhflint.expressions import expression
from rlhflint.readers.shell.expansion.fields import BREAK, Segment, Segments
from rlhflint.readers.shell.expansion.lookup import element, length_of
from rlhflint.readers.shell.state import DIALECT, Gaps, State
from rlhflint.text import Traced

if TYPE_CHECKING:
    from rlhflint.readers.shell.expansion.parameter import Expander

CHANGED = "zsh with other options"
"""Under `DIALECT`: the shell is zsh, and how it expands words may have been changed."""

_FURTHER = expression(r"\[|:[aAcehlpPqQrstuwxWfFg&]")
_DEFAULTS = ("-", ":-", "=", ":=", "+", ":+", "?", ":?")
_BOUNDS = expression(r"\s*[0-9]+(?::[0-9]+)?", re.ASCII)
_INDEX = expression(r"[1-9][0-9]{0,8}", re.ASCII)


def change_options(state: State) -> None:
    """What `setopt` or `emulate` leaves: in zsh, words may be expanded in another way from here on."""
    if state.get(DIALECT) is not None:
        state.values[DIALECT] = CHANGED


def expanded(expander: Expander) -> Segments:
    """What a parameter expands to in zsh; what bash and zsh read as different things is unknown."""
    part, state = expander.part, expander.state
    if _reads_on(expander) or part.prefix == "!" or part.operator == "?bad":
        return _unknown(expander)
    subscript = expander.subscript_text()
    variable = None if part.name in "@*#" else state.variable(part.name)
    table = variable is not None and isinstance(variable.value, dict) and not isinstance(variable.value, Gaps)
    array = part.name in "@*" or (variable is not None and isinstance(variable.value, tuple | dict))
    if array and state.get(DIALECT) == CHANGED:
        return _unknown(expander)
    if array and subscript in ("", "@", "*"):
        return _list(expander, subscript, table=table)
    if part.prefix == "#":
        return expander.one(expander.length()) if not subscript else _unknown(expander)
    if subscript:
        if variable is None or part.operator or not array:
            return _unknown(expander)
        if table:
            return _whole(expander, [Segment(element_of(expander), expander.quoted)])
        return _indexed(expander, variable.elements, subscript)
    argument = expander.source.text[slice(*part.argument)]
    if part.operator[:1] in ("^", ",", "@") or (part.operator == ":" and not _BOUNDS.fullmatch(argument)):
        return _unknown(expander)
    return _whole(expander, expander.scalar(expander.value("")))


def element_of(expander: Expander) -> Traced:
    """An element of an associative array."""
    variable = expander.state.variable(expander.part.name)
    place = expander.part.subscript or (0, 0)
    found = element(expander.expansion, variable, expander.source, place, expander.span) if variable else None
    return found or Traced()


def _reads_on(expander: Expander) -> bool:
    """Whether zsh takes for a part of `$name` what stands behind it: `$name[1]`, `$#name`, `$name:h`."""
    text, part = expander.source.text, expander.part
    if text.startswith("${", part.start):
        return False
    behind = text[part.end : part.end + 1]
    return _FURTHER.match(text, part.end) is not None or (part.name == "#" and (behind.isalnum() or behind == "_"))


def _unknown(expander: Expander) -> Segments:
    because = f"{expander.written} is not followed in zsh"
    return [Segment(Traced.hole(because, expander.span, many=not expander.quoted), expander.quoted)]


def _list(expander: Expander, subscript: str, *, table: bool) -> Segments:
    words = expander.elements()
    if expander.part.prefix == "#":
        count = length_of(words, expander.span)
        return expander.one(count) if count is not None else _unknown(expander)
    if expander.part.operator or table:
        return _unknown(expander)
    if expander.quoted and (subscript == "@" or expander.part.name == "@"):
        return expander.list_of(words, star=False)
    if expander.quoted:
        return expander.one(expander.star(words))
    segments: Segments = []
    for word in words:
        segments += [BREAK, *_kept(word)]
    return segments[1:]


def _indexed(expander: Expander, words: Sequence[Traced], subscript: str) -> Segments:
    """An element, counted from 1."""
    index = int(subscript) if _INDEX.fullmatch(subscript) else 0
    if not 1 <= index <= len(words) or any(word.many for word in words[:index]):
        return _unknown(expander)
    return _kept(words[index - 1]) if not expander.quoted else expander.one(words[index - 1])


def _whole(expander: Expander, segments: Segments) -> Segments:
    """Segments that are not split: as if they stood in quotes, but that nothing at all is no word."""
    if expander.quoted:
        return segments
    if expander.state.get(DIALECT) == CHANGED and any(one is not BREAK and not one.quoted for one in segments):
        return _unknown(expander)
    found: Segments = []
    for one in segments:
        found += [one] if one is BREAK or one.quoted else _kept(one.text)
    return found


def _kept(word: Traced) -> Segments:
    if not word.text:
        return []
    return [Segment(word, quoted=word.known or len(word.pieces) > 1)]
