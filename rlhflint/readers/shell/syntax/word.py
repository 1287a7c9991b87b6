"""Words cut into their parts."""

from __future__ import annotations

import re
from functools import cached_property

from rlhflint.expressions import expression
from rlhflint.readers.shell.syntax.part import (
    Arithmetic,
    Literal,
    Made,
    Parameter,
    Part,
    Placeholder,
    Process,
    Quotation,
    Quoted,
    Substitution,
)
from rlhflint.readers.shell.syntax.quotes import Unclosed
from rlhflint.readers.shell.syntax.source import Source
from rlhflint.records import dataclass

NAME = expression(r"[A-Za-z_]\w*", re.ASCII)
"""The name of a variable."""


@dataclass(frozen=True)
class Word:
    """A word of a command, as it is written."""

    source: Source
    start: int
    end: int

    @cached_property
    def parts(self) -> tuple[Part, ...]:
        """What it is made of."""
        return read_parts(self.source, self.start, self.end)

    @property
    def text(self) -> str:
        """The characters it is written with, quotes included."""
        return self.source.text[self.start : self.end]


_PLAIN = expression(r"[^\"'\\$`<>]+")
_IN_DOUBLE = expression(r"[^\"\\$`]+")
_IN_DOCUMENT = expression(r"[^\\$`]+")
_PARAMETER = expression(r"\$(?:([A-Za-z_]\w*|[0-9@*#?$!-]))", re.ASCII)
_BRACED = expression(r"\$\{([!#]?)([A-Za-z_]\w*|[0-9]+|[@*#?$!-])", re.ASCII)
_OPERATOR = expression(r":?[-=?+]|##?|%%?|//?|\^\^?|,,?|:|@")
_PLACEHOLDER = expression(r"<([A-Za-z_][\w .:/-]{0,60})>(?=([\s\"'\\;)/:]|$)[ \t]*(-|\\?\n|\\?$)?)")


def placeholder(text: str, at: int) -> int | None:
    """The place behind a placeholder such as `<MODEL_PATH>` that begins at `at`.

    A shell would take it for an input redirection followed by an output redirection. Where that may be meant, as in
    `<in.txt> out.txt`, it is None.
    """
    found = _PLACEHOLDER.match(text, at)
    if found is None:
        return None
    name, following, flag_or_end = found.groups()
    meant = name.isupper() or flag_or_end is not None or following not in (" ", "\t")
    return found.end() if meant else None


def read_parts(
    source: Source, start: int, end: int, *, double: bool = False, document: bool = False, argument: bool = False
) -> tuple[Part, ...]:
    """The parts of `source.text[start:end]`.

    Args:
        source: the text.
        start: place of the first character.
        end: place behind the last one.
        double: it stands inside double quotes.
        document: it is the body of a here-document.
        argument: it stands behind the operator of `${…}`, where double quotes have their meaning inside double quotes.
    """
    quoted = double or document
    plain = _PLAIN if not quoted else _IN_DOCUMENT if document else _IN_DOUBLE
    literal = Quoted if quoted and not argument else Literal
    text, place = source.text, start
    parts: list[Part] = []
    while place < end:
        run = plain.match(text, place, end)
        if run is not None:
            parts.append(literal(place, run.end()))
            place = run.end()
            continue
        char = text[place]
        if char == "\\":
            following = text[place + 1 : min(place + 2, end)]
            if following == "\n":
                place += 2
            elif following and (
                not quoted or following in ('$`\\"' if not document else "$`\\") or (argument and following == "}")
            ):
                parts.append(Quoted(place + 1, place + 2))
                place += 2
            else:
                parts.append(Quoted(place, place + 1))
                place += 1
            continue
        try:
            part = _read_part(source, place, end, double=quoted)
        except Unclosed:
            part = None
        if part is None or part.end > end:
            part = literal(place, place + 1)
        parts.append(part)
        place = part.end
    return tuple(parts)


