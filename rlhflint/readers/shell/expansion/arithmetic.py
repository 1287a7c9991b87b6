"""Arithmetic of the shell: `$((…))`, `((…))`, `let`, subscripts."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rlhflint.readers.shell import unknown
from rlhflint.readers.shell.expansion.expand import Expansion
from rlhflint.readers.shell.expansion.integers import LEVELS, NotKnown, literal, operate, wrapped
from rlhflint.readers.shell.expansion.tokens import ASSIGNMENTS, Tokens
from rlhflint.readers.shell.state import DIALECT
from rlhflint.readers.shell.syntax.source import Source
from rlhflint.records import dataclass
from rlhflint.text import Span, Traced

_MOST_TOKENS = 2_000
_DEEPEST = 16


@dataclass(frozen=True, slots=True)
class _Number:
    """A value; `because` says what may give it another one."""

    value: int
    because: str = ""


def result(expansion: Expansion, text: Traced, span: Span) -> Traced:
    """The value of an expression as a text made by `span`."""
    try:
        value = _Evaluation(expansion, text, span).run()
    except NotKnown as reason:
        return Traced.hole(str(reason), span)
    if value.because:
        return Traced.hole(value.because, span, default=str(value.value))
    return Traced.made(str(value.value), span)


def number(expansion: Expansion, source: Source, start: int, end: int) -> int | None:
    """The value of an expression that stands at `start` to `end`; None if it is not known."""
    text = expansion.arithmetic_text(source, start, end)
    value = result(expansion, text, source.span(start, end))
    return int(value.text) if value.known else None


class _Evaluation:
    def __init__(self, expansion: Expansion, text: Traced, span: Span, depth: int = 0) -> None:
        self.expansion = expansion
        self.state = expansion.state
        self.text = text
        self.span = span
        self.depth = depth
        self.tokens = Tokens(text.text)
        self.level = 0
        self.reasons: list[str] = []
        self.live = True
        """What is evaluated takes effect: it is not the side of `&&`, `||` or `?:` that is passed over."""

    def run(self) -> _Number:
        """The value. Raises `NotKnown`; what the expression may have given another value is not known then either."""
        try:
            return self.whole()
        except NotKnown as reason:
            for name, element in self.tokens.targets():
                hole = Traced.hole(str(reason), self.span, many=element)
                self.state.assign(name, (hole,) if element else hole)
            raise

    def whole(self) -> _Number:
        if not self.tokens:
            return _Number(0)
        if len(self.tokens) > _MOST_TOKENS:
            raise NotKnown("the expression is too long")
        value = self.comma()
        if not self.tokens.ended:
            raise self.not_followed()
        return _Number(value, "; ".join(dict.fromkeys(self.reasons)))

    def not_followed(self) -> NotKnown:
        return NotKnown(f"{unknown.shortened(self.text.text)} is not followed")

    @contextmanager
    def deeper(self) -> Iterator[None]:
        """While it lasts, something nested is evaluated. Raises `NotKnown` where that is too deep."""
        self.level += 1
        if self.level > _DEEPEST:
            raise self.not_followed()
        try:
            yield
        finally:
            self.level -= 1

    def comma(self) -> int:
        value = self.assignment()
        while self.tokens.take(","):
            value = self.assignment()
        return value

    def assignment(self) -> int:
        with self.deeper():
            name = self.tokens.take_target()
            if not name:
                return self.conditional()
            operator = self.tokens.take(*ASSIGNMENTS)
            value = self.assignment()
            if operator != "=":
                value = operate(operator[:-1], self.variable(name), value)
            self.store(name, value)
            return value

    def store(self, name: str, value: int) -> None:
        if not self.live:
            return
        because = "; ".join(dict.fromkeys(self.reasons))
        text = str(value)
        traced = Traced.hole(because, self.span, default=text) if because else Traced.made(text, self.span)
        self.state.assign(name, traced)

    def conditional(self) -> int:
        condition = self.binary(0)
        if not self.tokens.take("?"):
            return condition
        then = self.aside(bool(condition), self.assignment)
        if not self.tokens.take(":"):
            raise self.not_followed()
        otherwise = self.aside(not condition, self.assignment)
        return then if condition else otherwise

    def aside(self, live: bool, parse: Callable[[], int]) -> int:
        """Evaluate a side that counts only if `live`."""
        before, reasons = self.live, len(self.reasons)
        self.live = before and live
        value = parse()
        self.live = before
        if not live:
            del self.reasons[reasons:]
        return value

    def binary(self, level: int) -> int:
        if level == len(LEVELS):
            return self.power()
        value = self.binary(level + 1)
        while operator := self.tokens.take(*LEVELS[level]):
            if operator in ("&&", "||"):
                decided = bool(value) is (operator == "||")
                right = self.aside(not decided, lambda: self.binary(level + 1))
                value = int(bool(value)) if decided else int(bool(right))
            else:
                right = self.binary(level + 1)
                value = operate(operator, value, right) if self.live else 0
        return value

    def power(self) -> int:
        value = self.unary()
        if self.tokens.take("**"):
            with self.deeper():
                exponent = self.power()
            if not 0 <= exponent <= 64 or abs(value) > 1 << 64:
                raise self.not_followed()
            return wrapped(value**exponent)
        return value

    def unary(self) -> int:
        operator = self.tokens.take("-", "+", "!", "~", "++", "--")
        if not operator:
            return self.primary()
        with self.deeper():
            if operator in ("++", "--"):
                if not (name := self.tokens.take_name()):
                    raise self.not_followed()
                value = wrapped(self.variable(name) + (1 if operator == "++" else -1))
                self.store(name, value)
                return value
            value = self.unary()
        return {"-": -value, "+": value, "!": int(not value), "~": ~value}[operator]

    def primary(self) -> int:
        if self.tokens.take("("):
            return self.bracketed(")")
        if name := self.tokens.take_name():
            return self.named(name)
        if digits := self.tokens.take_number():
            return literal(digits, self.not_followed())
        if (hole := self.tokens.take_hole()) is not None:
            return self.hole(hole)
        raise self.not_followed()

    def bracketed(self, closing: str) -> int:
        """The value of what stands before a closing bracket."""
        with self.deeper():
            value = self.comma()
        if not self.tokens.take(closing):
            raise self.not_followed()
        return value

    def named(self, name: str) -> int:
        if self.tokens.take("["):
            return self.indexed(name)
        value = self.variable(name)
        if operator := self.tokens.take("++", "--"):
            self.store(name, wrapped(value + (1 if operator == "++" else -1)))
        return value

    def indexed(self, name: str) -> int:
        index = self.bracketed("]")
        variable = self.state.variable(name)
        if self.state.get(DIALECT) is not None:
            raise self.not_followed()
        if variable is None or not self.live:
            raise NotKnown(unknown.environment(name))
        elements = variable.elements
        if isinstance(variable.value, dict) or any(word.many for word in elements):
            raise self.not_followed()
        word = elements[index] if -len(elements) <= index < len(elements) else Traced()
        return self.nested(word)

    def variable(self, name: str) -> int:
        from rlhflint.readers.shell.expansion.lookup import value_of

        value = value_of(self.expansion, name, self.span)
        return self.nested(value if value is not None else Traced())

    def nested(self, text: Traced) -> int:
        """The value of what a variable holds, itself an expression."""
        if not self.live:
            return 0
        if self.depth > 8:
            raise self.not_followed()
        value = _Evaluation(self.expansion, text, self.span, self.depth + 1).run()
        if value.because:
            self.reasons.append(value.because)
        return value.value

    def hole(self, at: int) -> int:
        piece = self.text[at : at + 1].pieces[0]
        if piece.default is None or not re.fullmatch(r"\s*-?[0-9]{1,18}\s*", piece.default, re.ASCII):
            if not self.live:
                return 0
            raise NotKnown(piece.because or "a part of the expression is not known")
        self.reasons.append(piece.because or "")
        return int(piece.default)
