"""Path patterns as git understands them, turned into regular expressions that match in bounded time."""

from __future__ import annotations

import re
from collections.abc import Iterator

LONGEST = 4096
"""A pattern longer than this cannot match a path that an operating system would open."""

_STAR, _STARS, _SLASH = object(), object(), object()
_CLASSES = {
    "alnum": "0-9A-Za-z",
    "alpha": "A-Za-z",
    "blank": " \\t",
    "cntrl": "\\x00-\\x1f\\x7f",
    "digit": "0-9",
    "graph": "\\x21-\\x7e",
    "lower": "a-z",
    "print": "\\x20-\\x7e",
    "punct": "!-/:-@\\[-`{-~",
    "space": " \\t\\n\\v\\f\\r",
    "upper": "A-Z",
    "xdigit": "0-9A-Fa-f",
}

Token = object
"""`_STAR` (`*`), `_STARS` (`**` for folders), `_SLASH`, or the expression of exactly one character, as text."""


class _NeverMatches(Exception):
    """The pattern is malformed, and git takes such a pattern to match nothing."""


def compiled(pattern: str) -> re.Pattern[str] | None:
    """The expression whose `fullmatch` on a path with `/` is git's answer; None if no path matches.

    `*` and `?` do not match `/`; `**` between slashes, at an end or behind the plain beginning stands for any number of
    folders.
    """
    if len(pattern) > LONGEST:
        return None
    try:
        tokens = list(_tokens(pattern))
    except _NeverMatches:
        return None
    return re.compile("".join(_folders(tokens)), re.DOTALL)


def _tokens(pattern: str) -> Iterator[Token]:
    at, end = 0, len(pattern)
    # Git compares the plain beginning first and matches the rest as a pattern of its own: in `a**/b`, `**` begins one.
    plain = next((place for place, character in enumerate(pattern) if character in "*?[\\"), end)
    while at < end:
        character = pattern[at]
        if character == "*":
            start = at
            while at < end and pattern[at] == "*":
                at += 1
            opens = start == plain or pattern[start - 1] == "/"
            closes = at == end or pattern[at] == "/"
            yield _STARS if at - start > 1 and opens and closes else _STAR
            continue
        at += 1
        if character == "/":
            yield _SLASH
        elif character == "?":
            yield "[^/]"
        elif character == "[":
            expression, at = _bracket(pattern, at)
            yield expression
        elif character == "\\":
            if at == end:
                raise _NeverMatches
            yield _SLASH if pattern[at] == "/" else re.escape(pattern[at])
            at += 1
        else:
            yield re.escape(character)


def _bracket(pattern: str, at: int) -> tuple[str, int]:
    """The expression of a bracket whose content begins at `at`, and where the pattern goes on."""
    negated = pattern[at : at + 1] in ("!", "^")
    at += negated
    ranges: list[str] = []
    previous = ""
    first = True
    while first or pattern[at : at + 1] != "]":
        first = False
        character = pattern[at : at + 1]
        if character == "\\":
            at += 1
            character = pattern[at : at + 1]
        elif character == "-" and previous and pattern[at + 1 : at + 2] not in ("", "]"):
            at += 1
            if pattern[at] == "\\":
                at += 1
            if at >= len(pattern):
                raise _NeverMatches
            if previous <= pattern[at]:
                ranges.append(f"{_in_class(previous)}-{_in_class(pattern[at])}")
            previous = ""
            at += 1
            continue
        elif character == "[" and pattern[at + 1 : at + 2] == ":":
            close = pattern.find("]", at + 2)
            if close < 0:
                raise _NeverMatches
            if pattern[close - 1] == ":" and close - 1 >= at + 2:
                name = pattern[at + 2 : close - 1]
                if name not in _CLASSES:
                    raise _NeverMatches
                ranges.append(_CLASSES[name])
                previous = ""
                at = close + 1
                continue
        if not character:
            raise _NeverMatches
        ranges.append(_in_class(character))
        previous = character
        at += 1
    if negated:
        return f"[^/{''.join(ranges)}]", at + 1
    return (f"(?!/)[{''.join(ranges)}]" if ranges else "(?!)"), at + 1


def _in_class(character: str) -> str:
    return f"\\{character}" if character in "\\]^-[&|~" else character


def _folders(tokens: list[Token]) -> Iterator[str]:
    """The expression around each `**`.

    What stands between two `**` is taken where it first fits and never given back: it ends at the end of a folder
    name, so a later place would serve the rest no better. That keeps matching polynomial for any pattern.
    """
    parts: list[list[Token]] = [[]]
    leading: list[str] = [""]
    at = 0
    while at < len(tokens):
        if tokens[at] is _STARS:
            if at + 1 == len(tokens):
                yield from _assembled(parts, leading)
                yield ".*"
                return
            parts.append([])
            leading.append("(?:[^/]*/)*?")
            at += 2
            continue
        parts[-1].append(tokens[at])
        at += 1
    yield from _assembled(parts, leading)


def _assembled(parts: list[list[Token]], leading: list[str]) -> Iterator[str]:
    for position, (part, before) in enumerate(zip(parts, leading, strict=True)):
        expression = before + "".join(_names(part))
        last = position == len(parts) - 1
        yield expression if last or not before else f"(?>{expression})"


def _names(tokens: list[Token]) -> Iterator[str]:
    """The expression of names and slashes without `**`.

    Between two `*` of a name stands something of fixed length; it, too, is taken where it first fits.
    """
    chunk: list[str] = []
    stars = 0
    for token in [*tokens, None]:
        if isinstance(token, str):
            chunk.append(token)
            continue
        text = "".join(chunk)
        chunk = []
        if stars == 0:
            yield text
        elif token is _STAR:
            yield f"(?>[^/]*?{text})"
        else:
            yield f"[^/]*{text}"
        stars = stars + 1 if token is _STAR else 0
        if token is _SLASH:
            yield "/"
