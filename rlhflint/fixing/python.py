"""Changes of arguments in Python, and of the keys and attributes that become arguments."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from rlhflint.call import Argument, Origin
from rlhflint.expressions import expression
from rlhflint.finding import Edit
from rlhflint.fixing.doubt import Doubt
from rlhflint.proposal import Add, Change, Remove, Rename, Replace, Rewrite, SetValue
from rlhflint.text import Span

if TYPE_CHECKING:
    from rlhflint.call import Call
    from rlhflint.source import Source

_BLANKS = " \t"
_BEHIND = expression(r"(?P<blank>[ \t]*)(?P<comma>,?)(?P<after>[ \t]*)(?P<comment>#[^\r\n]*)?(?P<end>\r?\n|\Z)?")


def edits(change: Change, argument: Argument, source: Source) -> list[Edit]:
    """The edits that make one change of an argument. Raises `Doubt` where it is not certain what they would do."""
    text = _Text(source, argument)
    match change:
        case Rename(_, (name,)):
            return [Edit(text.name(), text.named(name))]
        case Rename(_, names):
            return [Edit(text.name(), names[0]), *text.behind([(name, text.value()) for name in names[1:]])]
        case SetValue(_, value):
            return [Edit(text.value_span(), literal(value, text.quote))]
        case Remove():
            return [text.removal()]
        case Replace(_, by):
            return text.replaced(by)
        case Add(name, value, _):
            return text.behind([(name, literal(value, text.quote))])
        case Rewrite(span, other):
            return [Edit(span, other)]
    raise Doubt(f"no edit is known for {type(change).__name__}")


def written_value(argument: Argument, source: Source) -> str:
    """The value of an argument as it is written. Raises `Doubt` where it is not."""
    return _Text(source, argument).value()


def quote_of(source: Source) -> str:
    """The quotes that a file writes text with."""
    if source.path.endswith(".ipynb"):
        return '"'
    return "'" if source.text.count("'") > source.text.count('"') else '"'


def behind_last(call: Call, pairs: Sequence[tuple[str, str]], source: Source) -> list[Edit]:
    """Further keyword arguments of a call, behind its last one. Raises `Doubt` where it has none with a name."""
    last = max(call.arguments, key=lambda one: one.span.start, default=None)
    if last is None or last.origin is not Origin.KEYWORD:
        raise Doubt("the call has no argument to write it behind")
    return _Text(source, last).behind(pairs)


def literal(value: object, quote: str = '"') -> str:
    """A value as Python writes it. Raises `Doubt` for one that is no plain data."""
    if isinstance(value, str):
        if value.isprintable() and "\\" not in value and quote not in value:
            return f"{quote}{value}{quote}"
        return repr(value)
    if value is None or isinstance(value, (bool, int, float)):
        return repr(value)
    if isinstance(value, (list, tuple)):
        inside = ", ".join(literal(item, quote) for item in value)
        return f"[{inside}]" if isinstance(value, list) else f"({inside}{',' * (len(value) == 1)})"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{literal(key, quote)}: {literal(item, quote)}" for key, item in value.items()) + "}"
    raise Doubt("the value cannot be written as a literal")


class _Around(NamedTuple):
    """What stands around an argument on its lines."""

    line: int
    """Where its first line starts."""
    blank: bool
    """Nothing but blanks stands before it there."""
    comma: int
    """Behind its comma; behind the argument where there is none."""
    has_comma: bool
    comment: bool
    end: int | None
    """Behind the end of its last line, if nothing but a comment stands there besides; None otherwise."""


class _Text:
    """One argument in the text of its file."""

    def __init__(self, source: Source, argument: Argument) -> None:
        self.text = source.text
        self.argument = argument
        self.path = source.path
        self.notebook = source.path.endswith(".ipynb")
        self.quote = quote_of(source)

    def name(self) -> Span:
        """The characters of the name; the place for it where the argument has none."""
        span = self.argument.name_span
        if self.argument.origin is Origin.POSITION:
            return Span(self.path, self.argument.span.start, self.argument.span.start)
        if span is None or not self.argument.renamable or self.text[span.start : span.end] != self.argument.name:
            raise Doubt(f"the name {self.argument.name} is not written out")
        return span

    def named(self, name: str) -> str:
        """A name as it is written there."""
        return f"{name}=" if self.argument.origin is Origin.POSITION else name

    def value_span(self) -> Span:
        """The characters of the value where it is given."""
        span = self.argument.value_span
        if span is None or span.path != self.path:
            raise Doubt(f"the value of {self.argument.name} is not written out")
        return span

    def value(self) -> str:
        """The value as it is written; in a notebook, as the cell has it."""
        span = self.value_span()
        raw = self.text[span.start : span.end]
        return str(json.loads(f'"{raw}"')) if self.notebook else raw

    def written(self, name: str, value: str) -> str:
        """Another argument, written as this one is."""
        match self.argument.origin:
            case Origin.KEYWORD:
                return f"{name}={value}"
            case Origin.KEY:
                span = self.name()
                quote = self.text[span.start - 1 : span.start]
                if quote not in ("'", '"'):
                    raise Doubt(f"the key {self.argument.name} is not written out")
                return f"{quote}{name}{quote}: {value}"
        raise Doubt(f"nothing is written beside {self.argument.name}, which is set on its own")

    def around(self) -> _Around:
        """What stands around the argument."""
        span = self.argument.span
        line = self.text.rfind("\n", 0, span.start) + 1
        if self.notebook:
            opening = self.text.find('"', line)
            line = opening + 1 if 0 <= opening < span.start else line
        match = _BEHIND.match(self.text, span.end)
        if match is None:
            raise Doubt(f"it is not known where {self.argument.name} ends")
        return _Around(
            line,
            not self.text[line : span.start].strip(_BLANKS),
            match.end("comma"),
            bool(match["comma"]),
            match["comment"] is not None,
            match.end() if match["end"] is not None and (match["comma"] or not self.notebook) else None,
        )

    def removal(self) -> Edit:
        """The argument taken out with its comma; a comment that stands behind it stays."""
        if self.argument.origin not in (Origin.KEYWORD, Origin.KEY, Origin.POSITION):
            raise Doubt(f"{self.argument.name} is set by a statement of its own")
        span, around = self.argument.span, self.around()
        if around.blank and around.end is not None and not around.comment:
            return Edit(Span(self.path, around.line, around.end), "")
        if around.has_comma:
            end = around.comma
            while (not around.blank or around.comment) and self.text[end : end + 1] in (" ", "\t"):
                end += 1
            return Edit(Span(self.path, span.start, end), "")
        start = span.start
        while self.text[start - 1 : start].isspace():
            start -= 1
        if self.text[start - 1 : start] == ",":
            return Edit(Span(self.path, start - 1, span.end), "")
        if self.text[start - 1 : start] in ("(", "{"):
            return Edit(Span(self.path, span.start, span.end), "")
        raise Doubt(f"a comment stands in front of {self.argument.name}")

    def behind(self, more: Sequence[tuple[str, str]]) -> list[Edit]:
        """Further arguments behind this one: on lines of their own where this one has its own."""
        if not more:
            return []
        span, around = self.argument.span, self.around()
        written = [self.written(name, value) for name, value in more]
        if not around.blank or around.end is None or self.notebook:
            return [Edit(Span(self.path, span.end, span.end), "".join(f", {one}" for one in written))]
        indent = self.text[around.line : span.start]
        end = self.text.find("\n", span.end)
        end = len(self.text) if end < 0 else end
        newline = "\r\n" if self.text[end - 1 : end] == "\r" else "\n"
        end -= len(newline) - 1
        lines = "".join(f"{newline}{indent}{one}," for one in written)
        if around.has_comma:
            return [Edit(Span(self.path, end, end), lines)]
        if end == span.end:
            return [Edit(Span(self.path, end, end), f",{lines[:-1]}")]
        return [Edit(Span(self.path, span.end, span.end), ","), Edit(Span(self.path, end, end), lines[:-1])]

    def replaced(self, by: Sequence[tuple[str, tuple[object, ...] | None]]) -> list[Edit]:
        """Other arguments in the place of this one."""
        if not by:
            return [self.removal()]
        values = [(name, self.value() if given is None else self._literal(given)) for name, given in by]
        made = [Edit(self.name(), values[0][0]), *self.behind(values[1:])]
        if by[0][1] is not None:
            made.insert(1, Edit(self.value_span(), values[0][1]))
        return made

    def _literal(self, given: tuple[object, ...]) -> str:
        return literal(given[0] if len(given) == 1 else list(given), self.quote)
