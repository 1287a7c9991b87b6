"""Relations between words: equal, empty, a file, a pattern; asked where the words are not known."""

from __future__ import annotations

import re

from rlhflint.expressions import expression
from rlhflint.readers.shell import unknown
from rlhflint.readers.shell.decision import Test
from rlhflint.readers.shell.expansion.expand import Expansion
from rlhflint.readers.shell.expansion.fields import Segments, pattern_of
from rlhflint.readers.shell.expansion.pattern import NotMatched
from rlhflint.readers.shell.syntax.part import Parameter, Quotation
from rlhflint.readers.shell.syntax.word import Word
from rlhflint.readers.shell.unknown import identity
from rlhflint.records import dataclass
from rlhflint.text import Span, Traced

_FILE_TESTS = {"-d": "is a folder", "-x": "is executable", "-s": "is a file that is not empty", "-L": "is a link"}
_NUMBER = expression(r"\s*[-+]?\d{1,18}\s*", re.ASCII)
COMPARISONS: dict[str, tuple[str, bool, str]] = {
    "-eq": ("number", True, "is"),
    "-ne": ("number", False, "is"),
    "-lt": ("less", True, "is less than"),
    "-ge": ("less", False, "is less than"),
    "-gt": ("greater", True, "is greater than"),
    "-le": ("greater", False, "is greater than"),
}
_QUANTIFIERS = expression(r"(?<!\\)[*+{]")


@dataclass(frozen=True, slots=True)
class Operand:
    """One side of a test, and what it is called in a sentence; `segments` where it may be a pattern.

    `written` is the word as it stands between `[[` and `]]`, where that tells operators from what is tested.
    """

    text: Traced
    called: str
    segments: Segments | None = None
    written: str | None = None


def ask(
    expansion: Expansion, kind: str, subject: tuple[object, ...], value: str, span: Span, yes: str, no: str
) -> bool:
    """The answer to a question about something unknown. Raises `Undecided` where it is open on this way."""
    from rlhflint.readers.shell.decision import Undecided

    decision = expansion.reading.register.test(kind, subject, value, span, yes, no)
    answer = expansion.state.answers.truth(decision)
    if answer is None:
        raise Undecided(decision)
    return answer


def called(word: Word) -> str:
    """What a word is called in a sentence: the variable it is, or as it is written."""
    parts = word.parts
    if len(parts) == 1 and isinstance(parts[0], Quotation):
        parts = parts[0].parts
    if len(parts) == 1 and isinstance(parts[0], Parameter) and not parts[0].prefix and parts[0].subscript is None:
        name = parts[0].name
        return name if name[:1].isalpha() or name[:1] == "_" else f"${name}"
    return unknown.shortened(word.text)


