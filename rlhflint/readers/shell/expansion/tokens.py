"""The tokens of arithmetic: numbers, names, operators, and parts that are not known."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rlhflint.expressions import expression
from rlhflint.text import HOLE

_TOKEN = expression(
    r"(?<!\s)\s*+(?:(0[xX][0-9A-Fa-f]+|\d+#[\w@]+|\d+)|([A-Za-z_]\w*)"
    r"|(\*\*|<<=|>>=|<<|>>|&&|\|\||[-+*/%&|^<>=!]=|\+\+|--|[-+*/%&|^<>=!~?:,()\[\]])|(" + HOLE + r")|(\S))",
    re.ASCII | re.DOTALL,
)
_NUMBER, _NAME, _OPERATOR, _HOLE = 1, 2, 3, 4
"""The groups of `_TOKEN`; the fifth is anything else."""
ASSIGNMENTS = frozenset(("=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="))
"""The operators that give the name on their left a value."""

_STEPS = ("++", "--")


class Tokens:
    """The tokens of an expression, taken one after the other."""

    def __init__(self, text: str) -> None:
        self._tokens = [found for found in _TOKEN.finditer(text) if found.lastindex]
        self._at = 0

    def __len__(self) -> int:
        return len(self._tokens)

    @property
    def ended(self) -> bool:
        """All were taken."""
        return self._at >= len(self._tokens)

    def take(self, *operators: str) -> str:
        """The next token if it is one of these operators, else empty."""
        return self._take(_OPERATOR) if not self.ended and self._text(self._at) in operators else ""

    def take_number(self) -> str:
        """The next token if it is a number as it is written, else empty."""
        return self._take(_NUMBER)

    def take_name(self) -> str:
        """The next token if it is a name, else empty."""
        return self._take(_NAME)

    def take_target(self) -> str:
        """The next token if it is a name that is assigned to, else empty."""
        assigned = self._at + 1 < len(self._tokens) and self._text(self._at + 1) in ASSIGNMENTS
        return self.take_name() if assigned else ""

    def targets(self) -> Iterator[tuple[str, bool]]:
        """Every name that the expression gives a value, and whether it gives it to an element of an array."""
        open_: list[str] = []
        for at, token in enumerate(self._tokens):
            name, element = token[_NAME] or "", False
            if token[_OPERATOR] == "[":
                open_.append(self._tokens[at - 1][_NAME] or "" if at else "")
            elif token[_OPERATOR] == "]" and open_:
                name, element = open_.pop(), True
            before = self._text(at - 1) if at and not element else ""
            after = self._text(at + 1) if at + 1 < len(self._tokens) else ""
            if name and (before in _STEPS or after in _STEPS or after in ASSIGNMENTS):
                yield name, element

    def take_hole(self) -> int | None:
        """Where the next token stands in the text if it is an unknown part."""
        return self._tokens[self._at - 1].start(_HOLE) if self._take(_HOLE) else None

    def _text(self, at: int) -> str:
        return self._tokens[at].group().strip()

    def _take(self, kind: int) -> str:
        if self.ended or self._tokens[self._at].lastindex != kind:
            return ""
        self._at += 1
        return self._tokens[self._at - 1][kind]
