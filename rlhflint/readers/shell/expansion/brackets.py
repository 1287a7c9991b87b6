"""`[ … ]` and `[[ … ]]`: which relations of which words a test asks for."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rlhflint.readers.shell.expansion.condition import COMPARISONS, Operand, Relations, ask
from rlhflint.readers.shell.unknown import identity

_UNARY = frozenset("-" + letter for letter in "abcdefghknoprstuvwxzGLNORS")
_BINARY = frozenset(("=", "==", "!=", "=~", "<", ">", "-nt", "-ot", "-ef", *COMPARISONS))
_DEEPEST = 50


class Conditions(Relations):
    """Evaluates whole tests."""

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


def _operator(operand: Operand) -> str:
    """The operator that an operand may be: in `[ … ]` whatever it comes to, in `[[ … ]]` what is written there."""
    if operand.written is not None:
        return operand.written
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
        if self.depth > _DEEPEST:
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