class Relations:
    """Evaluates single relations between words, in one state and for one statement."""

    def __init__(self, expansion: Expansion, span: Span) -> None:
        self.expansion = expansion
        self.span = span

    def unary(self, operator: str, operand: Operand) -> bool:
        """`-z`, `-n`, `-f` and their like."""
        from rlhflint.readers.shell.expansion.lookup import emptiness

        text = operand.text
        if operator in ("-z", "-n"):
            empty = emptiness(text)
            if empty is None:
                yes, no = f"{operand.called} is not set", f"{operand.called} is set"
                empty = ask(self.expansion, "empty", identity(text), "", self.span, yes, no)
            return empty is (operator == "-z")
        if operator == "-v":
            return self._is_set(operand)
        what = _FILE_TESTS.get(operator, "exists")
        name = unknown.shortened(text.text) if text.known else operand.called
        yes, no = f"{name} {what}", f"not ({name} {what})"
        if operator in ("-e", "-f"):
            operator, no = "-e", f"{name} does not exist"
        return ask(self.expansion, operator, identity(text), "", self.span, yes, no)

    def _is_set(self, operand: Operand) -> bool:
        variable = self.expansion.state.variable(operand.text.text) if operand.text.known else None
        if variable is not None:
            return variable.value is not None
        name = operand.text.text
        yes, no = f"{name} is not set", f"{name} is set"
        return not ask(self.expansion, "empty", (unknown.environment(name),), "", self.span, yes, no)

    def binary(self, left: Operand, operator: str, right: Operand) -> bool:
        """`=`, `!=`, `-eq`, `=~` and their like; `right` has segments where it is a pattern."""
        if operator in COMPARISONS:
            return self._comparison(left, operator, right)
        if operator in ("=", "==", "!="):
            return self.matches(left, right) is not (operator == "!=")
        if operator == "=~":
            return self._expression(left, right)
        if operator in "<>" and left.text.known and right.text.known:
            return left.text.text < right.text.text if operator == "<" else left.text.text > right.text.text
        return self._open(left, operator, right)

    def _open(self, left: Operand, operator: str, right: Operand) -> bool:
        words = f"{left.called} {operator} {right.called}"
        subject = (*identity(left.text), operator, *identity(right.text))
        return ask(self.expansion, "relation", subject, "", self.span, words, f"not ({words})")

    def matches(self, left: Operand, right: Operand) -> bool:
        """Whether a text equals a word, or matches a pattern."""
        literal = right.segments is None or pattern_literal(right.segments) is not None
        if literal and identity(left.text) == identity(right.text):
            return True
        pattern = None
        if right.segments is not None and right.text.known:
            try:
                pattern = pattern_of(right.segments)
            except NotMatched:
                return self._open(left, "matches", right)
            if pattern.literal is None:
                return self._pattern(left, right)
        if left.text.known and right.text.known:
            value = right.text.text if pattern is None else pattern.literal
            return left.text.text == value
        if left.text.known:
            left, right = right, left
        if not right.text.known:
            return self._open(left, "is", right)
        value = right.text.text
        if not value:
            return self.unary("-z", left)
        written = unknown.shortened(value)
        words = (f"{left.called} is {written}", f"{left.called} is not {written}")
        return ask(self.expansion, "equals", identity(left.text), value, self.span, *words)

    def _pattern(self, left: Operand, right: Operand) -> bool:
        pattern = pattern_of(right.segments or [])
        if pattern.matches("") and all(pattern.matches(probe) for probe in ("a", "/-b c")) and right.text.text == "*":
            return True
        if left.text.known:
            try:
                return pattern.matches(left.text.text)
            except NotMatched:
                return self._open(left, "matches", right)
        subject = identity(left.text)
        for decision, answer in self.expansion.state.answers.items():
            if answer and isinstance(decision, Test) and decision.subject == subject and decision.kind == "equals":
                return pattern.matches(decision.value)
        written = unknown.shortened(right.text.text)
        words = (f"{left.called} matches {written}", f"not ({left.called} matches {written})")
        return ask(self.expansion, "matches", subject, right.text.text, self.span, *words)

    def _comparison(self, left: Operand, operator: str, right: Operand) -> bool:
        kind, positive, words = COMPARISONS[operator]
        one, two = self._number(left), self._number(right)
        if one is not None and two is not None:
            found = one == two if kind == "number" else one < two if kind == "less" else one > two
            return found is positive
        if two is None:
            subject: tuple[object, ...] = (*identity(left.text), "to", *identity(right.text))
            value = ""
        else:
            subject, value = identity(left.text), str(two)
        sentence = f"{left.called} {words} {right.called if two is None else value}"
        opposite = f"{left.called} is not {value}" if kind == "number" and value else f"not ({sentence})"
        return ask(self.expansion, kind, subject, value, self.span, sentence, opposite) is positive

    def _number(self, operand: Operand) -> int | None:
        text = operand.text
        if not text.known or not _NUMBER.fullmatch(text.text):
            return None
        return int(text.text)

    def _expression(self, left: Operand, right: Operand) -> bool:
        """`=~`, evaluated where the expression is simple enough to take no time."""
        text = right.text.text
        if left.text.known and right.text.known and len(_QUANTIFIERS.findall(text)) <= 1 and len(left.text) <= 1000:
            try:
                return (
                    re.search(text.replace("[[:digit:]]", "[0-9]").replace("[[:space:]]", r"\s"), left.text.text)
                    is not None
                )
            except (re.error, OverflowError):
                pass
        return self._open(left, "matches", right)


def pattern_literal(segments: Segments) -> str | None:
    """The only text a pattern matches, None if there are several or it cannot be told."""
    try:
        return pattern_of(segments).literal
    except NotMatched:
        return None
