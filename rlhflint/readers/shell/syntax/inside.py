"""What a shell refuses inside one token: an array, a test, the head of a counting loop."""

from __future__ import annotations

from rlhflint.expressions import expression
from rlhflint.readers.shell.syntax import conditional
from rlhflint.readers.shell.syntax.lexing import ASSIGNED_ARRAY, list_words, test_words
from rlhflint.readers.shell.syntax.source import Source
from rlhflint.records import dataclass

_OPERATOR = expression(r"[;&|()<>]+")
_OPERATOR_OR_COMMENT = expression(r"#[^\n]*|([;&|()<>]+)")
_HIDING = expression(r"[\"'`\\]|\$[({\[]")
"""What a `;` may stand in without parting two expressions."""


@dataclass(frozen=True, slots=True)
class Refused:
    """A place that a shell refuses, and why."""

    start: int
    end: int
    because: str


def in_array(source: Source, start: int, end: int) -> Refused | None:
    """What is refused in the word at `start` to `end` if it is `name=(…)`: an operator between its elements."""
    head = ASSIGNED_ARRAY.match(source.text, start, end)
    if head is None or source.text[head.end()] != "(" or not _OPERATOR.search(source.text, head.end() + 1, end - 1):
        return None
    place = head.end() + 1
    for word in (*list_words(source, place, end - 1), None):
        for found in _OPERATOR_OR_COMMENT.finditer(source.text, place, word.start if word is not None else end - 1):
            if found[1] is not None:
                because = f"`{found[1]}` stands between the elements of an array without quotes"
                return Refused(*found.span(), because)
        place = word.end if word is not None else end
    return None


def in_test(source: Source, start: int, end: int) -> Refused | None:
    """What is refused in the `[[ … ]]` at `start` to `end`."""
    found = conditional.refused(test_words(source, start + 2, end - 2))
    if found is None:
        return None
    word, because = found
    return Refused(word.start, word.end, because) if word is not None else Refused(end - 2, end, because)


def in_header(source: Source, start: int, end: int) -> Refused | None:
    """What is refused in the `((…))` behind `for` at `start` to `end`: anything but three expressions."""
    text = source.text[start + 2 : end - 2]
    if text.count(";") == 2 or _HIDING.search(text):
        return None
    return Refused(start, end, "a counting loop has three expressions, with `;` between them")
