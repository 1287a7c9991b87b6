"""Changes of arguments in Python, and of the keys and attributes that become arguments."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from rlhflint.call import Argument, Origin
from rlhflint.finding import Edit
from rlhflint.fixing.doubt import Doubt
from rlhflint.fixing.python_text import python_of
from rlhflint.proposal import Add, Change, Move, Remove, Rename, Replace, SetValue
from rlhflint.text import Span

if TYPE_CHECKING:
    from rlhflint.source import Source


class Removed(NamedTuple):
    """An argument or key to take out; `moved`: its value goes elsewhere, with the comments in it."""

    span: Span
    moved: bool = False


class Inserted(NamedTuple):
    """A keyword argument or key to add, its value as Python source.

    `behind` are the characters of an argument or key, or where `last` those of a call, whose last argument it becomes.
    `moved` are those of the argument that it was; the comment at the end of its line comes along.
    """

    behind: Span
    name: str
    value: str
    last: bool = False
    moved: Span | None = None


class Named(NamedTuple):
    """An argument without a name that gets one: others in front of it may go."""

    span: Span
    name: str


Rearranged: TypeAlias = Removed | Inserted | Named


def edits(change: Change, argument: Argument, source: Source) -> list[Edit]:
    """The edits of names and values that one change of an argument takes, besides what `rearranged` gives.

    Raises `Doubt` where it is not certain what they would do.
    """
    text = _Text(source, argument)
    match change:
        case Rename() if argument.origin is Origin.POSITION:
            return []
        case Rename(_, (name, *_)):
            return [Edit(text.name(), name)]
        case SetValue(_, value):
            return [Edit(text.value_span(), literal(value, text.quote))]
        case Replace(_, ((name, given), *_)):
            value_edits = [] if given is None else [Edit(text.value_span(), text.literal(given))]
            return [Edit(text.name(), text.named(name)), *value_edits]
        case Remove() | Move() | Replace() | Add():
            return []
    raise Doubt(f"no edit is known for {type(change).__name__}")


def rearranged(change: Change, argument: Argument, source: Source) -> Iterator[Rearranged]:
    """The arguments, or keys of a dictionary, that one change takes out, names, and writes behind this one.

    Raises `Doubt`.
    """
    text = _Text(source, argument)
    match change:
        case Remove() | Move() | Replace(_, ()):
            yield Removed(text.removable(), isinstance(change, Move))
        case Rename(_, (first, *names)):
            if argument.origin is Origin.POSITION:
                yield Named(argument.span, first)
            for name in names:
                yield Inserted(text.beside(), name, text.value())
        case Replace(_, (_, *others)):
            for name, given in others:
                yield Inserted(text.beside(), name, text.value() if given is None else text.literal(given))
        case Add(name, value, _):
            yield Inserted(text.beside(), name, literal(value, text.quote))


def written_value(argument: Argument, source: Source) -> str:
    """The value of an argument as it is written. Raises `Doubt` where it is not."""
    return _Text(source, argument).value()


def quote_of(source: Source) -> str:
    """The quotes that a file writes text with."""
    if source.path.endswith(".ipynb"):
        return '"'
    return "'" if source.text.count("'") > source.text.count('"') else '"'


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


class _Text:
    """One argument in the text of its file."""

    def __init__(self, source: Source, argument: Argument) -> None:
        self.source = source
        self.text = source.text
        self.argument = argument
        self.path = source.path
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
        return python_of(self.source, span).written(span)

    def removable(self) -> Span:
        """The characters of an argument that can be taken out of a call or dictionary."""
        if self.argument.origin not in (Origin.KEYWORD, Origin.KEY, Origin.POSITION):
            raise Doubt(f"{self.argument.name} is set by a statement of its own")
        return self.argument.span

    def beside(self) -> Span:
        """The characters of an argument that others can be written behind."""
        if self.argument.origin not in (Origin.KEYWORD, Origin.KEY):
            raise Doubt(f"nothing is written beside {self.argument.name}, which is set on its own")
        return self.argument.span

    def literal(self, given: tuple[object, ...]) -> str:
        """A value that is given instead, as Python writes it."""
        return literal(given[0] if len(given) == 1 else list(given), self.quote)