def _read_part(source: Source, place: int, end: int, *, double: bool) -> Part | None:
    """The part that begins with the quote, `$`, `` ` `` or `<` at `place`; None where that stands for itself."""
    text = source.text
    char = text[place]
    if char in "<>":
        if text.startswith("(", place + 1):
            behind = source.quotes.end(place)
            return Process(place, behind, (place + 2, behind - 1))
        behind_it = placeholder(text, place)
        return Placeholder(place, behind_it) if behind_it is not None else None
    behind = source.quotes.end(place, double=double)
    if behind > end:
        return None
    if char == '"':
        return Quotation(place, behind, read_parts(source, place + 1, behind - 1, double=True))
    if char == "'":
        return Quotation(place, behind, (Quoted(place + 1, behind - 1),))
    if char == "`":
        return Substitution(place, behind, (place + 1, behind - 1), backquoted=True)
    following = text[place + 1 : place + 2]
    if following == "(":
        if source.quotes.arithmetic(place + 1) == behind:
            return Arithmetic(place, behind, (place + 3, behind - 2))
        return Substitution(place, behind, (place + 2, behind - 1))
    if following == "[":
        return Arithmetic(place, behind, (place + 2, behind - 1))
    if following == "{":
        return _braced(source, place, behind, double=double)
    if following == "'" and not double:
        return Quotation(place, behind, tuple(_escapes(text, place + 2, behind - 1)))
    if following == '"' and not double:
        return Quotation(place, behind, read_parts(source, place + 2, behind - 1, double=True))
    name = _PARAMETER.match(text, place, end)
    return Parameter(place, name.end(), name[1], double=double) if name else None


def _braced(source: Source, place: int, behind: int, *, double: bool) -> Part:
    """`${…}`. What is written in no way that is known becomes a parameter with the operator `?bad`."""
    text = source.text
    found = _BRACED.match(text, place, behind)
    if text.startswith("${#}", place):
        return Parameter(place, behind, "#", double=double)
    if found is None:
        return Parameter(place, behind, "", operator="?bad", double=double)
    prefix, name = found.groups()
    at = found.end()
    subscript = None
    if text.startswith("[", at):
        closing = source.quotes.subscript(at)
        subscript = (at + 1, closing - 1)
        at = closing
    operator = ""
    if at < behind - 1:
        known = _OPERATOR.match(text, at, behind - 1)
        operator = known.group() if known else "?bad"
        at = known.end() if known else at
    return Parameter(place, behind, name, prefix, subscript, operator, (at, behind - 1), double)


_ESCAPE = expression(
    r"\\(?:([0-7]{1,3})|x([0-9A-Fa-f]{1,2})|u([0-9A-Fa-f]{1,4})|U([0-9A-Fa-f]{1,8})|c(.)|(.))", re.DOTALL
)
_SIMPLE = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "e": "\x1b", "E": "\x1b", "f": "\f", "v": "\v"}


def _escapes(text: str, start: int, end: int) -> list[Part]:
    """The parts of `$'…'` between its quotes."""
    parts: list[Part] = []
    place = start
    while place < end:
        found = _ESCAPE.match(text, place, end)
        if found is None:
            following = text.find("\\", place + 1, end)
            behind = end if following < 0 else following
            parts.append(Quoted(place, behind))
            place = behind
            continue
        octal, two, four, eight, control, other = found.groups()
        code = int(octal, 8) & 255 if octal else int(two or four or eight or "0", 16)
        if control is not None:
            made = chr(ord(control.upper()) & 31) if ord(control) < 128 else control
        elif other is not None:
            made = _SIMPLE.get(other, other if other in "\\'\"?" else "\\" + other)
        else:
            made = chr(code) if 0 < code < 0x110000 and not 0xD800 <= code < 0xE000 else "\ufffd"
        parts.append(Made(place, found.end(), made))
        place = found.end()
    return parts
