"""Tests of the shell evaluated: `[ … ]`, `test`, `[[ … ]]`, the patterns of `case`."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rlhflint.readers.shell import unknown
from rlhflint.readers.shell.decision import Test
from rlhflint.readers.shell.expansion.expand import Expansion, Segments, pattern_of
from rlhflint.readers.shell.expansion.pattern import NotMatched
from rlhflint.readers.shell.syntax.word import Parameter, Quotation, Word
from rlhflint.readers.shell.unknown import identity
from rlhflint.text import Span, Traced

_FILE_TESTS = {"-d": "is a folder", "-x": "is executable", "-s": "is a file that is not empty", "-L": "is a link"}
_NUMBER = re.compile(r"\s*[-+]?\d{1,18}\s*", re.ASCII)
_COMPARISONS: dict[str, tuple[str, bool, str]] = {
    "-eq": ("number", True, "is"),
    "-ne": ("number", False, "is"),
    "-lt": ("less", True, "is less than"),
    "-ge": ("less", False, "is less than"),
    "-gt": ("greater", True, "is greater than"),
    "-le": ("greater", False, "is greater than"),
}
_UNARY = frozenset("-" + letter for letter in "abcdefghknoprstuvwxzGLNORS")
_BINARY = frozenset(("=", "==", "!=", "=~", "<", ">", "-nt", "-ot", "-ef", *_COMPARISONS))
_QUANTIFIERS = re.compile(r"(?<!\\)[*+{]")


@dataclass(frozen=True, slots=True)
class Operand:
    """One side of a test, and what it is called in a sentence; `segments` where it may be a pattern."""

    text: Traced
    called: str
    segments: Segments | None = None


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


class Conditions:
    """Evaluates tests in one state, for one statement."""

    def __init__(self, expansion: Expansion, span: Span) -> None:
        self.expansion = expansion
        self.span = span

    # --- relations --------------------------------------------------------------------------------------------------

    def unary(self, operator: str, operand: Operand) -> bool:
        """`-z`, `-n`, `-f` and their like."""
        from rlhflint.readers.shell.expansion.parameter import emptiness

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
        if operator in _COMPARISONS:
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
        kind, positive, words = _COMPARISONS[operator]
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

    # --- `[ … ]` ----------------------------------------------------------------------------------------------------

    def test(self, operands: Sequence[Operand]) -> bool:
        """`[ … ]` or `test …` with these arguments, as POSIX has it: by their number, else by precedence."""
        if not operands:
            return False
        if len(operands) == 1:
            return self.unary("-n", operands[0])
        first, second = _operator(operands[0]), _operator(operands[1])
        if len(operands) == 2:
            if first == "!":
                return not self.test(operands[1:])
            return self.unary(first, operands[1]) if first in _UNARY else self._open_list(operands)
        if len(operands) == 3:
            if second in _BINARY:
                return self.binary(operands[0], second, operands[2])
            if first == "!":
                return not self.test(operands[1:])
            if first == "(" and _operator(operands[2]) == ")":
                return self.test(operands[1:2])
        if len(operands) == 4 and first == "!":
            return not self.test(operands[1:])
        parser = _Parser(self, list(operands), classic=True)
        value = parser.run()
        return value if value is not None else self._open_list(operands)

    def _open_list(self, operands: Sequence[Operand]) -> bool:
        if all(operand.text.known for operand in operands):
            # The shell complains about such a test, and takes it for one that fails.
            return False
        words = " ".join(operand.called for operand in operands)
        subject = tuple(part for operand in operands for part in identity(operand.text))
        return ask(self.expansion, "test", subject, "", self.span, words, f"not ({words})")

    def extended(self, operands: Sequence[Operand]) -> bool:
        """`[[ … ]]` with these words between the brackets."""
        value = _Parser(self, list(operands), classic=False).run()
        return value if value is not None else self._open_list(operands)


def pattern_literal(segments: Segments) -> str | None:
    """The only text a pattern matches, None if there are several or it cannot be told."""
    try:
        return pattern_of(segments).literal
    except NotMatched:
        return None


def _operator(operand: Operand) -> str:
    return operand.text.text if operand.text.known else ""


class _Malformed(Exception):
    pass


class _Parser:
    """Tests joined by `!`, brackets, `&&`/`-a` and `||`/`-o`; a side that cannot matter is not evaluated."""

    def __init__(self, conditions: Conditions, operands: list[Operand], *, classic: bool) -> None:
        self.conditions = conditions
        self.operands = operands
        self.both, self.either = ("-a", "-o") if classic else ("&&", "||")
        self.at = 0
        self.depth = 0

    def run(self) -> bool | None:
        """The value, None where the test is not written as tests are."""
        try:
            value = self.disjunction(True)
        except _Malformed:
            return None
        return value if self.at == len(self.operands) else None

    def peek(self, ahead: int = 0) -> str:
        at = self.at + ahead
        return _operator(self.operands[at]) if at < len(self.operands) else ""

    def take(self) -> Operand:
        if self.at >= len(self.operands):
            raise _Malformed
        self.at += 1
        return self.operands[self.at - 1]

    def disjunction(self, live: bool) -> bool:
        return self._chain(live, self.either, self.conjunction, stops=True)

    def conjunction(self, live: bool) -> bool:
        return self._chain(live, self.both, self.negation, stops=False)

    def _chain(self, live: bool, operator: str, parse: Callable[[bool], bool], *, stops: bool) -> bool:
        value = parse(live)
        while self.peek() == operator:
            self.at += 1
            right = parse(live and value is not stops)
            value = value if value is stops else right
        return value

    def negation(self, live: bool) -> bool:
        self.depth += 1
        if self.depth > 50:
            raise _Malformed
        try:
            if self.peek() == "!" and self.peek(1) not in _BINARY:
                self.at += 1
                return not self.negation(live)
            return self.primary(live)
        finally:
            self.depth -= 1

    def primary(self, live: bool) -> bool:
        if self.peek() == "(":
            self.at += 1
            value = self.disjunction(live)
            if self.peek() != ")":
                raise _Malformed
            self.at += 1
            return value
        left = self.take()
        operator = self.peek()
        if operator in _BINARY and self.at + 1 < len(self.operands):
            self.at += 1
            right = self.take()
            return self.conditions.binary(left, operator, right) if live else False
        if _operator(left) in _UNARY and self.at < len(self.operands) and operator not in (self.both, self.either, ")"):
            operand = self.take()
            return self.conditions.unary(_operator(left), operand) if live else False
        return self.conditions.unary("-n", left) if live else False
