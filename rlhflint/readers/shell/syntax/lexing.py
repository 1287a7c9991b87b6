"""Where words begin and end."""

from __future__ import annotations

import re
from collections.abc import Callable

from rlhflint.expressions import expression
from rlhflint.readers.shell.syntax.quotes import Unclosed
from rlhflint.readers.shell.syntax.source import Source
from rlhflint.readers.shell.syntax.word import Word, placeholder

EXTENDED = "@?*+!"
"""What stands before the `(` of a pattern that `shopt -s extglob` allows."""
MOST_WORDS = 20_000
"""Elements of one array."""
ASSIGNED_ARRAY = expression(r"[A-Za-z_]\w*(?:\[[^\]\n]*\])?\+?=", re.ASCII)
"""What stands before the `(` of an array."""
_PLAIN = expression(r"[^ \t\n;&|()<>\"'\\$`]+")
_BETWEEN = expression(r"(?:[ \t\n;&|()]|[<>](?!\()|\\\n)+|#[^\n]*")
_BETWEEN_IN_TEST = expression(r"(?:[ \t\n]|\\\n)+(?:#[^\n]*)?")
_TEST_END = expression(r"\]\](?=[ \t\n;&|)<>]|$)")
_TEST_OPERATOR = expression(r"&&|\|\||[()]|[<>](?!\()")
_EXPRESSION = expression(r"[^ \t\n\"'\\$`]+")


def word_end(
    source: Source,
    at: int,
    end: int,
    broken: Callable[[int], bool] = lambda _: False,
    unclosed: Callable[[Unclosed], None] = lambda _: None,
    *,
    extended: bool = False,
) -> int:
    """The place behind the word that begins at `at`; `at` itself if none does.

    Args:
        source: the text.
        at: place of the first character.
        end: no word goes further than this.
        broken: whether a backslash inside the word was meant to end its line, so that the word ends before it.
        unclosed: told of a quote that is never closed. The word then ends with its line.
        extended: `!(a|b)` and its like are patterns here, whatever `shopt` says.
    """
    text, place = source.text, at
    while place < end:
        run = _PLAIN.match(text, place, end)
        if run is not None:
            place = run.end()
            continue
        if text[place] == "\\":
            if text.startswith("\n", place + 1):
                if text[place + 2 : place + 3] in (" ", "\t", "\n", "#", ""):
                    break
            elif place > at and broken(place):
                break
            place = min(place + 2, end)
            continue
        try:
            behind = _nested(source, at, place, extended=extended)
        except Unclosed as problem:
            unclosed(problem)
            line_end = text.find("\n", place, end)
            return end if line_end < 0 else line_end
        if behind is None:
            break
        place = behind
    return min(place, end)


def _nested(source: Source, at: int, place: int, *, extended: bool) -> int | None:
    """The place behind a quote, substitution or bracket in the word begun at `at`; None if the word ends there."""
    text, quotes = source.text, source.quotes
    char, before = text[place], text[place - 1] if place > at else ""
    if char in "\"'`$":
        return quotes.end(place)
    if char == "(" and before:
        pattern = before in EXTENDED and (extended or source.extended(place))
        if pattern or (before == "=" and ASSIGNED_ARRAY.fullmatch(text, at, place)):
            return quotes.parenthesis(place, code=False)
    if char in "<>" and text.startswith("(", place + 1) and before in ("", "=", ":"):
        return quotes.end(place)
    return placeholder(text, place) if char == "<" else None


def list_words(source: Source, start: int, end: int) -> list[Word]:
    """The words between the brackets of `A=(…)`, where line ends and comments are blanks; one too many at most."""
    words: list[Word] = []
    place = start
    while place < end and len(words) <= MOST_WORDS:
        between = _BETWEEN.match(source.text, place, end)
        if between is not None:
            place = between.end()
            continue
        behind = word_end(source, place, end, extended=True)
        if behind > place:
            words.append(Word(source, place, behind))
        place = max(behind, place + 1)
    return words


def test_end(source: Source, at: int, end: int, unclosed: Callable[[Unclosed], None]) -> int | None:
    """The place behind the `]]` of the `[[` at `at`, None if there is none; `unclosed` is told of open quotes."""
    text, place, groups = source.text, at + 2, 0
    closed = -1
    """The place behind the bracket that closes a group."""
    while place < end:
        char, blank = text[place], text[place - 1] in " \t\n"
        if (blank or place == closed) and _TEST_END.match(text, place, end):
            return place + 2
        if char in "\"'`$":
            try:
                place = source.quotes.end(place)
                continue
            except Unclosed as problem:
                unclosed(problem)
        if char in "\"'`$" or (char == "#" and blank):
            place = (text.find("\n", place, end) + 1 or end + 1) - 1
            continue
        if (
            char == "("
            and (blank or text[place - 1] in "(!")
            and not text[max(place - 9, 0) : place].rstrip().endswith("=~")
        ):
            groups += 1
        elif char == ")" and groups:
            groups -= 1
            closed = place + 1
        place += 2 if char == "\\" else 1
    return None


def test_words(source: Source, start: int, end: int) -> list[Word]:
    """The words and operators between the brackets of `[[ … ]]`."""
    words: list[Word] = []
    text, place = source.text, start
    while place < end:
        between = _BETWEEN_IN_TEST.match(text, place, end)
        if between is not None:
            place = between.end()
            continue
        expression = bool(words) and words[-1].text == "=~"
        operator = _TEST_OPERATOR.match(text, place, end) if not expression else None
        if operator is not None and placeholder(text, place) is not None:
            operator = None
        if operator is not None:
            behind = operator.end()
        else:
            behind = _expression_end(source, place, end) if expression else word_end(source, place, end, extended=True)
        behind = max(behind, place + 1)
        words.append(Word(source, place, behind))
        place = behind
    return words


def _expression_end(source: Source, at: int, end: int) -> int:
    """The place behind a regular expression, in which brackets and bars are ordinary characters."""
    text, place = source.text, at
    while place < end and text[place] not in " \t\n":
        run = _EXPRESSION.match(text, place, end)
        if run is not None:
            place = run.end()
        elif text[place] == "\\":
            place += 2
        else:
            try:
                place = source.quotes.end(place)
            except Unclosed:
                return end
    return min(place, end)
