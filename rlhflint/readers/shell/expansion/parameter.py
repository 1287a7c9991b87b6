"""`$name` and `${…}` expanded."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from rlhflint.expressions import expression
from rlhflint.readers.shell import unknown
from rlhflint.readers.shell.expansion.edit import edited
from rlhflint.readers.shell.expansion.expand import Expansion
from rlhflint.readers.shell.expansion.fields import BREAK, Segment, Segments
from rlhflint.readers.shell.expansion.lookup import (
    Value,
    element,
    emptiness,
    is_empty,
    keys,
    length_of,
    single,
    value_of,
)
from rlhflint.readers.shell.expansion.slices import bounds_of, sliced_list, sliced_text
from rlhflint.readers.shell.state import DIALECT, Gaps, Reference
from rlhflint.readers.shell.syntax.part import Parameter
from rlhflint.readers.shell.syntax.source import Source
from rlhflint.readers.shell.syntax.word import NAME, read_parts
from rlhflint.text import Traced

_FLAGS = expression(r"(?:^|\s)-[-A-Za-z]")
_SEVERAL = expression(r"\s|^-[-A-Za-z]")
_NAME = expression(r"[A-Za-z_]\w*|[0-9]+|@|\*", re.ASCII)


def expand_parameter(expansion: Expansion, source: Source, part: Parameter, *, quoted: bool) -> Segments:
    """What a parameter expands to; `quoted` is whether it stands inside double quotes."""
    return Expander(expansion, source, part, quoted).run()


class Expander:
    """One parameter at one place of a script."""

    def __init__(self, expansion: Expansion, source: Source, part: Parameter, quoted: bool) -> None:
        self.expansion = expansion
        self.state = expansion.state
        self.source = source
        self.part = part
        self.quoted = quoted
        self.span = source.span(part.start, part.end)

    def run(self) -> Segments:
        part = self.part
        if self.state.get(DIALECT) is not None:
            from rlhflint.readers.shell.expansion.zsh import expanded

            return expanded(self)
        if part.operator == "?bad" and part.prefix != "!":
            return self.one(Traced.hole(f"{self.written} is not followed", self.span))
        if part.prefix == "#":
            return self.one(self.length())
        if part.prefix == "!":
            return self.indirect()
        subscript = self.subscript_text()
        if part.name in "@*" or subscript in ("@", "*"):
            return self.list_of(self.elements(), star="*" in (part.name, subscript))
        return self.scalar(self.value(subscript))

    @property
    def written(self) -> str:
        return self.source.text[self.part.start : self.part.end]

    def one(self, value: Value) -> Segments:
        return [Segment(value if value is not None else Traced(), self.quoted)]

    # --- what the parameter holds -----------------------------------------------------------------------------------

    def subscript_text(self) -> str:
        if self.part.subscript is None:
            return ""
        return self.source.text[slice(*self.part.subscript)].strip()

    def value(self, subscript: str) -> Value:
        if not subscript:
            return value_of(self.expansion, self.part.name, self.span)
        variable = self.state.variable(self.part.name)
        if variable is None:
            if self.part.name == "BASH_SOURCE":
                return Traced.hole(unknown.SCRIPT, self.span)
            return Traced.hole(unknown.environment(self.part.name), self.span)
        return element(self.expansion, variable, self.source, self.part.subscript or (0, 0), self.span)

    def elements(self) -> Sequence[Traced]:
        if self.part.name in "@*":
            words = self.state.arguments.words
            return [Traced.hole(word.because, self.span, many=True) if word.many else word for word in words]
        variable = self.state.variable(self.part.name)
        if variable is None:
            return [Traced.hole(unknown.environment(self.part.name), self.span, many=True)]
        return variable.elements

    def length(self) -> Traced:
        subscript = self.subscript_text()
        if self.part.name in "@*" or subscript in ("@", "*"):
            words = self.elements()
            count = length_of(words, self.span)
            return count if count is not None else Traced.hole(Traced(words[-1].pieces).because, self.span)
        value = self.value(subscript)
        return self.computed(value or Traced(), lambda text: str(len(text)))

    def computed(self, value: Traced, work: Callable[[str], str | None]) -> Traced:
        """A text worked out from a value, or from its default."""
        text = value.default
        result = work(text) if text is not None else None
        if result is None:
            return Traced.hole(value.because or f"{self.written} is not followed", self.span)
        if value.known:
            return Traced.made(result, self.span)
        return Traced.hole(value.because, self.span, default=result)

    def indirect(self) -> Segments:
        part, subscript = self.part, self.subscript_text()
        if subscript in ("@", "*"):
            variable = self.state.variable(part.name)
            if variable is None:
                return self.one(Traced.hole(unknown.environment(part.name), self.span))
            for word in variable.elements:
                if word.many:
                    return self.one(Traced.hole(word.because, self.span))
            return self.list_of([Traced.made(key, self.span) for key in keys(variable)], star=subscript == "*")
        if part.subscript is None and isinstance(self.state.get(part.name), Reference):
            from rlhflint.readers.shell.references import name_of

            return self.scalar(name_of(self.state, part.name, self.span))
        name = self.value(subscript)
        if name is None or not name.known or not _NAME.fullmatch(name.text) or part.operator == "?bad":
            return self.one(Traced.hole(f"{self.written} names a variable that is not known", self.span))
        named = replace(part, name=name.text, prefix="", subscript=None)
        return Expander(self.expansion, self.source, named, self.quoted).run()

    # --- lists ------------------------------------------------------------------------------------------------------

    def list_of(self, words: Sequence[Traced], *, star: bool) -> Segments:
        operator = self.part.operator
        if operator in ("-", ":-", "+", ":+", "=", ":=", "?", ":?"):
            given = self.has_words(words)
            if operator.endswith("+"):
                return self.argument() if given else []
            if operator.endswith(("-", "=")) and not given:
                return self.argument()
        elif operator == ":":
            words = self.slice_of(words)
        elif operator:
            words = [edited(self.expansion, self.source, self.part, word, self.span) for word in words]
        if star and self.quoted:
            return self.one(self.star(words))
        segments: Segments = []
        for index, word in enumerate(words):
            segments += [BREAK] if index else []
            segments.append(Segment(word, self.quoted))
        return segments

    def star(self, words: Sequence[Traced]) -> Traced:
        separator = Traced.made(self.expansion.separators()[:1], None)
        whole = Traced()
        for index, word in enumerate(words):
            whole = whole + separator + word if index else word
        return single(whole) or whole

    def has_words(self, words: Sequence[Traced]) -> bool:
        if not words or not all(word.many for word in words):
            return bool(words)
        return not self.is_empty(Traced(words[0].pieces), self.called)

    def slice_of(self, words: Sequence[Traced]) -> Sequence[Traced]:
        bounds = bounds_of(self.expansion, self.source, self.part)
        variable = self.state.variable(self.part.name)
        # In which order a shell keeps the elements of an associative array cannot be told.
        disordered = variable is not None and isinstance(variable.value, dict) and not isinstance(variable.value, Gaps)
        if bounds is None or disordered or any(word.many for word in words):
            return [Traced.hole(f"{self.written} is not followed", self.span, many=True)]
        return sliced_list(words, bounds, variable, positional=self.part.name in "@*")

    # --- one value --------------------------------------------------------------------------------------------------

    def scalar(self, value: Value) -> Segments:
        match self.part.operator:
            case "":
                return self.one(value)
            case "-" | ":-" | "=" | ":=":
                return self.with_default(value)
            case "+" | ":+":
                return self.argument() if self.given(value) else self.one(Traced())
            case "?" | ":?":
                return self.one(value if value is not None else Traced.hole(f"{self.written} is not set", self.span))
            case ":":
                return self.one(self.substring(value or Traced()))
            case _:
                return self.one(edited(self.expansion, self.source, self.part, value or Traced(), self.span))

    def argument(self) -> Segments:
        """The text behind the operator. Outside quotes it is split like everything that is put in."""
        start, end = self.part.argument
        parts = read_parts(self.source, start, end, double=self.part.double, argument=True)
        segments = self.expansion.segments(self.source, parts, quoted=self.quoted)
        return [replace(one, written=False) if one is not BREAK and one.written else one for one in segments]

    def given(self, value: Value) -> bool:
        """Whether `${name+…}` or `${name:+…}` takes its argument."""
        if not self.part.operator.startswith(":") and value is not None and (value.known or value.default is not None):
            return True
        return not self.is_empty(value, self.called)

    @property
    def called(self) -> str:
        """What the parameter is called in a sentence."""
        name = self.part.name
        return name if NAME.fullmatch(name) else f"${name}"

    def is_empty(self, value: Value, called: str) -> bool:
        """Whether a value is not set or empty. Raises `Undecided` where that is not known."""
        return is_empty(self.expansion, value, called, self.span)

    def with_default(self, value: Value) -> Segments:
        operator = self.part.operator
        segments: Segments
        if value is None:
            segments = self.argument()
        elif emptiness(value) is False or (not operator.startswith(":") and value.known):
            return self.one(value)
        elif emptiness(value):
            segments = self.argument()
        else:
            default = self.expansion.joined(self.argument())
            if not (_FLAGS if self.quoted else _SEVERAL).search(default.text):
                # One word: the value is this unless something outside gives another one.
                segments = self.one(Traced.hole(value.because, self.span, default=default.default))
            elif self.is_empty(value, self.called):
                segments = self.argument()
            else:
                segments = self.one(Traced.hole(value.because, self.span))
        if operator.endswith("=") and self.part.subscript is None and not self.part.name.isdigit():
            self.state.assign(self.part.name, self.expansion.joined(segments))
        return segments

    def substring(self, value: Traced) -> Traced:
        bounds = bounds_of(self.expansion, self.source, self.part)
        if bounds is None or not value.known:
            return self.computed(value, lambda _: None)
        return sliced_text(value, bounds)
